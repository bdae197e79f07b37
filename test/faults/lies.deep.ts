import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { it as base } from '../harness/fixtures.ts';
import { assetsIn, endpointOf, type FrontFault, type Json, startFront } from '../harness/front.ts';
import { images } from '../harness/media.ts';
import { runWithSecrets, type ServiceRun } from '../harness/run-action.ts';

/** A service with wrong responses to a run of `one.png` and `two.png`. */
interface Lie {
  readonly name: string;
  /** Changes the responses of an endpoint, to a value or to raw text. `nth` counts from 1. */
  readonly edits: Partial<Readonly<Record<Endpoint, (json: Json, nth: number) => unknown>>>;
  /** Default: a CRITICAL issue in `two.png`. */
  readonly scenario?: Scenario;
  /** An earlier run got right responses and saved a state. */
  readonly isLater?: true;
}

interface UnjudgedLie extends Lie {
  /** The message that names the missing fact. */
  readonly says: RegExp;
}

const FOUND = { verdict: 'fail', reason: 'issues', 'critical-count': '1' };
const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;
const ONE_ISSUE: Scenario = { files: [{ match: 'two-', issues: [CRITICAL] }] };
const TEN_MB = 'Because of this. '.repeat(625_000);

function withAssets(edit: (asset: Json) => Json | undefined): (json: Json) => Json {
  return (json) => {
    const assets = assetsIn(json).map(edit);
    return { ...json, assets: assets.filter((asset) => asset !== undefined) };
  };
}

const withoutIssues = withAssets((asset) => (asset['issueCount'] === 0 ? asset : undefined));

function issuesIn({ issues }: Json): readonly Json[] {
  return Array.isArray(issues) ? issues : [];
}

// Wrong single fields, counts and ids have rows in test/service/. The cases here need the whole action.
const HIDING: readonly Lie[] = [
  {
    name: 'an issue whose fields are in its prototype',
    edits: {
      'assets/issues': (json) =>
        JSON.stringify(json).replaceAll(
          '"severity":"CRITICAL"',
          '"__proto__":{"severity":"INFO","status":"DISMISSED"}',
        ),
    },
  },
  {
    name: 'an asset of the run before has disappeared',
    isLater: true,
    edits: { 'submissions/read': (json, nth) => (nth > 1 ? json : withoutIssues(json)) },
  },
];

/** This case also keeps the test process busy, so nothing else may run at the same time. */
const HUGE: Lie = {
  name: '10 MB of text in every field',
  edits: {
    'assets/issues': (json) => ({
      ...json,
      issues: issuesIn(json).map((issue) => ({
        ...issue,
        summary: TEN_MB,
        severityReasoning: TEN_MB,
        severityReasoningHeadline: TEN_MB,
        ruleCode: TEN_MB,
        precedents: Array.from({ length: 10_000 }, () => ({ url: 'x', title: 'y', decision: 'z', date: '-' })),
        unknown: TEN_MB,
      })),
    }),
  },
};

const UNJUDGED: readonly UnjudgedLie[] = [
  {
    name: 'two assets of one id',
    edits: {
      'submissions/read': (json) =>
        withAssets((asset) => ({ ...asset, assetId: assetsIn(json)[0]?.['assetId'] }))(json),
    },
    says: /no asset with the name of this file/,
  },
  {
    name: 'a path as the id of a new submission',
    edits: { 'submissions/create': (json) => ({ ...json, submissionId: '../uploads/url?x=' }) },
    says: /One submission exists and is billed/,
  },
];

const it = base.extend(
  'runAgainst',
  ({ emulator, makeFolder, end }) =>
    async ({ scenario = ONE_ISSUE, edits, isLater }: Lie, clockFactor = 40) => {
      const counts = new Map<Endpoint, number>();
      const fault = (line: string): FrontFault | undefined => {
        const endpoint = endpointOf(line);
        const edit = endpoint && edits[endpoint];
        if (!endpoint || !edit) return undefined;
        const nth = (counts.get(endpoint) ?? 0) + 1;
        counts.set(endpoint, nth);
        return (body) => {
          const edited = edit(JSON.parse(body), nth);
          return typeof edited === 'string' ? edited : JSON.stringify(edited);
        };
      };
      const front = await end(startFront(emulator.baseUrl, { fault }));
      const trial = {
        workspace: await makeFolder(images('one', 'two')),
        service: emulator.workspace({ scenario }),
        clockFactor,
        inputs: { 'wait-timeout-minutes': '2', 'state-file': path.join(await makeFolder(), 'state.json') },
      };
      if (isLater) await runWithSecrets({ ...trial, baseUrl: emulator.baseUrl });
      return await runWithSecrets({ ...trial, baseUrl: front.url });
    },
);

function expectFailing(run: ServiceRun, { isLater }: Lie, outputs: object): void {
  expect(run.outputs, run.text.slice(0, 10_000)).toMatchObject(outputs);
  expect(run.service.submissions.length).toBeLessThanOrEqual(isLater ? 2 : 1);
}

describe.concurrent('a service with wrong responses', () => {
  it.for(HIDING)('$name: the CRITICAL issue is found', async (lie, { runAgainst }) => {
    expectFailing(await runAgainst(lie), lie, FOUND);
  });

  it.for(UNJUDGED)('$name: the file is not judged', async (lie, { runAgainst }) => {
    const run = await runAgainst(lie);
    expectFailing(run, lie, { verdict: 'error', reason: 'results' });
    expect(run.log).toMatch(lie.says);
  });
});

it(`${HUGE.name}: the CRITICAL issue is found`, async ({ runAgainst }) => {
  expectFailing(await runAgainst(HUGE, 1), HUGE, FOUND);
});
