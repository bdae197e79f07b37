import type { Cause } from '../causes/cause.ts';
import type { Content } from '../media/content.ts';
import type { Issue, Topic } from './issue.ts';

/** What the service says about a file now. */
export const OUTCOMES = [
  // Its asset is complete, and every issue was read.
  'result',
  // An outage, a rate limit or a deadline kept the issues of an earlier analysis from being read again, and nothing that was
  // read contradicts them.
  'last-known',
  // The service is at work on it.
  'working',
  // An outage, a refusal, a rate limit or a deadline kept it from being read.
  'unread',
  // A fact is missing, or two contradict each other.
  'unclear',
  // It failed, and the list allows a retry.
  'retryable',
  // It failed for good.
  'failed',
  // The service no longer has its submission.
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
  readonly isSuspicious: boolean;
}
