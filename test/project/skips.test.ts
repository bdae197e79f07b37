import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MAY_BE_SKIPPED, unexpectedSkips } from '../harness/skips.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const LINUX = {
  windows: false,
  'not Linux': false,
  'root may read every file': false,
  'an archive of the sources is no repository': false,
};
const PIPE = { file: 'test/media/hash.test.ts', name: 'a file that cannot be read > because it is a pipe' };
const UNREADABLE = { file: 'test/media/hash.test.ts', name: 'a file that cannot be read > because it is not allowed' };
const BROWSER = { file: 'test/report/html.test.ts', name: 'report.html in a browser > runs no script' };

it('a skipped test is unexpected, unless its reason holds on this machine', () => {
  expect(unexpectedSkips([PIPE, UNREADABLE, BROWSER], LINUX)).toEqual([PIPE, UNREADABLE, BROWSER]);
  expect(unexpectedSkips([PIPE, UNREADABLE, BROWSER], { ...LINUX, 'root may read every file': true })).toEqual([
    PIPE,
    BROWSER,
  ]);
  expect(unexpectedSkips([PIPE, UNREADABLE, BROWSER], { ...LINUX, windows: true })).toEqual([BROWSER]);
});

it('each file with a condition on a test has a reason for it, except those that need a browser', async () => {
  const conditional: string[] = [];
  for await (const file of glob('test/**/*.{test,deep}.ts', { cwd: ROOT, exclude: ['**/node_modules'] })) {
    const source = await readFile(new URL(`../../${file.replaceAll('\\', '/')}`, import.meta.url), 'utf8');
    if (/\.(?:skipIf|runIf)\((?!findBrowser)/.test(source)) conditional.push(file.replaceAll('\\', '/'));
  }
  expect(conditional.toSorted()).toEqual([...new Set(MAY_BE_SKIPPED.map(([file]) => file))].toSorted());
});
