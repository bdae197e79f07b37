import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, readText } from './files.ts';

it.each(['docs/recipes.md', 'docs/releasing.md'])('%s links only to files that are there', async (page) => {
  const links = [...(await readText(page)).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !existsSync(path.join(ROOT, path.dirname(page), link)))).toEqual([]);
});

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
