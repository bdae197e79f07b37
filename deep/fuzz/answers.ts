import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import type { Scenario } from '../../emulator/emulator.ts';
import { ENDPOINTS, type Endpoint } from '../../emulator/http.ts';
import { endpointOf } from '../../test/harness/endpoint.ts';
import { type FrontFault, startFront } from '../../test/harness/front.ts';
import { runWithSecrets } from '../../test/harness/invariants.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { anyJsonEdit, editJson, type JsonEdit } from './json-edits.ts';
import { CLOCK_FACTOR, expectSound, NO_GITHUB, target } from './target.ts';

const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;
const FINDS = [CRITICAL, { severity: 'MINOR', ruleCode: 'AD-17' }] as const;

/** Together they call every endpoint. In all but the sandbox `two.png` has a CRITICAL issue. */
const SCENES: Readonly<Record<string, Scenario>> = {
  plain: { files: [{ match: 'two-', issues: [...FINDS] }] },
  'by presigned address': { files: [{ match: 'two-', issues: [...FINDS] }], directCap: 10 },
  'with a retry': { files: [{ match: 'two-', issues: [...FINDS], fails: { times: 1 } }] },
  'with a retry elsewhere': {
    files: [{ match: 'two-', issues: [...FINDS], fails: { times: 1 } }],
    retryInNewSubmission: true,
  },
  'with versions': { files: [{ match: 'two-', issues: [...FINDS] }], versionsBefore: 2 },
  'with short lists': { files: [{ match: 'two-', issues: [...FINDS], resultShort: 1 }] },
  'with a slow count': { files: [{ match: 'two-', issues: [...FINDS], reads: 2, nullIssueCountReads: 2 }] },
  sandbox: {},
};

const MILD: readonly unknown[] = ['MAJOR', 'MINOR', 'INFO'];
const CLOSED: readonly unknown[] = ['RESOLVED', 'DISMISSED'];

/** Storage answers without a body. */
const ON = ENDPOINTS.filter((endpoint) => endpoint !== 'storage/put');

interface AnswerCase {
  /** One of `SCENES`. */
  readonly scene: string;
  /** An earlier run with unchanged answers left a state. */
  readonly isLater: boolean;
  readonly answers: readonly {
    readonly on: Endpoint;
    /** From 1; null: all of them. */
    readonly nth: number | null;
    readonly edits: readonly JsonEdit[];
  }[];
}

const anyCase: fc.Arbitrary<AnswerCase> = fc.record({
  scene: fc.constantFrom(...Object.keys(SCENES)),
  isLater: fc.boolean().chain((first) => (first ? fc.boolean() : fc.constant(false))),
  answers: fc.array(
    fc.record({
      // Answers that decide the verdict are changed more often.
      on: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('submissions/read', 'assets/read', 'assets/issues') },
        { weight: 2, arbitrary: fc.constantFrom(...ON) },
      ),
      nth: fc.constantFrom(null, null, 1, 2, 3),
      edits: fc.array(anyJsonEdit, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** Answers of the service, changed on their way to the action. */
export const ANSWERS = target<AnswerCase>('service answers', anyCase, async (emulator) => {
  const workspace = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two'), 'copy/one.png': png('one') });
  return {
    async play({ scene, isLater, answers }) {
      const scenario = SCENES[scene];
      assert.ok(scenario, `There is no scene "${scene}"`);
      const asked = new Map<Endpoint, number>();
      const sent = new Map<string, string>();
      const fault = (line: string): FrontFault | undefined => {
        const endpoint = endpointOf(line);
        if (!endpoint) return undefined;
        const nth = (asked.get(endpoint) ?? 0) + 1;
        asked.set(endpoint, nth);
        const edits = answers
          .filter((each) => each.on === endpoint && (each.nth === null || each.nth === nth))
          .flatMap((each) => each.edits);
        return (body) => {
          const text = editJson(body, edits);
          sent.set(line, text);
          return text;
        };
      };
      await using front = await startFront(emulator.baseUrl, { fault });
      const folder = await mkdtemp(path.join(tmpdir(), 'gate-fuzz-'));
      const isSandbox = scene === 'sandbox';
      const trial = {
        workspace: workspace.path,
        service: emulator.workspace({ scenario, mode: isSandbox ? 'sandbox' : 'live' }),
        clockFactor: CLOCK_FACTOR,
        env: NO_GITHUB,
        inputs: {
          'wait-timeout-minutes': '2',
          'state-file': path.join(folder, 'state.json'),
          'issue-url': 'https://service.example/{submissionId}/{assetId}/{issueId}?n={referenceNumber}',
          ...(isSandbox && { 'sandbox-event': 'asset.processing.completed' }),
        },
      };
      try {
        if (isLater) await runWithSecrets({ ...trial, baseUrl: emulator.baseUrl });
        const run = await runWithSecrets({ ...trial, baseUrl: front.url });
        expectSound(run);
        assert.ok(
          run.service.submissions.length <= submissionsOf(scene, isLater),
          'More than one submission was created',
        );
        if (isSandbox || run.outputs['verdict'] !== 'pass') return;
        const changed = new Set(answers.map(({ on }) => on));
        assert.ok(changed.size > 1, 'A pass, although only one kind of answers was changed');
        const critical = [...sent].find(([line, text]) => hasOpenCritical(endpointOf(line), text));
        assert.equal(critical, undefined, 'A pass, although an answer had a CRITICAL issue');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    [Symbol.asyncDispose]: workspace.remove,
  };
});

/** One for each run, and at most two that the service makes for retries of the file that fails. */
function submissionsOf(scene: string, isLater: boolean): number {
  return (isLater ? 2 : 1) * (scene === 'with a retry elsewhere' ? 3 : 1);
}

/** Whether an answer, as it was sent, has an open CRITICAL issue that the action has to see. */
function hasOpenCritical(endpoint: Endpoint | undefined, text: string): boolean {
  if (endpoint !== 'assets/read' && endpoint !== 'assets/issues') return false;
  const issues = listIn(parse(text));
  return issues.some((issue) => isObject(issue) && !has(MILD, issue['severity']) && !has(CLOSED, issue['status']));
}

function has(values: readonly unknown[], value: unknown): boolean {
  return typeof value === 'string' && values.includes(value.toUpperCase());
}

function listIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  return isObject(answer) && Array.isArray(answer['issues']) ? answer['issues'] : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
