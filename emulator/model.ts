import type { Digest } from './http.ts';
import type { Failure, Issue } from './scenario.ts';

export interface StoredBlob extends Digest {
  /** Milliseconds since the epoch; of two blobs with one path, the later one is used. */
  readonly storedAt: number;
}

/** Uses a finer clock than `Date.now()`: two uploads may arrive within a millisecond. */
export function stored({ size, sha256, detected }: Digest): StoredBlob {
  return { size, sha256, detected, storedAt: performance.timeOrigin + performance.now() };
}

/** Where presigned uploads go: the emulator's own store, or a real object store. */
export interface BlobStorage {
  readonly url: string;
  /** A URL that accepts a PUT of this blob until it expires, on the host by which the client reaches the service. */
  signUploadUrl(blobPath: string, expiresAt: Date, hostname: string | undefined): string | Promise<string>;
  lookUp(blobPath: string): StoredBlob | undefined | Promise<StoredBlob | undefined>;
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

type EventType = 'asset.processing.completed' | 'asset.processing.failed';

export interface Subscriber {
  readonly url: string;
  /** Default: both. */
  readonly eventTypes?: readonly EventType[];
  readonly active?: boolean;
}

export interface WebhookEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
}
