import type { Cause } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import type { Issue, Topic } from './issue.ts';

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
