import type { Digest } from './http.ts';
import type { Failure, Issue } from './scenario.ts';

/** Where presigned uploads go. */
export interface BlobStorage {
  readonly url: string;
  /** A URL that accepts a PUT of this blob until it expires, on the host by which the client reaches the service. */
  signUploadUrl(blobPath: string, expiresAt: Date, hostname: string | undefined): string;
  lookUp(blobPath: string): Digest | undefined;
  close(): Promise<void>;
}

export type Status = 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';

export interface Asset {
  readonly assetId: string;
  readonly versionGroupId: string;
  readonly versionNumber: number;
  readonly blobPath: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly blob: Pick<Digest, 'size' | 'sha256'>;
  status: Status;
  completedAt: string | null;
  issues: readonly Issue[];
  /** Null until results exist; always null in the sandbox. */
  issueCount: number | null;
  failure: Failure | undefined;
  retryCount: number;
  failures: number;
  /** What still has to happen before its analysis ends. */
  pending: { due: boolean; readsLeft: number } | undefined;
}

export interface Submission {
  readonly submissionId: string;
  readonly workflowId: string;
  readonly createdAt: string;
  /** As sent; `undefined` if the field was left out. */
  readonly sidekickIds: readonly string[] | undefined;
  readonly metadata: unknown;
  assets: readonly Asset[];
  /** One per asset analysed, none in the sandbox. */
  readonly creditsSpent: number;
  reads: number;
}
