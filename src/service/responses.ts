import * as v from 'valibot';

/**
 * The schemas of the service's responses, checked where they enter. Only what we need is required: an unknown field, state
 * or event must not break a gate.
 */

/** It becomes a part of addresses and an output, which a workflow may put into a script. */
export const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const count = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));
/** Only shown to readers, so a wrong value is dropped. */
const shownText = v.fallback(v.nullish(v.string()), null);
const shownCount = v.fallback(count, null);

/** More than any submission of ours can hold: `max-files` ends at this number. */
const MAX_ASSETS = 100_000;

export const UploadUrlResponse = v.object({
  uploadUrl: v.pipe(v.string(), v.url()),
  blobPath: v.pipe(v.string(), v.minLength(1)),
  /** Only tells an expired address from a refused one. */
  expiresAt: shownText,
});
export type UploadUrlResponse = v.InferOutput<typeof UploadUrlResponse>;

export const DirectUploadResponse = v.object({ blobPath: v.pipe(v.string(), v.minLength(1)), sizeBytes: v.number() });
export type DirectUploadResponse = v.InferOutput<typeof DirectUploadResponse>;

/** The rest of this response can be read again. */
export const CreationResponse = v.object({
  submissionId: Id,
  workflowId: shownText,
  assets: v.fallback(v.array(v.object({ assetId: Id })), []),
});
export type CreationResponse = v.InferOutput<typeof CreationResponse>;

/** An asset in its submission's list. Only its own response says which file it is and what became of it. */
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

/** An asset that no list has shown yet. */
export function unlistedAsset(assetId: string): ListedAsset {
  return v.parse(ListedAsset, { assetId });
}

/** The service's own text about a failed asset; empty if there is none. */
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

/** Of a submission or an asset. */
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

/** For responses whose shape the contract does not show: they are read item by item. */
export const AnyResponse = v.unknown();
