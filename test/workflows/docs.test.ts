import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, readText } from './files.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'emulator/README.md',
  ...(await readdir(`${ROOT}docs`)).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];

it.each(PAGES)('%s links only to files and headings that are there', async (page) => {
  const links = [...(await readText(page)).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const inside = links.filter((link) => !link.startsWith('https://'));
  const broken = await Promise.all(inside.map(async (link) => ((await leads(page, link)) ? [] : [link])));
  expect(broken.flat()).toEqual([]);
});

it('would notice a link that leads nowhere', async () => {
  expect(await leads('docs/state.md', 'troubleshooting.md#no-key-there-is-no-api-key')).toBe(true);
  expect(await leads('docs/state.md', '#the-one-window')).toBe(true);
  expect(await leads('docs/state.md', 'troubleshooting.md#no-such-heading')).toBe(false);
  expect(await leads('docs/state.md', 'no-such-page.md')).toBe(false);
});

/** Whether a relative link of that page leads to a file, and to a heading where it names one. */
async function leads(page: string, link: string): Promise<boolean> {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
  if (!existsSync(path.join(ROOT, target))) return false;
  if (heading === undefined) return true;
  const headings = [...(await readText(target)).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text));
  return headings.includes(heading);
}

/** As GitHub makes it from the text of a heading. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

it('docs/recipes.md has a line for every example', async () => {
  const page = await readText('docs/recipes.md');
  const examples = await readdir(`${ROOT}examples/workflows`);
  expect(examples.filter((name) => !page.includes(`(../examples/workflows/${name})`))).toEqual([]);
});

it('docs/recipes.md names checks that the examples have', async () => {
  const page = await readText('docs/recipes.md');
  const { jobs } = parse(await readText('examples/workflows/pull-request.yml'));
  const { jobs: gate } = parse(await readText('examples/workflows/organisation-gate.yml'));
  const { jobs: caller } = parse(await readText('examples/workflows/organisation-caller.yml'));
  const [check, reused] = [Object.keys(jobs), [...Object.keys(caller), ...Object.keys(gate)].join(' / ')];
  expect(page).toContain(`of the job, here \`${check.join()}\`; \`${reused}\` for a reusable workflow`);
});
