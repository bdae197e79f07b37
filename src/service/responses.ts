import * as v from 'valibot';

/**
 * The schemas that every response of the service is checked against. Only the fields that the gate needs are required:
 * an unknown field, status or event must not fail the check.
 */

/** An id is used in URLs and in an output that a workflow may insert into a script, so only safe characters pass. */
export const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const count = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));
/** These values are only shown to readers, so a value of the wrong type is dropped. */
const shownText = v.fallback(v.nullish(v.string()), null);
const shownCount = v.fallback(count, null);

/** The maximum of `max-files`, so no submission of this gate has more assets. */
const MAX_ASSETS = 100_000;

export const UploadUrlResponse = v.object({
  uploadUrl: v.pipe(v.string(), v.url()),
  blobPath: v.pipe(v.string(), v.minLength(1)),
  /** Used only to distinguish an expired address from a refused one. */
  expiresAt: shownText,
});

export const DirectUploadResponse = v.object({ blobPath: v.pipe(v.string(), v.minLength(1)), sizeBytes: v.number() });

/** Only the id is required: the submission can be read later for everything else. */
export const CreationResponse = v.object({
  submissionId: Id,
  workflowId: shownText,
  assets: v.fallback(v.array(v.object({ assetId: Id })), []),
});
export type CreationResponse = v.InferOutput<typeof CreationResponse>;

/** An asset in its submission's list. Only the asset's own response has its file name and its status. */
const ListedAsset = v.object({
  assetId: Id,
  versionGroupId: shownText,
  versionNumber: shownCount,
  issueCount: count,
  errorMessage: shownText,
  errorType: shownText,
  isRetryable: v.fallback(v.boolean(), false),
  retryCount: v.fallback(v.pipe(v.number(), v.integer()), 0),
});
export type ListedAsset = v.InferOutput<typeof ListedAsset>;

/** A placeholder for an asset that the service has not listed yet: only its id is known. */
export function unlistedAsset(assetId: string): ListedAsset {
  return v.parse(ListedAsset, { assetId });
}

/** The service's text about a failed asset. Empty if the entry has no error text. */
export function failureText({ errorType, errorMessage }: ListedAsset): string {
  return [errorType, errorMessage].filter(Boolean).join(': ').replace(/\.$/, '');
}

export const SubmissionResponse = v.object({
  submissionId: v.string(),
  status: v.string(),
  workflowId: shownText,
  progressPercent: v.fallback(v.nullish(v.number()), null),
  errorMessage: shownText,
  assets: v.pipe(v.array(v.unknown()), v.maxLength(MAX_ASSETS), v.array(ListedAsset)),
});
export type SubmissionResponse = v.InferOutput<typeof SubmissionResponse>;

/** Whether the status of a submission or an asset is final. */
export function isTerminal({ status }: { readonly status: string }): boolean {
  return status === 'complete' || status === 'failed';
}

export const AssetResponse = v.object({
  assetId: v.string(),
  submissionId: v.nullish(v.string()),
  filename: v.string(),
  status: v.string(),
  issueCount: count,
  versionGroupId: shownText,
  versionNumber: shownCount,
  issues: v.optional(v.unknown()),
});
export type AssetResponse = v.InferOutput<typeof AssetResponse>;

export const FireResponse = v.object({ dispatched: v.number() });
