import * as v from 'valibot';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  isYounger,
  KEEP_DAYS,
  KEEP_OPEN_DAYS,
  type KnownContent,
  KnownIssue,
  type KnownPath,
  type OpenRecord,
  type StateDocument,
} from './document.ts';
import { analysisKey, type EarlierState } from './earlier-state.ts';

/** What one run found out. */
export interface RunResults {
  /** Every path that it looked at, judged or not. */
  readonly seen: ReadonlySet<string>;
  /** New ones, and those of earlier runs that it has read again. */
  readonly analyses: readonly Analysis[];
  /** Submissions that this run created or waited for. */
  readonly submissions: readonly OpenSubmission[];
  readonly sidekicks: string;
  readonly reuseDays: number;
  readonly now: Date;
}

/** What the next run has to know: all that was known, and what this run adds. */
export function mergeState(earlierState: EarlierState, run: RunResults): StateDocument {
  const { sidekicks, reuseDays, now } = run;
  const judged = run.analyses.filter(isJudged);
  const paths = pathsAfter(earlierState.paths, judged, run);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const known = [...earlierState.contents, ...judged.map((analysis) => knownContent(analysis, earlierState, run))];
  const contents = new Map(known.map((content) => [analysisKey(content), content]));
  return {
    contents: [...contents.values()].filter(
      (content) =>
        (inUse.has(content.sha256) && content.sidekicks === sidekicks) ||
        isYounger(content.analysedAt, Math.max(reuseDays, KEEP_DAYS), now),
    ),
    paths,
    open: stillOpen(earlierState.open, judged, run),
  };
}

/** What is remembered of a content, whatever became of it. A type that is not in our table is stored as a document. */
function sentAs({ sha256, name, category = 'document' }: Content): OpenRecord['contents'][number] {
  return { sha256, name, category };
}

type Judged = Analysis & { readonly assetId: string };

function isJudged(analysis: Analysis): analysis is Judged {
  return analysis.outcome === 'judged' && analysis.assetId !== undefined;
}

function knownContent(
  { content, submissionId, assetId, versionGroupId, versionNumber, issues }: Judged,
  earlierState: EarlierState,
  { sidekicks, now }: RunResults,
): KnownContent {
  // An analysis that was only read again keeps its date.
  const earlier = earlierState
    .analyses(content.sha256)
    .find((known) => known.submissionId === submissionId && known.assetId === assetId);
  return {
    ...sentAs(content),
    submissionId,
    assetId,
    analysedAt: earlier?.analysedAt ?? now.toISOString(),
    sidekicks,
    versionGroupId,
    versionNumber,
    issues: issues.map((issue) => v.parse(KnownIssue, issue)),
  };
}

/** Only what this run judged is present: a path that another branch's state brought along is never part of a baseline. */
function pathsAfter(before: readonly KnownPath[], judged: readonly Judged[], { seen, now }: RunResults): KnownPath[] {
  const seenAt = now.toISOString();
  const paths = [
    ...before.map((known) => ({ ...known, isPresent: false, ...(seen.has(known.path) && { seenAt }) })),
    ...judged.flatMap(({ content: { sha256, paths: found }, submissionId }) =>
      found.map((path) => ({ path, sha256, submissionId, seenAt, isPresent: true })),
    ),
  ];
  const last = new Map(paths.map((known) => [known.path, known]));
  return [...last.values()].filter((known) => isYounger(known.seenAt, KEEP_DAYS, now));
}

/**
 * What was sent and not judged is looked for again, even if the service calls it finished or failed: its results may be
 * readable then, a failed asset may be retried in place, and sending it again would be paid for again.
 */
function stillOpen(
  before: readonly OpenRecord[],
  judged: readonly Judged[],
  { submissions, sidekicks, now }: RunResults,
): OpenRecord[] {
  const keyOf = (content: OpenRecord['contents'][number]): string => analysisKey({ ...content, sidekicks });
  const settled = new Set(judged.map(({ content }) => keyOf(sentAs(content))));
  const own = submissions.map(({ submissionId, createdAt, assetIds, contents }) =>
    without(settled, { submissionId, createdAt, sidekicks, assetIds: [...assetIds], contents: contents.map(sentAs) }),
  );
  const sentAgain = new Set(submissions.flatMap(({ contents }) => contents.map(sentAs).map(keyOf)));
  const young = before.filter(({ createdAt }) => isYounger(createdAt, KEEP_OPEN_DAYS, now));
  const records = [...own, ...young.map((record) => without(settled.union(sentAgain), record))];
  return [...Map.groupBy(records, ({ submissionId }) => submissionId).values()].flatMap((group) => {
    const contents = group.flatMap((record) => record.contents);
    return contents.length === 0 ? [] : group.slice(0, 1).map((first) => ({ ...first, contents }));
  });
}

function without(keys: ReadonlySet<string>, record: OpenRecord): OpenRecord {
  const { contents, sidekicks } = record;
  return { ...record, contents: contents.filter((content) => !keys.has(analysisKey({ ...content, sidekicks }))) };
}
