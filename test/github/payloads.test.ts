import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { it as base } from '../harness/fixtures.ts';
import { EXAMPLES, type JsonValue, valueAt } from '../harness/payloads.ts';

const SHA = '1'.repeat(40);

/** Writes a payload as the runner does, and returns the environment of the run. */
const it = base.extend('envOf', async ({ makeFolder }) => {
  const file = path.join(await makeFolder(), 'event.json');
  return (event: string, payload: JsonValue): NodeJS.ProcessEnv => {
    writeFileSync(file, JSON.stringify(payload));
    const start = { GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: file, GITHUB_REF: 'refs/heads/main' };
    return { ...start, GITHUB_SHA: SHA };
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
