import type { Cause } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import type { Issue, Topic } from './issue.ts';

/** What the service says about one content, or why we do not know. */
export interface ContentResult {
  readonly content: Content;
  readonly outcome: 'judged' | 'failed' | 'unjudged';
  /** All that could be read, also where something is missing. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId: string | undefined;
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  readonly versionCount: number | undefined;
  readonly retries: number;
  /** Why it is not judged; empty where it is, or where the reason was told for all of them at once. */
  readonly causes: readonly Cause[];
}
