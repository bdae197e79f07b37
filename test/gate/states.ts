import { expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import type { Repository, RepositoryRun } from '../harness/repository.ts';

export const it = base.extend('workspaces', async ({ makeFolder }) => ({
  one: await makeFolder(images('a')),
  two: await makeFolder(images('a', 'b')),
}));

export function storedNames({ artifacts }: Repository): readonly string[] {
  return artifacts.artifacts.map(({ name }) => /-(open|state|pull)-/.exec(name)?.[1] ?? name).toSorted();
}

export function expectReused(run: RepositoryRun, files = 1): void {
  expect(run.outputs, run.log).toMatchObject({ 'files-submitted': '0', 'files-reused': `${files}` });
}
