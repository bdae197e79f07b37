import { expect, it } from 'vitest';
import { relativeTo } from '../../src/lib/file-system.ts';

it('the path of a file in a folder, or undefined', () => {
  const paths = ['/a', '/a/b/c', '/a/..b', '/b', '/', '/ab'].map((file) => relativeTo('/a', file));
  expect(paths).toEqual(['', 'b/c', '..b', undefined, undefined, undefined]);
});
