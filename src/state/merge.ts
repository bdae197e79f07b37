import * as v from 'valibot';
import type { Now } from '../lib/clock.ts';
import type { Content } from '../media/file.ts';
import type { Analysis } from '../service/analysis.ts';
import type { AwaitedSubmission } from '../service/submission-reading.ts';
import {
  type AnalysedRecord,
  analysisId,
  type Baseline,
  type ContentRecord,
  IssueRecord,
  isYounger,
  KEEP_DAYS,
  KnownTopics,
  type PathRecord,
  type StateDocument,
  Text,
} from './document.ts';
import { bestOfEach, type EarlierState, neededIn } from './records.ts';

/** The results of one run, to be saved for the next. */
export interface RunResults {
  /** New analyses, and analyses of earlier runs that this run has read again. */
  readonly analyses: readonly Analysis[];
  /** Submissions that this run created or waited for. Their records do not go by age. */
  readonly submissions: readonly AwaitedSubmission[];
  /** The paths of all files that this run found, judged or not. */
  readonly foundPaths: readonly string[];
  /** Earlier analyses that can no longer be used, by `analysisId`. */
  readonly lost: ReadonlySet<string>;
  /** Contents that this run planned to judge, with the analysis whose issues count if it does not. */
  readonly contents: readonly { readonly content: Content; readonly earlier?: AnalysedRecord | undefined }[];
  /** What a branch run was compared with, if anything. */
  readonly comparedWith: Baseline | undefined;
  /** The ids of the issues that a waiver covers in a branch run. */
  readonly waived: readonly string[];
  readonly sidekicks: string;
  readonly reuseDays: number;
  readonly now: Now;
}

/** The state for the next run: the records of earlier runs, updated with the results of this run. */
export function mergeState(earlierState: EarlierState, run: RunResults): StateDocument {
  const paths = pathsAfter([...earlierState.paths.values()], run);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const earlier = [...earlierState.records.values()].flat();
  const earlierById = new Map(earlier.map((record) => [analysisId(record), record]));
  const results = run.analyses.flatMap((analysis) => {
    const id = analysisId({ ...analysis.content, ...analysis });
    return recordOf(analysis, earlierById.get(id), run) ?? [];
  });
  const open = run.submissions.flatMap(({ submissionId, createdAt, contents }) =>
    contents.map((content) => ({ kind: 'open' as const, ...sentAs(content, submissionId, run), at: createdAt })),
  );
  const ours = new Set(run.submissions.map(({ submissionId }) => submissionId));
  // If records of one analysis are of the same kind, the first one counts: a result of this run, then an earlier record.
  const records = bestOfEach([...results, ...earlier, ...open]).filter((record) => {
    if (ours.has(record.submissionId) || inUse.has(record.sha256)) return true;
    return isYounger(record.at, Math.max(run.reuseDays, KEEP_DAYS), run.now);
  });
  const found = new Set(results.map(analysisId));
  const lost = new Set([...run.lost].filter((id) => !found.has(id)));
  const comparedWith = run.comparedWith && markUnjudged(run.comparedWith, paths, run);
  return {
    contents: neededIn(records, lost),
    paths,
    ...(comparedWith && { comparedWith }),
    ...(run.waived.length > 0 && { waived: run.waived.map((id) => v.parse(Text, id)) }),
  };
}

/** How the content was sent. If its type is unknown, it is recorded as a document. */
function sentAs(
  { sha256, name, category = 'document' }: Content,
  submissionId: string,
  { sidekicks, now }: RunResults,
) {
  return { sha256, name, category, submissionId, sidekicks, at: now.date.toISOString() };
}

/** Undefined if the content has no final result yet. A result that an earlier run has saved keeps its date. */
function recordOf(analysis: Analysis, before: ContentRecord | undefined, run: RunResults): ContentRecord | undefined {
  const { content, submissionId, assetId, versionGroupId, versionNumber, issues, topics, causes } = analysis;
  const sent = sentAs(content, submissionId, run);
  if (analysis.isFailedForGood) {
    if (before?.kind === 'failed') return before;
    return { kind: 'failed', ...sent, message: v.parse(Text, causes[0]?.message ?? '') };
  }
  if (analysis.outcome !== 'judged' || assetId === undefined) return undefined;
  return {
    kind: 'analysed',
    ...sent,
    at: before?.kind === 'analysed' ? before.at : sent.at,
    assetId,
    versionGroupId,
    versionNumber,
    issues: issues.map((issue) => v.parse(IssueRecord, issue)),
    topics: topics.length > 0 ? v.parse(KnownTopics, topics) : undefined,
  };
}

/**
 * Only the paths whose issues this run has read, or counts as last known, are marked as present. The others may come
 * from another branch, so they must not become part of a baseline. A path that was found gets a new `seenAt`, which
 * keeps its analysis.
 */
function pathsAfter(before: readonly PathRecord[], run: RunResults): PathRecord[] {
  const seenAt = run.now.date.toISOString();
  const found = new Set(run.foundPaths);
  const judged = run.analyses.filter(({ outcome }) => outcome === 'judged');
  const isJudged = new Set(judged.map(({ content }) => content.sha256));
  const known = run.contents.flatMap(({ content, earlier }) =>
    earlier && !isJudged.has(content.sha256) ? [{ content, submissionId: earlier.submissionId }] : [],
  );
  const paths = [
    ...before.map((record) => ({ ...record, isPresent: false, ...(found.has(record.path) && { seenAt }) })),
    ...[...known, ...judged].flatMap(({ content: { sha256, paths: held }, submissionId }) =>
      held.map((path) => ({ path, sha256, submissionId, seenAt, isPresent: true })),
    ),
  ];
  const last = new Map(paths.map((record) => [record.path, record]));
  return [...last.values()].filter((record) => isYounger(record.seenAt, KEEP_DAYS, run.now));
}

/** Marks the files that this run found and could not judge. */
function markUnjudged(baseline: Baseline, paths: readonly PathRecord[], { foundPaths }: RunResults): Baseline {
  const present = new Set(paths.filter(({ isPresent }) => isPresent).map(({ path }) => path));
  const unjudged = new Set(foundPaths.filter((path) => !present.has(path)));
  const files = baseline.files.map((file) => ({ ...file, isUnjudged: unjudged.has(file.path) }));
  return { ...baseline, files };
}
