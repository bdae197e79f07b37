import * as v from 'valibot';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  type ContentRecord,
  isAnalysed,
  isYounger,
  KEEP_DAYS,
  KEEP_OPEN_DAYS,
  KnownIssue,
  type KnownPath,
  type StateDocument,
  timeOf,
} from './document.ts';
import { analysisId, analysisKey, type EarlierState, firstOfEach, latestFirst } from './earlier-state.ts';

/** What one run found out. */
export interface RunResults {
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
  const judged = run.analyses.filter(isJudged);
  const paths = pathsAfter([...earlierState.paths.values()], judged, run);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const analysed = judged.map((analysis) => analysedContent(analysis, earlierState, run));
  const sent = run.submissions.flatMap(({ submissionId, createdAt, contents }) =>
    contents.map(
      (content): ContentRecord => ({
        kind: 'open',
        ...sentAs(content),
        submissionId,
        sidekicks: run.sidekicks,
        sentAt: createdAt,
      }),
    ),
  );
  // What another run judged in the meantime is not open any more.
  const contents = firstOfEach([...analysed, ...earlierState.records, ...sent], analysisId).filter((content) => {
    if (!isAnalysed(content)) return isYounger(timeOf(content), KEEP_OPEN_DAYS, run.now);
    return inUse.has(content.sha256) || isYounger(content.analysedAt, Math.max(run.reuseDays, KEEP_DAYS), run.now);
  });
  const groups = [...Map.groupBy(latestFirst(contents), analysisKey).values()];
  return { contents: groups.flatMap((latest) => newestOf(withoutLost(latest, run))), paths };
}

/** What is lost stays until it is sent again, so that the run which sends it says that it is paid for again. */
function withoutLost(latest: readonly ContentRecord[], { lost }: RunResults): readonly ContentRecord[] {
  const present = latest.filter((content) => !lost.has(analysisId(content)));
  return present.length > 0 ? present : latest;
}

/**
 * Of what was sent more than once, the last is kept, and while that is open the last result. What is open is looked for
 * again, even if the service calls it finished or failed: its results may be readable then, a failed asset may be retried
 * in place, and sending it again would be paid for again.
 */
function newestOf(latest: readonly ContentRecord[]): readonly ContentRecord[] {
  const result = latest.find(isAnalysed);
  return latest.filter((content, index) => index === 0 || content === result);
}

/** A type that is not in our table is stored as a document. */
function sentAs({ sha256, name, category = 'document' }: Content): Pick<ContentRecord, 'sha256' | 'name' | 'category'> {
  return { sha256, name, category };
}

type Judged = Analysis & { readonly assetId: string };

function isJudged(analysis: Analysis): analysis is Judged {
  return analysis.outcome === 'judged' && analysis.assetId !== undefined;
}

function analysedContent(
  { content, submissionId, assetId, versionGroupId, versionNumber, issues }: Judged,
  earlierState: EarlierState,
  { sidekicks, now }: RunResults,
): ContentRecord {
  // An analysis that was only read again keeps its date.
  const earlier = earlierState.recordsOf(content.sha256).filter(isAnalysed);
  const known = earlier.find((each) => each.submissionId === submissionId);
  return {
    kind: 'analysed',
    ...sentAs(content),
    submissionId,
    sidekicks,
    analysedAt: known?.analysedAt ?? now.toISOString(),
    assetId,
    versionGroupId,
    versionNumber,
    issues: issues.map((issue) => v.parse(KnownIssue, issue)),
  };
}

/** Only what this run judged is present: a path that another branch's state brought along is never part of a baseline. */
function pathsAfter(before: readonly KnownPath[], judged: readonly Judged[], { now }: RunResults): KnownPath[] {
  const seenAt = now.toISOString();
  const paths = [
    ...before.map((known) => ({ ...known, isPresent: false })),
    ...judged.flatMap(({ content: { sha256, paths: found }, submissionId }) =>
      found.map((path) => ({ path, sha256, submissionId, seenAt, isPresent: true })),
    ),
  ];
  const last = new Map(paths.map((known) => [known.path, known]));
  return [...last.values()].filter((known) => isYounger(known.seenAt, KEEP_DAYS, now));
}
