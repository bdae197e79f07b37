import type { Cause } from '../lib/cause.ts';
import { count, plural } from '../lib/format.ts';
import type { Result } from '../lib/result.ts';
import type { Content } from '../media/content.ts';
import { explain } from './advice.ts';
import type { Mode } from './endpoints.ts';
import { type Issue, joinById, MAX_LIST_ITEMS, type ReadList, readIssues, type Topic } from './issue.ts';
import type { AssetAnswer } from './responses.ts';
import type { ServiceError } from './service-error.ts';

/**
 * The rule for new, awaited and reused assets: an asset is judged if the service names it, calls it complete and gives a
 * count that its list of issues matches. Any other asset is unjudged, and the cause says which of these was missing.
 *
 * Two exceptions: if the service does not answer, a reused file keeps its last known result (plan/confirm.ts); and a file
 * is unjudged, whatever its asset says, if its submission contradicts itself or has assets that cannot be matched to the files
 * (collect.ts).
 */

/** What the service has said about one asset so far. */
export interface AssetFacts {
  /** Whether its `filename` proves which file it is. */
  readonly isNamed: boolean;
  /** What its analysis is called; undefined if the service did not say. */
  readonly status: string | undefined;
  /** Every issue count that an answer gave. */
  readonly counts: readonly (number | null | undefined)[];
  /** Every list of its issues that was read. */
  readonly lists: readonly ReadList<Issue>[];
  /** Why one of these is missing. */
  readonly error: ServiceError | undefined;
}

export interface AssetOutcome {
  readonly outcome: 'judged' | 'unjudged';
  /** All that could be read, even if others may be missing. */
  readonly issues: readonly Issue[];
  /** Which of the facts was missing; undefined if the asset is judged. */
  readonly cause: Cause | undefined;
}

/** What the list of its submission says. A sandbox analyses nothing: there, no count means no issues. */
export function listedFacts(issueCount: number | null | undefined, mode: Mode): AssetFacts {
  const counts = mode === 'sandbox' ? [0, issueCount] : [issueCount];
  return { isNamed: false, status: undefined, counts, lists: [], error: undefined };
}

/** Adds the asset's own answer, or why there is none. */
export function withAnswer(facts: AssetFacts, answer: Result<AssetAnswer, ServiceError>): AssetFacts {
  if (!answer.ok) return { ...facts, error: answer.error };
  const { status, issueCount, issues } = answer.value;
  return {
    ...facts,
    isNamed: true,
    status,
    counts: [...facts.counts, issueCount],
    lists: [...facts.lists, readIssues(issues)],
  };
}

export function outcomeOf(facts: AssetFacts): AssetOutcome {
  const { status, lists, error } = facts;
  const issues = lists.map(({ items }) => items).reduce(joinById, []);
  const message = describeMissing(facts, issues.length);
  if (message === undefined) return { outcome: 'judged', issues, cause: undefined };
  // An asset that says that it is not complete has no list yet, so a failed read of it explains nothing.
  const isExplained = status === undefined || status === 'complete';
  const cause: Cause = error && isExplained ? explain(error) : { reason: 'results', message, fix: RESULTS_INCOMPLETE };
  return { outcome: 'unjudged', issues, cause };
}

const RESULTS_INCOMPLETE =
  "An issue may be missing, so the file does not pass. Re-run the job. If it happens again, contact the service's support.";

function describeMissing({ isNamed, status, counts, lists, error }: AssetFacts, got: number): string | undefined {
  if (!isNamed) return 'The service does not say which file the asset is.';
  if (status !== 'complete')
    return `The service reports the status ${JSON.stringify(status)} for this file, not complete.`;
  const expected = highestCount(counts);
  if (expected === undefined) {
    return 'The service says that the analysis is complete, but not how many issues it found.';
  }
  const sizes = lists.map(({ size }) => size).filter((size) => size !== undefined);
  const listed = Math.max(0, ...sizes);
  if (listed > MAX_LIST_ITEMS) {
    return `The service lists ${plural(listed, 'issue')}, and only the first ${count(MAX_LIST_ITEMS)} are read.`;
  }
  if (expected > got) return `The service counts ${plural(expected, 'issue')}, but only ${got} could be read.`;
  if (listed > got) return 'The service has a list of issues that could not be read, or not all of it.';
  // Without a list, not even a count of 0 is proven if reading one was tried.
  return sizes.length === 0 && error ? 'The list of issues could not be read.' : undefined;
}

/** The highest count that any answer gave; undefined if none did. */
export function highestCount(counts: AssetFacts['counts']): number | undefined {
  const numbers = counts.filter((each) => typeof each === 'number');
  return numbers.length > 0 ? Math.max(...numbers) : undefined;
}

/** The service's result for one content, or the reason why there is none. */
export interface ContentResult {
  readonly content: Content;
  readonly outcome: 'judged' | 'failed' | 'unjudged';
  /** All issues that could be read, even if others may be missing. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId: string | undefined;
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  readonly versionCount: number | undefined;
  readonly retries: number;
  /** Why it is not judged. Empty if it is, or if one cause stands for several files. */
  readonly causes: readonly Cause[];
  /** Set if the issues were not read in this run: the ISO 8601 time of the analysis that they are known from. */
  readonly lastKnownAt?: string;
}

/** The fields of a result that nothing is known of. */
export const UNREAD = {
  outcome: 'unjudged',
  issues: [],
  topics: [],
  assetId: undefined,
  versionNumber: undefined,
  versionGroupId: undefined,
  versionCount: undefined,
  retries: 0,
  causes: [],
} as const;
