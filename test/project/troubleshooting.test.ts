import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Reason } from '../../src/lib/cause.ts';
import { anchorsOf } from './anchors.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const DOCS = new URL('../../docs/', import.meta.url);

const page = await readFile(new URL('troubleshooting.md', DOCS), 'utf8');
const names = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'));
const sources = await Promise.all(names.map(async (name) => await readFile(path.join(SRC, name), 'utf8')));

/** The members of the type `Reason`, which are the values of the output `reason`. */
async function readReasons(): Promise<readonly Reason[]> {
  const text = await readFile(path.join(SRC, 'lib/cause.ts'), 'utf8');
  const [, union = ''] = /export type Reason =([^;]*);/.exec(text) ?? [];
  return [...union.matchAll(/'([^']+)'/g)]
    .map(([, reason = '']) => reason)
    .filter((reason): reason is Reason => reason !== '');
}

describe('docs/troubleshooting.md', () => {
  it('has a section for every reason, whose anchor is the reason', async () => {
    const reasons = await readReasons();
    expect(reasons).toContain('issues');
    expect(reasons.filter((reason) => !page.includes(`\n## \`${reason}\`\n`))).toEqual([]);
    expect(reasons.filter((reason) => !anchorsOf(page).includes(reason))).toEqual([]);
  });

  it('has no heading twice, so that every link is unique', () => {
    const anchors = anchorsOf(page);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  });

  it('has the headings that messages link to', async () => {
    const links = sources.flatMap((source) => [...source.matchAll(/([\w-]+\.md)#([\w-]+)/g)]);
    const missing = await Promise.all(
      links.map(async ([link, file = '', anchor = '']) => {
        const text = await readFile(new URL(file, DOCS), 'utf8');
        return anchorsOf(text).includes(anchor) ? [] : [link];
      }),
    );
    expect(missing.flat()).toEqual([]);
  });
});
