import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { readInputs } from '../../src/inputs/parse.ts';
import { it } from '../harness/fixtures.ts';

const NO_KEY = { reason: 'no-key', message: 'There is no API key.', steps: [] } as const;

it('working-directory: a folder in a workspace that is itself behind a link, and no file', async ({ makeFolder }) => {
  const root = await makeFolder({ 'real/site/a.png': 'x' });
  const workspace = path.join(root, 'link');
  await symlink('real', workspace);
  const results = ['site', 'site/a.png'].map((folder) =>
    readInputs((name) => (name === 'working-directory' ? folder : ''), workspace, NO_KEY),
  );
  expect(results.map(({ inputs }) => inputs.searchRoot)).toEqual([path.join(workspace, 'site'), workspace]);
});
