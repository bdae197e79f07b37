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
const Text = v.pipe(
  v.string(),
  v.transform((text) => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()),
);

/** What a later verdict or comparison needs of an issue. Other fields may be large or secret, and are dropped. */
export const KnownIssue = v.pipe(
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

/** A content in a submission. Without issues it was not judged as far as we know: it is open. */
const SentContent = v.object({
  sha256: Sha256,
  /** The file name that was sent to the service. */
  name: v.string(),
  /** As what the bytes are analysed. */
  category: Category,
  submissionId: v.string(),
  /** A hash of the sidekicks that analyse it. */
  sidekicks: v.string(),
  /** While it is open: when it was sent. */
  analysedAt: Time,
  assetId: v.optional(v.string()),
  versionGroupId: v.optional(v.string()),
  versionNumber: v.optional(v.number()),
  issues: v.optional(v.array(KnownIssue)),
});
export type SentContent = v.InferOutput<typeof SentContent>;
export type AnalysedContent = SentContent & { readonly assetId: string; readonly issues: readonly Issue[] };

export function isAnalysed(sent: SentContent): sent is AnalysedContent {
  return sent.assetId !== undefined && sent.issues !== undefined;
}

/** What a path last held. */
const KnownPath = v.object({
  path: v.string(),
  sha256: Sha256,
  submissionId: v.string(),
  seenAt: Time,
  /** Whether the run that saved this found the path with these bytes and judged them. Only then it can be in a baseline. */
  isPresent: v.boolean(),
});
export type KnownPath = v.InferOutput<typeof KnownPath>;

export const StateDocument = v.object({ contents: v.array(SentContent), paths: v.array(KnownPath) });
export type StateDocument = v.InferOutput<typeof StateDocument>;

/** A path that is gone may come back with a revert, and a content with its path. A state is kept at least as long. */
export const KEEP_DAYS = 90;
/** An analysis that has not ended by then is sent again. */
export const KEEP_OPEN_DAYS = 7;

const DAY_MS = 86_400_000;

/** Never with 0 days: a machine whose clock is ahead may have written a time to come. @param time ISO 8601 */
export function isYounger(time: string, days: number, now: Date): boolean {
  return days > 0 && now.getTime() - Date.parse(time) < days * DAY_MS;
}
