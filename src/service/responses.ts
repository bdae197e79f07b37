import * as v from 'valibot';

// The schemas of all responses. They require only what the gate needs, and accept unknown fields and statuses.

/** An id is used in URLs and in an output that a workflow may insert into a script, so only safe characters pass. */
export const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const count = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));
/** A value of the wrong type is dropped, because the rest of the response is useful without it. */
const shownText = v.fallback(v.nullish(v.string()), null);
const shownCount = v.fallback(count, null);

/** Upper and lower case make no difference in a UUID. Any other id is compared as it is. */
export function idKey(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}

/** The schema of an id in a response about a resource with this id. */
export function sameId(id: string) {
  return v.pipe(
    v.string(),
    v.check((received) => idKey(received) === idKey(id), `It is about another resource than ${id}.`),
  );
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The words of the contract for a status, and what they mean for a submission. `isTerminal`: polling ends.
 * `isDoubtful`: some files may never get a result, so a later run reads them before it waits for them.
 */
const PHASES = [
  { phase: 'open', words: ['uploading', 'submitted', 'processing'], isTerminal: false, isDoubtful: false },
  { phase: 'complete', words: ['complete'], isTerminal: true, isDoubtful: false },
  { phase: 'failed', words: ['failed'], isTerminal: true, isDoubtful: true },
] as const;

/** What a status means for the gate. `unknown` is a word that the contract does not name. */
export type Phase = (typeof PHASES)[number]['phase'] | 'unknown';

/** A status of a submission or an asset, with the service's own word for messages. */
export interface Status {
  readonly phase: Phase;
  readonly word: string;
}

const Status = v.pipe(
  v.string(),
  v.transform((word): Status => {
    const named = PHASES.find(({ words }) => words.some((each) => each === word));
    return { phase: named?.phase ?? 'unknown', word };
  }),
);

export function isTerminal(response: { readonly status: Status } | undefined): boolean {
  return PHASES.some(({ phase, isTerminal: ends }) => ends && phase === response?.status.phase);
}

export function isDoubtful({ status }: { readonly status: Status }): boolean {
  return PHASES.some(({ phase, isDoubtful: mayFail }) => mayFail && phase === status.phase);
}

const blobPath = v.pipe(v.string(), v.minLength(1));
export const UploadUrlResponse = v.object({ uploadUrl: v.pipe(v.string(), v.url()), blobPath, expiresAt: shownText });
export type UploadUrlResponse = v.InferOutput<typeof UploadUrlResponse>;

export const DirectUploadResponse = v.object({ blobPath, sizeBytes: v.number() });
export type DirectUploadResponse = v.InferOutput<typeof DirectUploadResponse>;

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

/** A placeholder for an asset that this run has found in no list: only its id is known. */
export function unlistedAsset(assetId: string): ListedAsset {
  return v.parse(ListedAsset, { assetId });
}

/** The error of an asset in its submission's list. Empty if the list gives none. */
export function failureText({ errorType, errorMessage }: ListedAsset): string {
  return [errorType, errorMessage].filter(Boolean).join(': ').replace(/\.$/, '');
}

export const SubmissionResponse = v.object({
  submissionId: v.string(),
  status: Status,
  workflowId: shownText,
  progressPercent: v.fallback(v.nullish(v.number()), null),
  errorMessage: shownText,
  /** Null if the service has no list yet, which is not the same as an empty list. */
  assets: v.nullish(v.array(ListedAsset), null),
});
export type SubmissionResponse = v.InferOutput<typeof SubmissionResponse>;

export const AssetResponse = v.object({
  assetId: v.string(),
  submissionId: v.nullish(v.string()),
  filename: v.string(),
  status: Status,
  issueCount: count,
  versionGroupId: shownText,
  versionNumber: shownCount,
  issues: v.optional(v.unknown()),
});
export type AssetResponse = v.InferOutput<typeof AssetResponse>;

export const FireResponse = v.object({ dispatched: v.number() });
