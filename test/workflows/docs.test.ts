import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { parseWaivers } from '../../src/waivers/waivers-file.ts';
import { ROOT, readText } from './files.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'deep/README.md',
  'emulator/README.md',
  ...(await readdir(`${ROOT}docs`)).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];

it.each(PAGES)('%s links only to files and headings that exist', async (page) => {
  const links = [...(await readText(page)).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(await brokenLinks(page, links)).toEqual([]);
});

it.each(PAGES)('%s has no table that a blank line cuts', async (page) => {
  // A table begins with its head and the line below it.
  const starts = [...(await readText(page)).matchAll(/^\n\|.*\n(.*)/gm)].map(([, below = '']) => below);
  expect(starts.filter((below) => !/^[|:\- ]+$/.test(below) || below === '')).toEqual([]);
});

it.each(PAGES)('%s shows YAML that can be read', async (page) => {
  const blocks = [...(await readText(page)).matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks.flatMap((block) => parseDocument(block).errors)).toEqual([]);
});

it('docs/red-check.md has one section for every reason, whose anchor is the reason', async () => {
  const [, union = ''] = /export type Reason =([^;]*);/.exec(await readText('src/causes/cause.ts')) ?? [];
  const reasons = [...union.matchAll(/'([^']+)'/g)].map(([, reason = '']) => reason);
  const page = await readText('docs/red-check.md');
  const sections = [...page.matchAll(/^### `(.+)`$/gm)].map(([, reason = '']) => reason);
  expect(sections.toSorted()).toEqual(reasons.toSorted());
  expect(anchorsOf(page)).toHaveLength(new Set(anchorsOf(page)).size);
});

/** Returns the relative links whose file or heading does not exist. */
async function brokenLinks(page: string, links: readonly string[]): Promise<readonly string[]> {
  const relative = links.filter((link) => !link.startsWith('https://'));
  const broken = relative.map(async (link) => {
    const [file = '', heading] = link.split('#');
    const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    if (!existsSync(ROOT + target)) return [link];
    return heading === undefined || anchorsOf(await readText(target)).includes(heading) ? [] : [link];
  });
  return (await Promise.all(broken)).flat();
}

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsOf(markdown: string): readonly string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text.toLowerCase());
  return headings.map((text) => text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

it('commands in the docs name scripts that exist', async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(await readText('package.json'));
  const pages = await Promise.all(PAGES.map(readText));
  const named = pages.flatMap((page) => [...page.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('docs/guide.md links to every example', async () => {
  const page = await readText('docs/guide.md');
  const examples = await readdir(`${ROOT}examples/workflows`);
  expect(examples.filter((name) => !page.includes(`(../examples/workflows/${name})`))).toEqual([]);
});

it('docs/guide.md shows a waivers file that can be read', async () => {
  const [, block = ''] = /^```yaml\n(# \S+waivers\.yml\n[^]*?)^```$/m.exec(await readText('docs/guide.md')) ?? [];
  expect(await parseWaivers(block, 'waivers.yml')).toHaveLength(1);
});
