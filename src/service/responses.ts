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
  return isUuid(id) ? id.toLowerCase() : id;
}

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

interface Phase {
  /** The statuses of the contract that mean this. */
  readonly words: readonly string[];
  /** Whether the service has ended its work, so that polling ends, and whether issues can then be counted and read. */
  readonly ended: false | 'with results' | 'without results';
  /** Why no file passes under it. Completes "The service reports the status …, ". Empty if files may pass. */
  readonly objection: string;
}

/** What a status means, for submissions and assets. Everything that the gate does about a status follows from its row. */
// biome-ignore format: a table
const PHASES: readonly Phase[] = [
  { words: ['uploading', 'submitted', 'processing'], ended: false,             objection: '' },
  { words: ['complete'],                             ended: 'with results',    objection: '' },
  { words: ['failed'],                               ended: 'without results', objection: '' },
];
const UNDOCUMENTED: Phase = { words: [], ended: false, objection: 'which is none of its documented statuses' };

export interface Status extends Omit<Phase, 'words'> {
  /** The service's own word, for messages. */
  readonly word: string;
  readonly isDocumented: boolean;
  /** Whether files may pass under it, as complete ones of a failed submission do. */
  readonly mayPass: boolean;
  /** Whether there will be no result, so that nothing is retried or waited for. */
  readonly isFinal: boolean;
  /** Whether a file that has no result after seven days is sent again. Otherwise it has failed for good then. */
  readonly isGivenUpByAge: boolean;
}

/** Only a documented failure, and work that the service may have forgotten, are given up by age. */
export function statusOf(word: string, phases = PHASES): Status {
  const { words, ...phase } = phases.find((each) => each.words.includes(word)) ?? UNDOCUMENTED;
  const { ended, objection } = phase;
  const mayPass = objection === '';
  const isGivenUpByAge = mayPass && ended !== 'with results';
  return {
    ...phase,
    word,
    isDocumented: words.length > 0,
    mayPass,
    isFinal: ended !== false && !mayPass,
    isGivenUpByAge,
  };
}

const StatusWord = v.pipe(v.string(), v.transform(statusOf));

const blobPath = v.pipe(v.string(), v.minLength(1));
export const UploadUrlResponse = v.object({ uploadUrl: v.pipe(v.string(), v.url()), blobPath, expiresAt: shownText });

export const DirectUploadResponse = v.object({ blobPath, sizeBytes: v.number() });

/** Only the id is required: the submission can be read later for everything else. */
export const CreationResponse = v.object({
  submissionId: Id,
  workflowId: shownText,
  assets: v.fallback(v.array(v.object({ assetId: Id })), []),
});

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

/** An asset that is listed twice is one asset. The worse of two values counts: the gate fails closed. */
function withoutRepeats(assets: ListedAsset[]): ListedAsset[] {
  const groups = Map.groupBy(assets, ({ assetId }) => idKey(assetId));
  return [...groups.values()].map((entries) => entries.reduce(joinEntries));
}

function joinEntries(one: ListedAsset, other: ListedAsset): ListedAsset {
  const counts = [one.issueCount, other.issueCount].filter((each) => typeof each === 'number');
  return {
    ...one,
    issueCount: counts.length === 0 ? null : Math.max(...counts),
    errorMessage: one.errorMessage ?? other.errorMessage,
    errorType: one.errorType ?? other.errorType,
    isRetryable: one.isRetryable && other.isRetryable,
    retryCount: Math.max(one.retryCount, other.retryCount),
  };
}

export const SubmissionResponse = v.object({
  submissionId: v.string(),
  status: StatusWord,
  workflowId: shownText,
  progressPercent: v.fallback(v.nullish(v.number()), null),
  errorMessage: shownText,
  /** Null if the service has no list yet, which is not the same as an empty list. */
  assets: v.nullish(v.pipe(v.array(ListedAsset), v.transform(withoutRepeats)), null),
});
export type SubmissionResponse = v.InferOutput<typeof SubmissionResponse>;

export const AssetResponse = v.object({
  assetId: v.string(),
  submissionId: v.nullish(v.string()),
  filename: v.string(),
  status: StatusWord,
  issueCount: count,
  versionGroupId: shownText,
  versionNumber: shownCount,
  issues: v.optional(v.unknown()),
});
export type AssetResponse = v.InferOutput<typeof AssetResponse>;
