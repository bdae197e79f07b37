import * as v from 'valibot';
import { expect } from 'vitest';
import { StateDocument } from '../../src/state/document.ts';
import { analyse } from '../harness/earlier-run.ts';
import { it as base } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import type { Repository, RepositoryRun } from '../harness/repository.ts';

export const it = base.extend('workspaces', async ({ makeFolder }) => ({
  one: await makeFolder(images('a')),
  two: await makeFolder(images('a', 'b')),
}));

/** Plants the state of an earlier run on a branch, which has analysed a.png. */
export async function plantAnalysed(world: Repository, branch: string, runId = 30): Promise<void> {
  world.plantState({ branch, runId, document: await analyse(world.service, images('a')) });
}

/** A state with many paths, of which two exceed the limit. Escaped twice, a quotation mark becomes four characters. */
export function filled(known: StateDocument, folder: string): StateDocument {
  const names = Array.from({ length: 2_300 }, (_, index) => `${folder}/${index}/`.padEnd(3_700, '"'));
  return v.parse(StateDocument, { ...known, paths: names.map((path) => ({ ...known.paths[0], path })) });
}

export function storedNames({ artifacts }: Repository): readonly string[] {
  return artifacts.artifacts.map(({ name }) => /-(open|state|pull)-/.exec(name)?.[1] ?? name).toSorted();
}

export function expectReused(run: RepositoryRun, files = 1): void {
  expect(run.outputs, run.log).toMatchObject({ 'files-submitted': '0', 'files-reused': `${files}` });
}
