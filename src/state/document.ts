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

const KnownContent = v.object({
  sha256: Sha256,
  /** The file name that was sent to the service. */
  name: v.string(),
  /** As what the bytes were analysed. */
  category: Category,
  submissionId: v.string(),
  assetId: v.string(),
  analysedAt: Time,
  /** A hash of the sidekicks that analysed it. */
  sidekicks: v.string(),
  versionGroupId: v.optional(v.string()),
  versionNumber: v.optional(v.number()),
  issues: v.array(KnownIssue),
});
export type KnownContent = v.InferOutput<typeof KnownContent>;

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

/** A submission that was created and, as far as we know, not finished. */
const OpenRecord = v.object({
  submissionId: v.string(),
  createdAt: Time,
  sidekicks: v.string(),
  /** As far as they are known. They are read even if the submission itself cannot be. */
  assetIds: v.array(v.string()),
  contents: v.array(v.object({ sha256: Sha256, name: v.string(), category: Category })),
});
export type OpenRecord = v.InferOutput<typeof OpenRecord>;

export const StateDocument = v.object({
  contents: v.array(KnownContent),
  paths: v.array(KnownPath),
  open: v.array(OpenRecord),
});
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
