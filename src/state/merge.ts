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

/** What one run found out. */
export interface RunResults {
  /** New ones, and those of earlier runs that it has read again. */
  readonly analyses: readonly Analysis[];
  /** Submissions that this run created or waited for. */
  readonly submissions: readonly OpenSubmission[];
  /** Earlier analyses that cannot be used any more, by `analysisId`. */
  readonly lost: ReadonlySet<string>;
  readonly sidekicks: string;
  readonly reuseDays: number;
  readonly now: Date;
}

/** What the next run has to know: what earlier runs left, and what this run adds. */
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
  // A record of an earlier run may be newer than an open one: another run may have judged it in the meantime.
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
 * The last analysis of a content and, if it is newer, one record that is open or failed: a failed night does not erase what
 * was paid for. A lost one is kept until the file is sent again, so that the run which sends it reports it as paid for again.
 */
function neededOf(latest: readonly ContentRecord[], lost: ReadonlySet<string>): readonly ContentRecord[] {
  const present = latest.filter((record) => !lost.has(analysisId(record)));
  const kept = present.length > 0 ? present : latest;
  const analysis = kept.find(isAnalysed);
  return kept.filter((record, index) => index === 0 || record === analysis);
}

/** A type that is not in our table is stored as a document. */
function sentAs(
  { sha256, name, category = 'document' }: Content,
  submissionId: string,
  { sidekicks, now }: RunResults,
) {
  return { sha256, name, category, submissionId, sidekicks, at: now.toISOString() };
}

/** Undefined if the content has no final result yet. One that was only read or shown again keeps its date. */
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

/** Only what this run judged is present: a path that another branch's state brought along is never part of a baseline. */
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
