import * as v from 'valibot';
import { expect, it } from 'vitest';
import { Artifact, Pull } from '../../src/github/api-schemas.ts';

const SIDE = { ref: 'main', sha: 'a', label: null, repo: { id: 1 } };

// biome-ignore format: a table
it.each([
  ['in the repository',             SIDE,                                               'main'],
  ['in a fork',                     { ...SIDE, repo: { id: 2 }, label: 'mallory:main' }, 'mallory:main'],
  ['in a fork that is gone',        { ...SIDE, repo: null, label: 'mallory:main' },     'mallory:main'],
  ['in a fork that is not named',   { ...SIDE, repo: { id: 2 } },                        ':main'],
])('the branch of a pull request %s', (_, head, branch) => {
  const pull = { number: 7, head, base: SIDE };
  expect(v.parse(Pull, { ...pull, merged_at: null })).toMatchObject({ branch, isMerged: false });
  expect(v.parse(Pull, { ...pull, merged_at: '2026-01-02T03:04:05Z' }).isMerged).toBe(true);
});

// biome-ignore format: a table
it.each([
  ['of a run of the repository',   { id: 1, repository_id: 5, head_repository_id: 5 }, true],
  ['of a run of a fork',           { id: 1, repository_id: 5, head_repository_id: 6 }, false],
  ['of a run without repositories', { id: 1 },                                         false],
  ['of a run without an id',       { repository_id: 5, head_repository_id: 5 },        false],
  ['without a run',                null,                                               false],
])('an artifact %s is ours: %s', (_, run, isOwn) => {
  const artifact = { id: 1, name: 'state', size_in_bytes: 1, expired: false, created_at: null, workflow_run: run };
  expect(v.parse(Artifact, artifact).isOwn).toBe(isOwn);
});
