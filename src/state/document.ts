import * as v from 'valibot';
import { type Issue, SEVERITIES } from '../service/issue.ts';
import { idKey } from '../service/responses.ts';

/** Records are kept in lists, not in objects with paths as keys: in JavaScript, `__proto__` is a special key. */

export const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
export const Time = v.pipe(v.string(), v.isoTimestamp());
const Category = v.picklist(['video', 'audio', 'image', 'document']);

const MAX_TEXT_LENGTH = 300;
const Text = v.pipe(
  v.string(),
  v.transform((text) => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()),
);

/** Only the fields of an issue that a later verdict or comparison needs: other fields may be large or secret. */
const IssueRecord = v.pipe(
  v.object({
    id: Text,
    severity: v.picklist(SEVERITIES),
    status: Text,
    ruleCode: Text,
    summary: Text,
    headline: v.optional(Text),
    // JSON writes Infinity as null, so null is read as undefined.
    referenceNumber: v.fallback(v.optional(v.number()), undefined),
    sidekickId: v.optional(Text),
  }),
  v.transform((issue): Issue => ({ ...issue, precedents: [] })),
);

/** The fields of every record: a content that was sent to the service, in one submission. */
const SENT = {
  /** When the content was sent. In states of earlier versions, an analysis has the time of its first read. */
  at: Time,
  /** The run that sent it. Earlier versions did not save it. */
  runId: v.optional(v.string()),
  sha256: Sha256,
  /** The file name that was sent to the service. */
  name: v.string(),
  category: Category,
  submissionId: v.string(),
  /** A hash of the ids of the sidekicks that analyse the content. */
  sidekicks: v.string(),
};

/** What is known of a content in one submission. No failure is saved: each run asks the service about open records. */
export const ContentRecord = v.variant('kind', [
  v.object({
    kind: v.literal('open'),
    ...SENT,
    /** Whether it was sent with another API key, and this one has read no result of it. */
    isOfOtherKey: v.optional(v.literal(true)),
  }),
  v.object({
    kind: v.literal('analysed'),
    ...SENT,
    assetId: v.string(),
    versionNumber: v.optional(v.number()),
    issues: v.array(IssueRecord),
    /** Stored so that the topics of a reused file need no request. */
    topics: v.optional(v.array(v.object({ title: Text, issueIds: v.array(Text) }))),
  }),
  /** Earlier versions saved failures. */
  v.pipe(
    v.object({ kind: v.literal('failed'), ...SENT }),
    v.transform((record) => ({ ...record, kind: 'open' as const, isOfOtherKey: undefined })),
  ),
]);
export type ContentRecord = v.InferOutput<typeof ContentRecord>;
export type OpenRecord = Extract<ContentRecord, { kind: 'open' }>;
export type AnalysedRecord = Extract<ContentRecord, { kind: 'analysed' }>;

/** Identifies one analysis: a submission has one asset for each content. */
export function analysisId({ sha256, submissionId }: Pick<ContentRecord, 'sha256' | 'submissionId'>): string {
  return `${sha256} ${idKey(submissionId)}`;
}

export function isAnalysed(record: ContentRecord): record is AnalysedRecord {
  return record.kind === 'analysed';
}

/** The content of a path that the run found, and the submission of the issues that counted last. */
const PathRecord = v.object({
  path: v.string(),
  sha256: Sha256,
  submissionId: v.string(),
  /** Whether these issues counted in the run that saved this state. */
  isPresent: v.boolean(),
});
export type PathRecord = v.InferOutput<typeof PathRecord>;

export const StateDocument = v.object({ contents: v.array(ContentRecord), paths: v.array(PathRecord) });
export type StateDocument = v.InferOutput<typeof StateDocument>;

/** How many days a record is kept at least: a revert may restore a file. */
export const KEEP_DAYS = 90;

const DAY_MS = 86_400_000;

/** Always false for 0 days, even if a machine whose clock is ahead wrote a future time. @param time ISO 8601 */
export function isYounger(time: string, days: number, now: Date): boolean {
  return days > 0 && now.getTime() - Date.parse(time) < days * DAY_MS;
}
