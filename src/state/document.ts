import * as v from 'valibot';
import { type Issue, SEVERITIES } from '../service/issue.ts';

/**
 * What one run leaves for the next. Lists instead of objects with outside keys, so that no path or hash can be a name
 * that means something to JavaScript.
 */

const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const Time = v.pipe(v.string(), v.isoTimestamp());
const Count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));

/** As much of an issue as a later verdict or comparison needs; what only people read is not kept. */
const RememberedIssue = v.pipe(
  v.object({
    id: v.string(),
    severity: v.picklist(SEVERITIES),
    reportedSeverity: v.string(),
    status: v.string(),
    ruleCode: v.string(),
    summary: v.string(),
    headline: v.optional(v.string()),
    // JSON has no infinity.
    referenceNumber: v.nullish(v.number()),
    sidekickId: v.optional(v.string()),
  }),
  v.transform(
    ({ headline, referenceNumber, sidekickId, ...rest }): Issue => ({
      ...rest,
      headline,
      referenceNumber: referenceNumber ?? undefined,
      sidekickId,
      reasoning: undefined,
      precedents: [],
      createdAt: undefined,
      updatedAt: undefined,
    }),
  ),
);

/** A content that was analysed. */
const KnownContent = v.object({
  sha256: Sha256,
  /** What the service was told as its file name. Its extension says what the bytes were looked at as. */
  name: v.string(),
  submissionId: v.string(),
  assetId: v.string(),
  analysedAt: Time,
  /** Which sidekicks looked at it. */
  settings: v.string(),
  versionGroupId: v.optional(v.string()),
  versionNumber: Count,
  issues: v.array(RememberedIssue),
});
export type KnownContent = v.InferOutput<typeof KnownContent>;

/** What a path last held. */
const KnownPath = v.object({
  path: v.string(),
  sha256: Sha256,
  submissionId: v.string(),
  seenAt: Time,
  /** Whether its branch has the path, with these bytes when it was last judged. Only then is it part of what that holds. */
  isPresent: v.boolean(),
});
export type KnownPath = v.InferOutput<typeof KnownPath>;

/** A submission that was created and, as far as we know, not finished. */
const OpenRecord = v.object({
  submissionId: v.string(),
  createdAt: Time,
  settings: v.string(),
  contents: v.array(v.object({ sha256: Sha256, name: v.string() })),
});
export type OpenRecord = v.InferOutput<typeof OpenRecord>;

export const StateDocument = v.object({
  contents: v.array(KnownContent),
  paths: v.array(KnownPath),
  open: v.array(OpenRecord),
});
export type StateDocument = v.InferOutput<typeof StateDocument>;
