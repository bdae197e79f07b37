import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = async (name: string): Promise<string> => await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

it('docs/troubleshooting.md has a section, with the anchor that summaries link to, for every reason', async () => {
  const [, union = ''] = /export type Reason =([^;]+);/.exec(await read('src/lib/cause.ts')) ?? [];
  const reasons = [...union.matchAll(/'([\w-]+)'/g)].map(([, reason]) => reason);
  const sections = (await read('docs/troubleshooting.md')).matchAll(/^<a name="([\w-]+)"><\/a>\n\n## `\1`/gm);
  expect(reasons).toContain('issues');
  expect(new Set([...sections].map(([, reason]) => reason))).toEqual(new Set(reasons));
});
