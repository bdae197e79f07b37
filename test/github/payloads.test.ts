import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, vi } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { run } from '../../src/run.ts';
import { recordRunner } from '../builders/runners.ts';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { EXAMPLES, type Json, type JsonValue, valueAt } from '../harness/payloads.ts';

const SHA = '1'.repeat(40);
const NONE = { eventCommit: SHA, baseBranch: undefined, baseCommit: undefined, comment: undefined };

/** Writes a payload as the runner does, and returns the environment of the run. */
const it = base.extend('envOf', async ({ makeFolder }) => {
  const [temp, workspace] = [await makeFolder(), await makeFolder({ 'a.png': png('a') })];
  const file = path.join(temp, 'event.json');
  return (event: string, payload: JsonValue): NodeJS.ProcessEnv => {
    writeFileSync(file, JSON.stringify(payload));
    const start = { GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: file, GITHUB_REF: 'refs/heads/main' };
    return { ...start, GITHUB_SHA: SHA, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp };
  };
});

/** The commit, the base and the commented pull request of a run, read without the schemas of the action. */
function expected(event: string, payload: Json): object {
  const read = (at: string): JsonValue | undefined => valueAt(payload, at);
  const readText = (at: string): string => JSON.stringify(read(at) ?? '').slice(1, -1);
  if (event.startsWith('pull_request')) {
    const pull = { eventCommit: read('pull_request.head.sha'), comment: read('pull_request.number') };
    return { ...pull, baseBranch: read('pull_request.base.ref'), baseCommit: read('pull_request.base.sha') };
  }
  if (event === 'merge_group') {
    const baseBranch = readText('merge_group.base_ref').replace('refs/heads/', '');
    return { ...NONE, baseBranch, baseCommit: read('merge_group.base_sha') };
  }
  if (event !== 'workflow_run') return NONE;
  const followed = { ...NONE, eventCommit: read('workflow_run.head_sha') };
  if (!readText('workflow_run.event').startsWith('pull_request')) return followed;
  const isOurs = (pull: JsonValue): boolean => valueAt(pull, 'base.repo.id') === read('repository.id');
  const [own, ...others] = [read('workflow_run.pull_requests') ?? []].flat().filter(isOurs);
  if (!own || others.length > 0) return { ...followed, baseCommit: SHA };
  const base = { baseBranch: valueAt(own, 'base.ref'), baseCommit: valueAt(own, 'base.sha') };
  return { ...followed, ...base, comment: valueAt(own, 'number') };
}

it.for(EXAMPLES)('the payload of %s, example %i', async ([event, , payload], { envOf }) => {
  const env = envOf(event, payload);
  const { eventCommit, baseBranch, baseCommit, pullRequest, isPayloadIncomplete } = readContext(env);
  const read = { eventCommit, baseBranch, baseCommit, comment: pullRequest?.number };
  expect({ ...read, isPayloadIncomplete }).toEqual({ ...expected(event, payload), isPayloadIncomplete: undefined });
  const { runner, outputs, lines } = recordRunner({ 'dry-run': 'true' });
  // The search writes every folder to the debug log.
  const writing = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await run(env, runner, new AbortController().signal);
  writing.mockRestore();
  // Under these events the commit must be checked out, and the folder has no `.git`.
  const isStrict = event === 'pull_request_target' || event === 'workflow_run';
  expect(outputs.get('reason'), lines.join('\n')).toBe(isStrict ? 'checkout' : 'dry-run');
});

/** Every path to a value in a payload. */
function pathsIn(value: JsonValue, prefix = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [prefix + key, ...pathsIn(inner, `${prefix}${key}.`)]);
}

it('a payload in which any part has another form never stops the action', ({ envOf }) => {
  const events = EXAMPLES.filter(([event]) => /^(pull_request|merge_group|workflow_run|issue_comment)/.test(event));
  const broken = fc
    .constantFrom(...events)
    .chain(([event, , payload]) =>
      fc.tuple(fc.constant({ event, payload }), fc.constantFrom(...pathsIn(payload)), fc.jsonValue()),
    );
  fc.assert(
    fc.property(broken, ([{ event, payload }, at, value]) => {
      const copy = structuredClone(payload);
      const [, parent = '', key = ''] = /^(?:(.*)\.)?([^.]+)$/.exec(at) ?? [];
      Object.assign(Object(parent === '' ? copy : valueAt(copy, parent)), { [key]: value });
      const { repositoryId, branch } = readContext(envOf(event, copy));
      expect([typeof repositoryId, typeof branch]).toEqual(['string', 'string']);
    }),
  );
});
