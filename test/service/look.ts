import { expect } from 'vitest';
import type { Mode } from '../../src/service/endpoints.ts';
import { createReader } from '../../src/service/reader.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import { issues } from '../builders/analyses.ts';
import { inFakeTime } from '../builders/fake-time.ts';
import { content } from '../builders/media.ts';
import { deadlineIn, type Said, serviceOf } from '../builders/service.ts';
import { analysed } from '../builders/states.ts';

/** What a reader finds of submissions about which the service says this or that over time. */

export const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };
export const FINAL = { ...FAILED, isRetryable: false };
export const SILENT = { issueCount: null };
export const ACCEPTED = { submissionId: 'S' };
export const ISSUES = ['x', 'y'].map((id) => ({ id, severity: 'MINOR' }));

/** The list of the assets of a and b, which have no issues. */
export function list(
  a: Partial<ListedAsset> = {},
  b: Partial<ListedAsset> = {},
): Readonly<Record<string, Partial<ListedAsset>>> {
  return { a: { issueCount: 0, ...a }, b: { issueCount: 0, versionGroupId: 'other', ...b } };
}

export interface Look {
  readonly minutes?: number;
  readonly mode?: Mode;
  /** Whether the submission is asked for once, as before the plan. Default: the run waits for it. */
  readonly isAsked?: boolean;
  /** The issues that an earlier run has read, by file: ids, or none. A file that is not named has no result yet. */
  readonly known?: Readonly<Record<string, readonly string[]>>;
}

/** Reads submissions with these files, or one with the files a and b. */
export async function look(
  service: ReturnType<typeof serviceOf>,
  { minutes = 30, isAsked = false, known = {} }: Look = {},
  files: Readonly<Record<string, readonly string[]>> = { S: ['a', 'b'] },
) {
  const { client, log, asked, lines } = service;
  const needed = Object.entries(files).map(([submissionId, names]) => ({
    submissionId,
    files: names.map((name) => {
      const ids = known[name];
      const earlier = ids && analysed(name, { assetId: `asset-${name}`, issues: [...issues(...ids)] });
      return { content: content(name), earlier };
    }),
    knownAssets: new Set(Object.keys(known).map((name) => `asset-${name}`)),
  }));
  const reader = createReader({ client, log, failOnSeverity: 'CRITICAL' });
  const { value: results, ms } = await inFakeTime(
    async () => await (isAsked ? reader.ask : reader.wait)(needed, deadlineIn(minutes)),
  );
  const analyses = results.flatMap((each) => each.analyses);
  const countOf = (ending: string): number => asked.filter(({ path }) => path.endsWith(ending)).length;
  return {
    /** The outcome of each file and its reason, for example "result, unclear results". */
    outcomes: analyses.map(({ outcome, cause }) => [outcome, ...(cause ? [cause.reason] : [])].join(' ')).join(', '),
    retries: countOf('/retry'),
    countOf,
    seconds: ms / 1000,
    /** When a path was requested, in seconds. */
    askedAt: (path: string): readonly number[] =>
      asked.filter((each) => each.path === path).map(({ seconds }) => seconds),
    asked: asked.map(({ path }) => path),
    analyses,
    results,
    lines,
  };
}

/** Reads a submission of a and b about which the service says this. */
export async function lookAt(said: Said, { mode, ...options }: Look = {}) {
  return await look(serviceOf({ S: { listed: list(), 'a/issues': ISSUES, ...said } }, { mode }), options);
}

/** `seconds` is how long it takes: exactly, or at least and at most. */
export type Row = readonly [
  title: string,
  said: Said,
  ending: string,
  seconds: number | readonly [number, number],
  Look?,
];

export async function checkRow([, said, ending, seconds, options]: Row): Promise<void> {
  const result = await lookAt(said, options);
  const retries = result.retries === 0 ? '' : `${result.retries === 1 ? '1 retry' : `${result.retries} retries`}: `;
  expect(retries + result.outcomes).toBe(ending);
  const [least, most] = typeof seconds === 'number' ? [seconds, seconds] : seconds;
  expect(result.seconds).toBeGreaterThanOrEqual(least);
  expect(result.seconds).toBeLessThanOrEqual(most);
}
