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

const BY_EVENT = [...Map.groupBy(EXAMPLES, ([event]) => event)];

it.for(BY_EVENT)('every example of the payload of %s is read', ([event, examples], { envOf }) => {
  const hasPull = event.startsWith('pull_request');
  for (const [, , payload] of examples) {
    const { eventCommit, pullRequest, isPayloadIncomplete } = readContext(envOf(event, payload));
    expect(isPayloadIncomplete).toBeUndefined();
    if (event !== 'workflow_run')
      expect([eventCommit, pullRequest?.number]).toEqual(
        hasPull
          ? [valueAt(payload, 'pull_request.head.sha'), valueAt(payload, 'pull_request.number')]
          : [SHA, undefined],
      );
  }
});

/** Runs the action in a folder that is no checkout. */
async function reasonIn(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { runner, outputs } = recordRunner({ 'dry-run': 'true' });
  // The search writes every folder to the debug log.
  const writing = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await run(env, runner, new AbortController().signal);
  writing.mockRestore();
  return outputs.get('reason');
}

it.for(BY_EVENT)('a run under %s', async ([event, [[, , payload] = ['', 0, {}] as const]], { envOf }) => {
  // Under these events the commit must be checked out.
  const isStrict = event === 'pull_request_target' || event === 'workflow_run';
  expect(await reasonIn(envOf(event, payload))).toBe(isStrict ? 'checkout' : 'dry-run');
});

/** Every path to a value in a payload. */
function pathsIn(value: JsonValue, prefix = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [prefix + key, ...pathsIn(inner, `${prefix}${key}.`)]);
}

it('a payload in which any part has another form never stops the action', async ({ envOf }) => {
  const events = EXAMPLES.filter(([event]) => /^(pull_request|merge_group|workflow_run|issue_comment)/.test(event));
  const broken = fc
    .constantFrom(...events)
    .chain(([event, , payload]) =>
      fc.tuple(fc.constant({ event, payload }), fc.constantFrom(...pathsIn(payload)), fc.jsonValue()),
    );
  await fc.assert(
    fc.asyncProperty(broken, async ([{ event, payload }, at, value]) => {
      const copy = structuredClone(payload);
      const [, parent = '', key = ''] = /^(?:(.*)\.)?([^.]+)$/.exec(at) ?? [];
      Object.assign(Object(parent === '' ? copy : valueAt(copy, parent)), { [key]: value });
      expect(['dry-run', 'checkout']).toContain(await reasonIn(envOf(event, copy)));
    }),
  );
});
