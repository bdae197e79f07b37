import * as v from 'valibot';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  type AnalysedRecord,
  type ContentRecord,
  type FailedRecord,
  IssueRecord,
  isAnalysed,
  isYounger,
  KEEP_DAYS,
  KEEP_OPEN_DAYS,
  KnownTopics,
  type OpenRecord,
  type PathRecord,
  type StateDocument,
  Text,
  timeOf,
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
  const judged = run.analyses.filter(isJudged);
  const paths = pathsAfter([...earlierState.paths.values()], judged, run);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const earlierById = new Map(earlierState.records.map((record) => [analysisId(record), record]));
  const failed = run.analyses.filter(({ isFailedForGood }) => isFailedForGood);
  const results = [
    ...judged.map((analysis) => analysedRecord(analysis, earlierById, run)),
    ...failed.map((analysis) => failedRecord(analysis, earlierById, run)),
  ];
  const open = run.submissions.flatMap((submission) => openRecords(submission, run));
  // A record of an earlier run may be newer than an open one: another run may have judged it in the meantime.
  const records = firstOfEach([...results, ...earlierState.records, ...open], analysisId).filter((record) => {
    if (!isAnalysed(record)) return isYounger(timeOf(record), KEEP_OPEN_DAYS, run.now);
    return inUse.has(record.sha256) || isYounger(record.analysedAt, Math.max(run.reuseDays, KEEP_DAYS), run.now);
  });
  const found = new Set(results.map(analysisId));
  const lost = new Set([...run.lost].filter((id) => !found.has(id)));
  const groups = [...Map.groupBy(latestFirst(records), analysisKey).values()];
  return { contents: groups.flatMap((latest) => newestOf(withoutLost(latest, lost))), paths };
}

/** What is lost is kept until the file is sent again, so that the run which sends it reports it as paid for again. */
function withoutLost(latest: readonly ContentRecord[], lost: ReadonlySet<string>): readonly ContentRecord[] {
  const present = latest.filter((record) => !lost.has(analysisId(record)));
  return present.length > 0 ? present : latest;
}

/** The last analysis and, if it is newer, one record that is open or failed: a failed night does not erase what was paid for. */
function newestOf(latest: readonly ContentRecord[]): readonly ContentRecord[] {
  const analysis = latest.find(isAnalysed);
  return latest.filter((record, index) => index === 0 || record === analysis);
}

/** A type that is not in our table is stored as a document. */
function sentAs(
  { sha256, name, category = 'document' }: Content,
  submissionId: string,
  { sidekicks }: RunResults,
): Omit<OpenRecord, 'kind' | 'sentAt'> {
  return { sha256, name, category, submissionId, sidekicks };
}

function openRecords({ submissionId, createdAt, contents }: OpenSubmission, run: RunResults): readonly OpenRecord[] {
  return contents.map((content) => ({ kind: 'open', ...sentAs(content, submissionId, run), sentAt: createdAt }));
}

type EarlierById = ReadonlyMap<string, ContentRecord>;

/** A failure that was only shown again stays as it is. */
function failedRecord(
  { content, submissionId, causes }: Analysis,
  earlier: EarlierById,
  run: RunResults,
): FailedRecord {
  const sent = sentAs(content, submissionId, run);
  const before = earlier.get(analysisId(sent));
  if (before?.kind === 'failed') return before;
  const message = v.parse(Text, causes[0]?.message ?? '');
  return { kind: 'failed', ...sent, failedAt: run.now.toISOString(), message };
}

type Judged = Analysis & { readonly assetId: string };

function isJudged(analysis: Analysis): analysis is Judged {
  return analysis.outcome === 'judged' && analysis.assetId !== undefined;
}

function analysedRecord(
  { content, submissionId, assetId, versionGroupId, versionNumber, issues, topics }: Judged,
  earlier: EarlierById,
  run: RunResults,
): AnalysedRecord {
  const sent = sentAs(content, submissionId, run);
  const before = earlier.get(analysisId(sent));
  return {
    kind: 'analysed',
    ...sent,
    // An analysis that was only read again keeps its date.
    analysedAt: before?.kind === 'analysed' ? before.analysedAt : run.now.toISOString(),
    assetId,
    versionGroupId,
    versionNumber,
    issues: issues.map((issue) => v.parse(IssueRecord, issue)),
    topics: topics.length > 0 ? v.parse(KnownTopics, topics) : undefined,
  };
}

/** Only what this run judged is present: a path that another branch's state brought along is never part of a baseline. */
function pathsAfter(before: readonly PathRecord[], judged: readonly Judged[], { now }: RunResults): PathRecord[] {
  const seenAt = now.toISOString();
  const paths = [
    ...before.map((record) => ({ ...record, isPresent: false })),
    ...judged.flatMap(({ content: { sha256, paths: found }, submissionId }) =>
      found.map((path) => ({ path, sha256, submissionId, seenAt, isPresent: true })),
    ),
  ];
  const last = new Map(paths.map((record) => [record.path, record]));
  return [...last.values()].filter((record) => isYounger(record.seenAt, KEEP_DAYS, now));
}
