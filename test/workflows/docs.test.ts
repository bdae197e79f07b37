import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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

it('README.md begins with the demo and a dry run on a folder of the reader', async () => {
  expect(await readText('README.md')).toMatch(/^```sh\nnpm start\nnpm run try -- \S+\n```$/m);
});

describe('commands', async () => {
  const blocks = await Promise.all(
    PAGES.map(async (page) =>
      [...(await readText(page)).matchAll(/^ *```sh\n([^]*?)```/gm)].map(([, text = '']) => text),
    ),
  );
  const lines = blocks.flat().flatMap((block) => block.trim().split('\n'));

  it('name scripts that exist', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(await readText('package.json'));
    const named = lines.flatMap((line) => /npm run ([\w:-]+)/.exec(line)?.[1] ?? []);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
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

it('docs/guide.md names checks that the examples have', async () => {
  const page = (await readText('docs/guide.md')).replaceAll(/\s+/g, ' ');
  const { jobs } = parse(await readText('examples/workflows/pull-request.yml'));
  const { jobs: gate } = parse(await readText('examples/workflows/organisation-gate.yml'));
  const { jobs: caller } = parse(await readText('examples/workflows/organisation-caller.yml'));
  const [check, reused] = [Object.keys(jobs), [...Object.keys(caller), ...Object.keys(gate)].join(' / ')];
  expect(page).toContain(`of the job, here \`${check.join()}\`; \`${reused}\` for a reusable workflow`);
});
