import * as v from 'valibot';

/**
 * What the service's answers must hold, checked where they enter. Only what we need is required, and what is not shown
 * in the contract is never relied on: an unknown field, state or event must not break a gate.
 */

const text = v.nullish(v.string());
const count = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));

/** A failure in an unforeseen shape is still a failure. */
const failureText = v.pipe(
  v.unknown(),
  v.transform((told) => (typeof told === 'string' || told === null || told === undefined ? told : inJson(told))),
);

function inJson(told: unknown): string {
  try {
    return JSON.stringify(told);
  } catch {
    // Nested deeper than it can be written.
    return 'an error in an unreadable form';
  }
}

/** Only helps a reader. */
const versionFields = { versionGroupId: v.fallback(text, null), versionNumber: v.fallback(count, null) };

export const UploadUrlAnswer = v.object({
  uploadUrl: v.pipe(v.string(), v.url()),
  blobPath: v.pipe(v.string(), v.minLength(1)),
});
export type UploadUrlAnswer = v.InferOutput<typeof UploadUrlAnswer>;

export const DirectUploadAnswer = v.object({ blobPath: v.pipe(v.string(), v.minLength(1)), sizeBytes: v.number() });
export type DirectUploadAnswer = v.InferOutput<typeof DirectUploadAnswer>;

/** The rest of this answer can be read again. */
export const CreationAnswer = v.object({
  submissionId: v.pipe(v.string(), v.minLength(1)),
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

/** There is no status in it: whatever it says about an error is one. */
export function hasFailed({ errorType, errorMessage }: AssetStatus): boolean {
  return Boolean(errorType) || Boolean(errorMessage);
}

export const SubmissionAnswer = v.object({
  submissionId: v.string(),
  status: v.string(),
  progressPercent: v.fallback(v.nullish(v.number()), null),
  assets: v.array(AssetStatus),
});
export type SubmissionAnswer = v.InferOutput<typeof SubmissionAnswer>;

/** Nothing more comes of it, it says: its assets may say otherwise. */
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

/** For answers whose shape is not shown: they are taken apart item by item. */
export const AnyAnswer = v.unknown();
