import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MAY_BE_SKIPPED, unexpectedSkips } from '../harness/skips.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('a skipped test is unexpected, unless its reason holds on this machine', () => {
  const replaced = { file: 'test/media/hash.test.ts', name: 'a file that was replaced > pipe' };
  const skipped = [replaced, { file: 'test/report/html.test.ts', name: 'runs no script' }];
  const linux = { windows: false, 'not Linux': false, 'an archive of the sources is no repository': false };
  expect(unexpectedSkips(skipped, linux)).toEqual(skipped);
  expect(unexpectedSkips(skipped, { ...linux, windows: true })).toEqual(skipped.slice(1));
});

it('each file with a condition on a test has a reason for it, except those that need a browser', async () => {
  const conditional: string[] = [];
  for await (const file of glob('test/**/*.{test,deep}.ts', { cwd: ROOT, exclude: ['**/node_modules'] })) {
    const source = await readFile(path.join(ROOT, file), 'utf8');
    if (/\.(?:skipIf|runIf)\((?!findBrowser)/.test(source)) conditional.push(file.replaceAll('\\', '/'));
  }
  expect(conditional.toSorted()).toEqual([...new Set(MAY_BE_SKIPPED.map(([file]) => file))].toSorted());
});
