import * as v from 'valibot';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  type ContentRecord,
  IssueRecord,
  isAnalysed,
  isYounger,
  KEEP_DAYS,
  KEEP_OPEN_DAYS,
  KnownTopics,
  type PathRecord,
  type StateDocument,
  Text,
} from './document.ts';
import { analysisId, analysisKey, type EarlierState, firstOfEach, latestFirst } from './earlier-state.ts';

/** The results of one run, to be saved for the next. */
export interface RunResults {
  /** New analyses, and analyses of earlier runs that this run has read again. */
  readonly analyses: readonly Analysis[];
  /** Submissions that this run created or waited for. */
  readonly submissions: readonly OpenSubmission[];
  /** Earlier analyses that can no longer be used, by `analysisId`. */
  readonly lost: ReadonlySet<string>;
  readonly sidekicks: string;
  readonly reuseDays: number;
  readonly now: Date;
}

/** The state for the next run: the records of earlier runs, updated with the results of this run. */
export function mergeState(earlierState: EarlierState, run: RunResults): StateDocument {
  const paths = pathsAfter([...earlierState.paths.values()], run);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const earlierById = new Map(earlierState.records.map((record) => [analysisId(record), record]));
  const results = run.analyses.flatMap((analysis) => {
    const id = analysisId({ ...analysis.content, ...analysis });
    return resultOf(analysis, earlierById.get(id), run) ?? [];
  });
  const open = run.submissions.flatMap(({ submissionId, createdAt, contents }) =>
    contents.map((content) => ({ kind: 'open' as const, ...sentAs(content, submissionId, run), at: createdAt })),
  );
  // A saved result takes precedence over this run's open record: another run may have saved it since this run started.
  const records = firstOfEach([...results, ...earlierState.records, ...open], analysisId).filter((record) => {
    if (!isAnalysed(record)) return isYounger(record.at, KEEP_OPEN_DAYS, run.now);
    return inUse.has(record.sha256) || isYounger(record.at, Math.max(run.reuseDays, KEEP_DAYS), run.now);
  });
  const found = new Set(results.map(analysisId));
  const lost = new Set([...run.lost].filter((id) => !found.has(id)));
  const groups = [...Map.groupBy(latestFirst(records), analysisKey).values()];
  return { contents: groups.flatMap((latest) => neededOf(latest, lost)), paths };
}

/**
 * Keeps the last analysis of a content, which was paid for, and a newer open or failed record. Lost records are kept
 * only if the content has no other record, so that the run which sends the file again reports it as paid for again.
 */
function neededOf(latest: readonly ContentRecord[], lost: ReadonlySet<string>): readonly ContentRecord[] {
  const present = latest.filter((record) => !lost.has(analysisId(record)));
  const kept = present.length > 0 ? present : latest;
  const analysis = kept.find(isAnalysed);
  return kept.filter((record, index) => index === 0 || record === analysis);
}

/** A content whose type is not in our table is stored as a document. */
function sentAs(
  { sha256, name, category = 'document' }: Content,
  submissionId: string,
  { sidekicks, now }: RunResults,
) {
  return { sha256, name, category, submissionId, sidekicks, at: now.toISOString() };
}

/** Undefined if the content has no final result yet. A result that an earlier run has saved keeps its date. */
function resultOf(analysis: Analysis, before: ContentRecord | undefined, run: RunResults): ContentRecord | undefined {
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

/** Only paths that this run judged are present: a path from the state of another branch is never part of a baseline. */
function pathsAfter(before: readonly PathRecord[], { analyses, now }: RunResults): PathRecord[] {
  const seenAt = now.toISOString();
  const judged = analyses.filter(({ outcome }) => outcome === 'judged');
  const paths = [
    ...before.map((record) => ({ ...record, isPresent: false })),
    ...judged.flatMap(({ content: { sha256, paths: found }, submissionId }) =>
      found.map((path) => ({ path, sha256, submissionId, seenAt, isPresent: true })),
    ),
  ];
  const last = new Map(paths.map((record) => [record.path, record]));
  return [...last.values()].filter((record) => isYounger(record.seenAt, KEEP_DAYS, now));
}
