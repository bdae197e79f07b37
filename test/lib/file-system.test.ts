import path from 'node:path';
import { expect, it } from 'vitest';
import { pathIn } from '../../src/lib/file-system.ts';

it('the path of a file in a folder, or undefined', () => {
  const paths = ['/a', '/a/b/c', '/a/..b', '/b', '/', '/ab'].map((file) => pathIn('/a', file));
  expect(paths).toEqual(['', path.join('b', 'c'), '..b', undefined, undefined, undefined]);
});
