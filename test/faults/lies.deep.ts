import path from 'node:path';
import { expect } from 'vitest';
import type { Endpoint } from '../../emulator/http.ts';
import { it } from '../harness/fixtures.ts';
import { endpointOf, type FrontFault, startFront } from '../harness/front.ts';
import { images } from '../harness/media.ts';
import { runWithSecrets } from '../harness/run-action.ts';

type Json = Readonly<Record<string, unknown>>;

/** A service with wrong responses to a run of `one.png` and `two.png`, which has a CRITICAL issue. */
interface Lie {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Changes a response of the endpoint, to a value or to raw text. `nth` counts from 1. */
  readonly edit: (json: Json, nth: number) => unknown;
  /** An earlier run got right responses and saved a state. */
  readonly isLater?: true;
  readonly clockFactor?: number;
  /** The message about a file that is not judged. Default: the CRITICAL issue is found. */
  readonly says?: RegExp;
}

const TEN_MB = 'Because of this. '.repeat(625_000);
const LONG = { summary: TEN_MB, severityReasoning: TEN_MB, severityReasoningHeadline: TEN_MB, ruleCode: TEN_MB };

function listIn(json: Json, name: 'assets' | 'issues'): readonly Json[] {
  const { [name]: list } = json;
  return Array.isArray(list) ? list : [];
}

// Wrong single fields, counts and ids have rows in test/service/. The cases here need the whole action.
const LIES: readonly Lie[] = [
  {
    name: 'an issue whose fields are in its prototype',
    endpoint: 'assets/issues',
    edit: (json) =>
      JSON.stringify(json).replaceAll('"severity":"CRITICAL"', '"__proto__":{"severity":"INFO","status":"DISMISSED"}'),
  },
  {
    name: 'an asset of the run before has disappeared',
    isLater: true,
    endpoint: 'submissions/read',
    edit: (json, nth) =>
      nth > 1 ? json : { ...json, assets: listIn(json, 'assets').filter(({ issueCount }) => issueCount === 0) },
  },
  {
    name: 'two assets of one id',
    endpoint: 'submissions/read',
    edit: (json) => {
      const [first, ...others] = listIn(json, 'assets');
      return { ...json, assets: [first, ...others.map((asset) => ({ ...asset, assetId: first?.['assetId'] }))] };
    },
    says: /no asset with the name of this file/,
  },
  {
    name: 'a path as the id of a new submission',
    endpoint: 'submissions/create',
    edit: (json) => ({ ...json, submissionId: '../uploads/url?x=' }),
    says: /One submission exists and is billed/,
  },
  {
    name: '10 MB of text in every field, and 10,000 precedents',
    endpoint: 'assets/issues',
    edit: (json) => {
      const precedents = Array.from({ length: 10_000 }, () => ({ url: 'x', title: 'y', decision: 'z', date: '-' }));
      return { ...json, issues: listIn(json, 'issues').map((issue) => ({ ...issue, ...LONG, precedents })) };
    },
    // The service needs seconds for such a response.
    clockFactor: 1,
  },
];

it.for(LIES)('a service with wrong responses: $name', async (lie, { emulator, makeFolder, end }) => {
  const { endpoint, edit, isLater, clockFactor = 40, says } = lie;
  let count = 0;
  const fault = (line: string): FrontFault | undefined => {
    if (endpointOf(line) !== endpoint) return undefined;
    count += 1;
    const nth = count;
    return (body) => {
      const edited = edit(JSON.parse(body), nth);
      return typeof edited === 'string' ? edited : JSON.stringify(edited);
    };
  };
  const front = await end(startFront(emulator.baseUrl, { fault }));
  const scenario = { files: [{ match: 'two-', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
  const trial = {
    workspace: await makeFolder(images('one', 'two')),
    service: emulator.workspace({ scenario }),
    clockFactor,
    inputs: { 'wait-timeout-minutes': '2', 'state-file': path.join(await makeFolder(), 'state.json') },
  };
  if (isLater) await runWithSecrets({ ...trial, baseUrl: emulator.baseUrl });
  const run = await runWithSecrets({ ...trial, baseUrl: front.url });
  const found = { verdict: 'fail', reason: 'issues', 'critical-count': '1' };
  const expected = says ? { verdict: 'error', reason: 'results' } : found;
  expect(run.outputs, run.text.slice(0, 10_000)).toMatchObject(expected);
  expect(run.log).toMatch(says ?? /./);
  expect(run.service.submissions.length).toBeLessThanOrEqual(isLater ? 2 : 1);
});
