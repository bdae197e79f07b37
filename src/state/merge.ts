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
import { analysisId, analysisKey, type EarlierState, firstOfEach } from './earlier-state.ts';

/** What one run found out. */
export interface RunResults {
  /** Every path that it looked at, judged or not. */
  readonly seen: ReadonlySet<string>;
  /** New ones, and those of earlier runs that it has read again. */
  readonly analyses: readonly Analysis[];
  /** Submissions that this run created or waited for. */
  readonly submissions: readonly OpenSubmission[];
  /** Analyses that the service no longer has or could not make, by `analysisId`. */
  readonly lost: ReadonlySet<string>;
  readonly sidekicks: string;
  readonly reuseDays: number;
  readonly now: Date;
}

/** What the next run has to know: all that was known, and what this run adds. */
export function mergeState(earlierState: EarlierState, run: RunResults): StateDocument {
  const { sidekicks, reuseDays, now } = run;
  const judged = run.analyses.filter(isJudged);
  const paths = pathsAfter([...earlierState.paths.values()], judged, run);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const found = judged.map((analysis) => knownContent(analysis, earlierState, run));
  const present = earlierState.contents.filter((content) => !run.lost.has(analysisId(content)));
  const known = [...firstOfEach(present, analysisKey), ...found];
  const contents = new Map(known.map((content) => [analysisKey(content), content]));
  return {
    contents: [...contents.values()].filter(
      (content) =>
        (inUse.has(content.sha256) && content.sidekicks === sidekicks) ||
        isYounger(content.analysedAt, Math.max(reuseDays, KEEP_DAYS), now),
    ),
    paths,
    open: stillOpen(earlierState.open, found, run),
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
  const earlier = earlierState.analyses(content.sha256).find((known) => known.submissionId === submissionId);
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
 * readable then, a failed asset may be retried in place, and sending it again would be paid for again. Of another
 * submission, only a later analysis settles it: a pull request that reuses an older one leaves the nightly's open.
 */
function stillOpen(
  before: readonly OpenRecord[],
  judged: readonly KnownContent[],
  { submissions, lost, sidekicks, now }: RunResults,
): OpenRecord[] {
  const own = submissions.map(({ submissionId, createdAt, assetIds, contents }) => {
    return { submissionId, createdAt, sidekicks, assetIds: [...assetIds], contents: contents.map(sentAs) };
  });
  const made = Map.groupBy(
    [
      ...own.flatMap(({ createdAt: at, contents }) => contents.map((each) => ({ ...each, sidekicks, at }))),
      ...judged.map((each) => ({ ...each, at: each.analysedAt })),
    ],
    analysisKey,
  );
  const settled = new Set([...judged.map(analysisId), ...lost]);
  const isOpen = (record: OpenRecord, content: OpenRecord['contents'][number]): boolean =>
    !settled.has(analysisId({ ...content, ...record })) &&
    (made.get(analysisKey({ ...content, ...record })) ?? []).every(({ at }) => at <= record.createdAt);
  const records = [...own, ...before.filter(({ createdAt }) => isYounger(createdAt, KEEP_OPEN_DAYS, now))];
  return [...Map.groupBy(records, ({ submissionId }) => submissionId).values()].flatMap((group) => {
    const contents = group.flatMap((record) => record.contents.filter((content) => isOpen(record, content)));
    const [first] = group;
    return first && contents.length > 0
      ? [{ ...first, contents: [...firstOfEach(contents, ({ sha256 }) => sha256)] }]
      : [];
  });
}
