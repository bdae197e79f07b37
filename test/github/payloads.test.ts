import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, vi } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { run } from '../../src/run.ts';
import { recordRunner } from '../builders/runners.ts';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { EXAMPLES, type JsonValue, valueAt } from '../harness/payloads.ts';

const SHA = '1'.repeat(40);

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

it("every payload of GitHub's examples is read, and a pull request counts only under its own events", ({ envOf }) => {
  const contexts = EXAMPLES.map(([event, , payload]) => ({ payload, ...readContext(envOf(event, payload)) }));
  expect(contexts.filter(({ isPayloadIncomplete }) => isPayloadIncomplete).map(({ event }) => event)).toEqual([]);
  const ofPulls = contexts.filter(({ event }) => event.startsWith('pull_request'));
  expect(ofPulls.length).toBeGreaterThan(60);
  for (const { pullRequest, eventCommit, payload } of ofPulls) {
    const [number, sha] = [valueAt(payload, 'pull_request.number'), valueAt(payload, 'pull_request.head.sha')];
    expect([pullRequest?.number, eventCommit]).toEqual([number, sha]);
  }
  // `deployment_status` also has a `workflow_run`.
  const others = contexts.filter(({ event }) => !/^(pull_request|workflow_run)/.test(event));
  expect(new Set(others.map(({ eventCommit }) => eventCommit))).toEqual(new Set([SHA]));
  const foreign = ofPulls.map(({ payload }) => readContext(envOf('push', payload)));
  expect(foreign.filter(({ pullRequest }) => pullRequest)).toEqual([]);
});

/** Runs the action with a payload, to the plan of a dry run. */
async function planWith(env: NodeJS.ProcessEnv) {
  const { runner, outputs, lines } = recordRunner({ 'dry-run': 'true' });
  // The search writes every folder to the debug log.
  const writing = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await run(env, runner, new AbortController().signal);
  writing.mockRestore();
  return { reason: outputs.get('reason'), log: lines.join('\n') };
}

/** Every path to a value in a payload. */
function pathsIn(value: JsonValue, prefix = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [prefix + key, ...pathsIn(inner, `${prefix}${key}.`)]);
}

/** The parts of a payload that the action reads. */
const PARTS = ['pull_request', 'merge_group', 'workflow_run'];

const broken = fc.constantFrom(...PARTS).chain((part) =>
  fc.constantFrom(...EXAMPLES.filter(([, , payload]) => part in payload)).chain(([event, , payload]) =>
    fc.record({
      event: fc.constant(event),
      payload: fc.constant(payload),
      at: fc.oneof(fc.constant(part), fc.constantFrom(...pathsIn(payload))),
      value: fc.jsonValue(),
    }),
  ),
);

it('a payload in which any part has another form ends no run with a defect, and its other parts are read', async ({
  envOf,
}) => {
  await fc.assert(
    fc.asyncProperty(broken, async ({ event, payload, at, value }) => {
      const copy = structuredClone(payload);
      const [, parent = '', key = ''] = /^(?:(.*)\.)?([^.]+)$/.exec(at) ?? [];
      Object.assign(Object(parent === '' ? copy : valueAt(copy, parent)), { [key]: value });
      const env = envOf(event, copy);
      const id = valueAt(payload, 'repository.id');
      if (typeof id === 'number' && !at.startsWith('repository'))
        expect(readContext(env).repositoryId).toBe(String(id));
      const { reason, log } = await planWith(env);
      expect(reason, log).toMatch(/^(dry-run|checkout)$/);
    }),
    { numRuns: 60 },
  );
});
