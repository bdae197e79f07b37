import * as v from 'valibot';
import { type Issue, SEVERITIES } from '../service/issue.ts';

/**
 * What one run leaves for the next. Lists instead of objects with foreign keys, so that no path or hash can be a name
 * that means something to JavaScript.
 */

export const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
export const Time = v.pipe(v.string(), v.isoTimestamp());
const Category = v.picklist(['video', 'audio', 'image', 'document']);

const MAX_TEXT_LENGTH = 300;
export const Text = v.pipe(
  v.string(),
  v.transform((text) => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()),
);

/** What a later verdict or comparison needs of an issue. Other fields may be large or secret, and are dropped. */
export const IssueRecord = v.pipe(
  v.object({
    id: Text,
    severity: v.picklist(SEVERITIES),
    reportedSeverity: Text,
    status: Text,
    ruleCode: Text,
    summary: Text,
    headline: v.optional(Text),
    // JSON writes Infinity as null.
    referenceNumber: v.fallback(v.optional(v.number()), undefined),
    sidekickId: v.optional(Text),
  }),
  v.transform((issue): Issue => ({ ...issue, precedents: [] })),
);

/** The groups of its issues. */
export const KnownTopics = v.array(v.object({ title: Text, issueIds: v.array(Text) }));

/** A content that was sent to the service, in one submission. */
const SENT = {
  /** When it was sent if it is still open, otherwise when a run saw its analysis or its failure for the first time. */
  at: Time,
  sha256: Sha256,
  /** The file name that was sent to the service. */
  name: v.string(),
  /** As what the bytes are analysed. */
  category: Category,
  submissionId: v.string(),
  /** A hash of the sidekicks that analyse it. */
  sidekicks: v.string(),
};

/** What became of a content in a submission, as far as the runs know. */
const ContentRecord = v.variant('kind', [
  v.object({ kind: v.literal('open'), ...SENT }),
  v.object({
    kind: v.literal('analysed'),
    ...SENT,
    assetId: v.string(),
    versionGroupId: v.optional(v.string()),
    versionNumber: v.optional(v.number()),
    issues: v.array(IssueRecord),
    /** Kept, so that the topics of a reused file cost no request. */
    topics: v.optional(KnownTopics),
  }),
  /** The service could not analyse it, and no retry can change that. `message`: why, in the words of the service. */
  v.object({ kind: v.literal('failed'), ...SENT, message: Text }),
]);
export type ContentRecord = v.InferOutput<typeof ContentRecord>;
export type OpenRecord = Extract<ContentRecord, { kind: 'open' }>;
export type AnalysedRecord = Extract<ContentRecord, { kind: 'analysed' }>;
export type FailedRecord = Extract<ContentRecord, { kind: 'failed' }>;

export function isAnalysed(record: ContentRecord): record is AnalysedRecord {
  return record.kind === 'analysed';
}

/** What a path last held. */
const PathRecord = v.object({
  path: v.string(),
  sha256: Sha256,
  submissionId: v.string(),
  seenAt: Time,
  /** Whether the run that saved this found the path with these bytes and judged them. Only then it can be in a baseline. */
  isPresent: v.boolean(),
});
export type PathRecord = v.InferOutput<typeof PathRecord>;

export const StateDocument = v.object({ contents: v.array(ContentRecord), paths: v.array(PathRecord) });
export type StateDocument = v.InferOutput<typeof StateDocument>;

/** A deleted path may come back with a revert, and a content with its path. A state is kept at least as long. */
export const KEEP_DAYS = 90;
/** An analysis that has not ended by then is sent again. */
export const KEEP_OPEN_DAYS = 7;

const DAY_MS = 86_400_000;

/** Never with 0 days: a machine whose clock is ahead may have written a time to come. @param time ISO 8601 */
export function isYounger(time: string, days: number, now: Date): boolean {
  return days > 0 && now.getTime() - Date.parse(time) < days * DAY_MS;
}
