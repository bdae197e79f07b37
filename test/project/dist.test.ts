import { expect, it } from 'vitest';
import { staleFiles } from '../../scripts/build.ts';

it('dist/ is what the sources build, file by file', async () => {
  expect(await staleFiles(), 'run "npm run build"').toEqual([]);
});
