import type { Cause } from '../causes/cause.ts';
import type { Content } from '../media/content.ts';
import type { Issue, Topic } from './issue.ts';

/**
 * What the service says about a file now:
 *
 * - `result`: its asset is complete, and every issue was read
 * - `last-known`: an outage or a deadline kept the issues of an earlier analysis from being read again, and nothing
 *   contradicts them
 * - `working`: the service is at work on it
 * - `unread`: an outage, a refusal, a rate limit or a deadline kept it from being read
 * - `unclear`: a fact is missing, or two contradict each other
 * - `retryable`, `failed`: it failed, and the list allows a retry, or does not
 * - `missing`: the service no longer has its submission
 */
export const OUTCOMES = [
  'result',
  'last-known',
  'working',
  'unread',
  'unclear',
  'retryable',
  'failed',
  'missing',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Whether a file is judged. */
export function isJudged({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === 'result' || outcome === 'last-known';
}

/** What this run has read about one content in one submission. */
export interface Analysis {
  readonly content: Content;
  readonly submissionId: string;
  readonly outcome: Outcome;
  /** The issues that could be read. The list is complete only if the outcome is `result`. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly assetId?: string | undefined;
  readonly versionNumber?: number | undefined;
  readonly versionGroupId?: string | undefined;
  readonly versionCount?: number | undefined;
  /** Why the outcome is no `result`. */
  readonly cause?: Cause | undefined;
  /** Whether the service has reported something against the file, which no outage excuses. */
  readonly isSuspicious?: boolean;
}
