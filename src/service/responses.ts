import * as v from 'valibot';

// The schemas of all responses. They require only what the gate needs, and accept unknown fields and statuses. The client
// adds the ids that it has asked for.

/** An id is used in URLs and in an output that a workflow may insert into a script, so only safe characters pass. */
export const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const count = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));
/** A value of the wrong type is dropped, because the rest of the response is useful without it. */
const shownText = v.fallback(v.nullish(v.string()), null);
const shownCount = v.fallback(count, null);

/** What an id is compared by: upper and lower case make no difference in a UUID. */
export function idKey(id: string): string {
  return id.toLowerCase();
}

type Phase = 'running' | 'complete' | 'failed' | 'unknown';

/** What each status of the contract means, for submissions and assets. Any other is `unknown`: no file passes under it. */
const PHASES = new Map<string, Phase>([
  ['uploading', 'running'],
  ['submitted', 'running'],
  ['processing', 'running'],
  ['complete', 'complete'],
  ['failed', 'failed'],
]);

/** The service's own word, for messages, and what it means. */
export function statusOf(word: string): { readonly word: string; readonly phase: Phase } {
  return { word, phase: PHASES.get(word) ?? 'unknown' };
}

const StatusWord = v.pipe(v.string(), v.transform(statusOf));

const blobPath = v.pipe(v.string(), v.minLength(1));
export const UploadUrlResponse = v.object({ uploadUrl: v.pipe(v.string(), v.url()), blobPath });

export const DirectUploadResponse = v.object({ blobPath, sizeBytes: v.number() });

/** Only the id is required: the submission can be read later for everything else. */
export const CreationResponse = v.object({ submissionId: Id });

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

/** What the list says about the failure of an asset. Empty if it says nothing. */
export function failureText({ errorType, errorMessage }: ListedAsset): string {
  return (errorMessage || errorType || '').replace(/\.$/, '');
}

export const SubmissionResponse = v.object({
  status: StatusWord,
  progressPercent: shownCount,
  errorMessage: shownText,
  /** Null if the service has no list yet. An asset that is listed twice makes the response unreadable. */
  assets: v.nullish(
    v.pipe(
      v.array(ListedAsset),
      v.check((assets) => new Set(assets.map(({ assetId }) => idKey(assetId))).size === assets.length),
    ),
    null,
  ),
});
export type SubmissionResponse = v.InferOutput<typeof SubmissionResponse>;

export const AssetResponse = v.object({
  filename: v.string(),
  status: StatusWord,
  issueCount: count,
  issues: v.optional(v.unknown()),
});
export type AssetResponse = v.InferOutput<typeof AssetResponse>;
