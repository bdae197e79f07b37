import * as v from 'valibot';

/**
 * The schemas of the service's answers, checked where they enter. Only what we need is required: an unknown field, state or
 * event must not break a gate.
 */

const text = v.nullish(v.string());
const count = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));

/** A failure in an unforeseen shape is still a failure. */
const failureText = v.pipe(
  v.unknown(),
  v.transform((value) => (typeof value === 'string' || value === null || value === undefined ? value : asJson(value))),
);

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than it can be written.
    return 'an error in an unreadable form';
  }
}

/** More than any submission of ours can hold: `max-files` ends at this number. */
const MAX_ASSETS = 100_000;

/** Only shown to readers, so a wrong value is dropped. */
const versionFields = { versionGroupId: v.fallback(text, null), versionNumber: v.fallback(count, null) };

export const UploadUrlAnswer = v.object({
  uploadUrl: v.pipe(v.string(), v.url()),
  blobPath: v.pipe(v.string(), v.minLength(1)),
  /** Only tells an expired address from a refused one. */
  expiresAt: v.fallback(text, null),
});
export type UploadUrlAnswer = v.InferOutput<typeof UploadUrlAnswer>;

export const DirectUploadAnswer = v.object({ blobPath: v.pipe(v.string(), v.minLength(1)), sizeBytes: v.number() });
export type DirectUploadAnswer = v.InferOutput<typeof DirectUploadAnswer>;

/** The rest of this answer can be read again. */
export const CreationAnswer = v.object({
  submissionId: v.pipe(v.string(), v.minLength(1)),
  workflowId: v.fallback(text, null),
  assets: v.fallback(v.array(v.object({ assetId: v.string() })), []),
});
export type CreationAnswer = v.InferOutput<typeof CreationAnswer>;

const AssetStatus = v.object({
  assetId: v.string(),
  ...versionFields,
  issueCount: count,
  errorMessage: v.optional(failureText),
  errorType: v.optional(failureText),
  isRetryable: v.fallback(v.boolean(), false),
  retryCount: v.fallback(v.pipe(v.number(), v.integer()), 0),
});
export type AssetStatus = v.InferOutput<typeof AssetStatus>;

/** An asset that no list has shown yet. */
export function unlisted(assetId: string): AssetStatus {
  return { assetId, versionGroupId: null, versionNumber: null, issueCount: null, isRetryable: false, retryCount: 0 };
}

/** An asset in a submission's list has no status: a text in either error field means that it failed. */
export function hasFailed({ errorType, errorMessage }: AssetStatus): boolean {
  return Boolean(errorType) || Boolean(errorMessage);
}

/** The service's own text about a failed asset. */
export function describeAssetError({ errorType, errorMessage }: AssetStatus): string {
  return [errorType, errorMessage].filter(Boolean).join(': ').replace(/\.$/, '') || 'it gave no reason';
}

export const SubmissionAnswer = v.object({
  submissionId: v.string(),
  status: v.string(),
  workflowId: v.fallback(text, null),
  progressPercent: v.fallback(v.nullish(v.number()), null),
  errorMessage: v.optional(failureText),
  assets: v.pipe(v.array(v.unknown()), v.maxLength(MAX_ASSETS), v.array(AssetStatus)),
});
export type SubmissionAnswer = v.InferOutput<typeof SubmissionAnswer>;

/** Whether the service calls the submission finished. Its assets may still say otherwise. */
export function isTerminal({ status }: SubmissionAnswer): boolean {
  return status === 'complete' || status === 'failed';
}

export const AssetAnswer = v.object({
  assetId: v.string(),
  submissionId: text,
  filename: v.string(),
  status: v.string(),
  issueCount: count,
  ...versionFields,
  issues: v.optional(v.unknown()),
});
export type AssetAnswer = v.InferOutput<typeof AssetAnswer>;

export const FireAnswer = v.object({ dispatched: v.number() });

/** For answers whose shape the contract does not show: they are read item by item. */
export const AnyAnswer = v.unknown();
