import * as v from 'valibot';
import type { Content } from '../media/content.ts';
import { extensionOf, isDocument } from '../media/media-types.ts';
import type { Analysis } from '../service/analysis.ts';
import type { AwaitedSubmission } from '../service/submission-reading.ts';
import {
  type AnalysedRecord,
  analysisId,
  type Baseline,
  ContentRecord,
  isAnalysed,
  isYounger,
  KEEP_DAYS,
  type PathRecord,
  type StateDocument,
} from './document.ts';

/** The merged records of all loaded states. */
export interface EarlierState {
  /** By content hash, latest first. The same bytes may have been sent more than once. */
  readonly records: ReadonlyMap<string, readonly ContentRecord[]>;
  readonly paths: ReadonlyMap<string, PathRecord>;
}

/** @param documents nearest first. Paths come from the nearest one: a pull request must not add paths to every state. */
export function joinStates(documents: readonly StateDocument[]): EarlierState {
  const all = documents.flatMap(({ contents }) => contents);
  const records = bestOfEach(latestFirst(all));
  const [{ paths } = { paths: [] }] = documents;
  return {
    records: Map.groupBy(latestFirst(records), ({ sha256 }) => sha256),
    paths: new Map(paths.map((record) => [record.path, record])),
  };
}

/** The results of one run, to be saved for the next. */
export interface RunResults {
  /** New analyses, and analyses of earlier runs that this run has read again. */
  readonly analyses: readonly Analysis[];
  /** Submissions that this run created or waited for. Their records do not go by age. */
  readonly submissions: readonly AwaitedSubmission[];
  /** The paths of all files that this run found, judged or not. */
  readonly foundPaths: readonly string[];
  /** The `analysisId`s of analyses and open files that the service has lost, or that were given up. */
  readonly lost: ReadonlySet<string>;
  /** Contents that this run planned to judge, with the analysis whose issues count if it does not. */
  readonly contents: readonly { readonly content: Content; readonly earlier?: AnalysedRecord | undefined }[];
  /** What a branch run was compared with, if anything. */
  readonly comparedWith: Baseline | undefined;
  /** The ids of the issues that a waiver covers in a branch run. */
  readonly waived: readonly string[];
  readonly sidekicks: string;
  readonly reuseDays: number;
  readonly now: Date;
}

/** The state for the next run: the records of earlier runs, updated with the results of this run. */
export function mergeState(earlierState: EarlierState, run: RunResults): StateDocument {
  const paths = pathsAfter([...earlierState.paths.values()], run);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const earlier = [...earlierState.records.values()].flat();
  const earlierById = new Map(earlier.map((record) => [analysisId(record), record]));
  const open = run.submissions.flatMap(({ submissionId, createdAt, contents }) =>
    contents.map((content) => ({ kind: 'open' as const, ...sentAs(content, submissionId, run), at: createdAt })),
  );
  const sent = Map.groupBy([...earlier.filter(({ kind }) => kind === 'open'), ...open], ({ sha256 }) => sha256);
  const results = run.analyses.flatMap((analysis) => {
    const before = earlierById.get(analysisId({ ...analysis.content, ...analysis }));
    const now = datedBefore(before, sent.get(analysis.content.sha256) ?? [], run.now);
    return recordOf(analysis, before, { ...run, now }) ?? [];
  });
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
    contents: neededIn(records, lost, new Set(open.map(analysisId))),
    paths,
    ...(comparedWith && { comparedWith }),
    ...(run.waived.length > 0 && { waived: [...run.waived] }),
  };
}

/** How the content was sent. If its type is unknown, it is recorded as a document. */
function sentAs(
  { sha256, name, category = 'document' }: Content,
  submissionId: string,
  { sidekicks, now }: RunResults,
) {
  return { sha256, name, category, submissionId, sidekicks, at: now.toISOString() };
}

/** Undefined if the content has no final result yet. A result that an earlier run has saved keeps its date. */
function recordOf(analysis: Analysis, before: ContentRecord | undefined, run: RunResults): ContentRecord | undefined {
  const { content, submissionId, assetId, versionGroupId, versionNumber, issues, topics, causes } = analysis;
  const sent = sentAs(content, submissionId, run);
  if (analysis.prospect === 'failed for good') {
    if (before?.kind === 'failed') return before;
    // Without a failure, only the age of the record has ended the analysis.
    const at = analysis.outcome === 'failed' ? sent.at : (before?.at ?? sent.at);
    return v.parse(ContentRecord, { kind: 'failed', ...sent, at, message: causes[0]?.message ?? '' });
  }
  if (analysis.outcome !== 'judged' || assetId === undefined) return undefined;
  const at = before?.kind === 'analysed' ? before.at : sent.at;
  const version = { assetId, versionGroupId, versionNumber };
  const known = { issues, ...(topics.length > 0 && { topics }) };
  // Parsing drops the fields that are not saved, and cuts long texts.
  return v.parse(ContentRecord, { kind: 'analysed', ...sent, at, ...version, ...known });
}

/**
 * The present or, if the same bytes were sent again after a record, the moment before that: the record stays older.
 *
 * @param sent the open records of the same bytes
 */
function datedBefore(record: ContentRecord | undefined, sent: readonly ContentRecord[], now: Date): Date {
  const later = sent.filter(({ at }) => record && Date.parse(at) > Date.parse(record.at));
  const times = later.map(({ at }) => Date.parse(at) - 1);
  return new Date(Math.min(now.getTime(), ...times));
}

/**
 * Only the paths whose issues this run has read, or counts as last known, are marked as present. The others may come
 * from another branch, so they must not become part of a baseline. A path that was found gets a new `seenAt`, which
 * keeps its analysis.
 */
function pathsAfter(before: readonly PathRecord[], run: RunResults): PathRecord[] {
  const seenAt = run.now.toISOString();
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

/** Most certain first. A paid analysis wins, even if the others seem newer: the clocks of machines differ. */
const BY_CERTAINTY: readonly ContentRecord['kind'][] = ['analysed', 'failed', 'open'];

/** For each analysis, the record of the most certain kind, and of several such records the first. */
function bestOfEach(records: readonly ContentRecord[]): readonly ContentRecord[] {
  const certainFirst = BY_CERTAINTY.flatMap((kind) => records.filter((record) => record.kind === kind));
  return [...Map.groupBy(certainFirst, analysisId).values()].flatMap((group) => group.slice(0, 1));
}

function latestFirst(records: readonly ContentRecord[]): readonly ContentRecord[] {
  return records.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** @param awaited the `analysisId`s of files that the service works on, also after a failure that was saved */
function neededIn(
  records: readonly ContentRecord[],
  lost: ReadonlySet<string>,
  awaited = new Set<string>(),
): ContentRecord[] {
  const groups = [...Map.groupBy(latestFirst(records), subjectOf).values()];
  return groups.flatMap((latest) => neededOf(latest, lost, awaited));
}

/** A newer analysis replaces older ones of the same bytes, category, sidekicks and, for documents, extension. */
function subjectOf(record: ContentRecord): string {
  const { sha256, category, sidekicks, name } = record;
  return [sha256, category, sidekicks, ...(isDocument(record) ? [extensionOf(name)] : [])].join(' ');
}

/**
 * The records that later runs need. If the service has none of them any more, none is marked as lost: the run that sends
 * the file again then reports it as paid for again.
 */
function neededOf(
  latest: readonly ContentRecord[],
  lost: ReadonlySet<string>,
  awaited: ReadonlySet<string>,
): readonly ContentRecord[] {
  const notLost = latest.filter((record) => !lost.has(analysisId(record)) && !(isAnalysed(record) && record.isLost));
  const present = notLost.length > 0 ? notLost : latest;
  const [newest] = present;
  // Its issues are the last known ones, even if the service no longer has it.
  const lastKnown = latest.find(isAnalysed);
  const stillThere = present.find(isAnalysed);
  // Paid for and newer than that analysis, even if another submission has failed since.
  const newer = stillThere ? present.slice(0, present.indexOf(stillThere)) : present;
  const pending = newer.filter((record) => record.kind === 'open' || awaited.has(analysisId(record)));
  const failure = newer.find(({ kind }) => kind === 'failed');
  const needed = new Set([newest, lastKnown, stillThere, failure, ...pending]);
  return latest
    .filter((record) => needed.has(record))
    .map((record) => (isAnalysed(record) && !present.includes(record) ? { ...record, isLost: true } : record));
}

/** Whether the first state has every record that is needed of both, so that `other` can be deleted. */
export function holds({ contents }: StateDocument, other: StateDocument): boolean {
  const held = new Set(contents.map(outcomeId));
  const both = [...contents, ...other.contents];
  // Only the later of the two runs may know that the service no longer has an analysis.
  const lost = new Set(both.filter((record) => isAnalysed(record) && record.isLost).map(analysisId));
  return neededIn(bestOfEach(both), lost).every((record) => held.has(outcomeId(record)));
}

function outcomeId(record: ContentRecord): string {
  return `${record.kind} ${analysisId(record)}`;
}
