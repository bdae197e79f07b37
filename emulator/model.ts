import type { Digest } from './blob.ts';

export type Status = 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';

interface Precedent {
  readonly url: string;
  readonly title: string;
  readonly decision: string;
  readonly date: string;
}

export interface Issue {
  readonly id: string;
  readonly summary: string;
  readonly severity: string;
  status: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly referenceNumber: number;
  readonly ruleCode: string;
  readonly sidekickId: string;
  readonly severityReasoning: string;
  readonly severityReasoningHeadline: string;
  readonly precedents: readonly Precedent[];
}

/** Why an asset failed, in the flat fields of an asset status. */
interface Failure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly isRetryable: boolean;
}

export interface Asset {
  readonly assetId: string;
  readonly versionGroupId: string;
  readonly versionNumber: number;
  readonly blobPath: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly blob: Digest;
  status: Status;
  completedAt: string | null;
  issues: readonly Issue[];
  /** Null until results exist; always null in the sandbox. */
  issueCount: number | null;
  failure: Failure | undefined;
  /** An error from before the last retry that the list still shows. */
  errorBeforeRetry: Omit<Failure, 'isRetryable'> | undefined;
  retryCount: number;
  /** How often it has failed so far. */
  failures: number;
  /** What still has to happen before its analysis ends. */
  pending: { due: boolean; readsLeft: number } | undefined;
  /** Reads of the submission since the asset was complete. */
  readsSinceComplete: number;
  /** A status from before the last retry that reads still see. */
  stale: { readonly status: AssetStatus; readsLeft: number } | undefined;
}

export interface Submission {
  readonly submissionId: string;
  readonly workflowId: string;
  readonly createdAt: string;
  /** As sent; `undefined` if the field was left out. */
  readonly sidekickIds: readonly string[] | undefined;
  readonly metadata: unknown;
  readonly assets: readonly Asset[];
  /** One per asset analysed, none in the sandbox. */
  readonly creditsSpent: number;
  /** How often it was read. */
  reads: number;
}

/** What a read of the submission reports about one asset. */
export interface AssetStatus {
  readonly assetId: string;
  readonly versionGroupId: string;
  readonly versionNumber: number;
  readonly issueCount: number | null;
  readonly errorMessage: string | null;
  readonly errorType: string | null;
  readonly isRetryable: boolean;
  readonly retryCount: number;
}
