import * as v from 'valibot';
import type { Content } from '../media/content.ts';
import { extensionOf } from '../media/media-types.ts';
import type { Analysis } from '../service/analysis.ts';
import {
  analysisId,
  ContentRecord,
  isAnalysed,
  isYounger,
  KEEP_DAYS,
  type OpenRecord,
  type PathRecord,
  type StateDocument,
} from './document.ts';

/** The merged records of all loaded states. */
export interface EarlierState {
  /** By content hash, newest first: the newest analysis of a content, and the submissions in which it was sent since. */
  readonly records: ReadonlyMap<string, readonly ContentRecord[]>;
  readonly paths: ReadonlyMap<string, PathRecord>;
}

/**
 * @param documents nearest first. Paths come from the nearest one that has any: those of other gates have none, and a
 * pull request must not add paths to every state.
 */
export function joinStates(documents: readonly StateDocument[]): EarlierState {
  const records = neededIn(documents.flatMap(({ contents }) => contents));
  const { paths } = documents.find((document) => document.paths.length > 0) ?? { paths: [] };
  return {
    records: Map.groupBy(records, ({ sha256 }) => sha256),
    paths: new Map(paths.map((record) => [record.path, record])),
  };
}

/** The results of one run, to be saved for the next. */
export interface RunResults {
  /** What this run has read, whenever the file was sent. */
  readonly analyses: readonly Analysis[];
  /** What this run has sent, oldest first. */
  readonly sent: readonly OpenRecord[];
  /** The paths of all files that this run found, judged or not. */
  readonly foundPaths: readonly string[];
  /** The contents of this run, each with the submission of the issues that counted, if any did. */
  readonly contents: readonly { readonly content: Content; readonly counted: string | undefined }[];
  readonly reuseDays: number;
  readonly now: Date;
}

/** The state for the next run: the records of earlier runs, updated with the results of this run. */
export function mergeState(earlierState: EarlierState, run: RunResults): StateDocument {
  const paths = pathsAfter(earlierState.paths, run);
  const inUse = new Set([...paths, ...run.contents.map(({ content }) => content)].map(({ sha256 }) => sha256));
  // Of two that were sent in the same moment, the later one is newer.
  const known = [...run.sent.toReversed(), ...[...earlierState.records.values()].flat()];
  const byId = new Map(known.map((record) => [analysisId(record), record]));
  const results = run.analyses.flatMap((analysis) => analysedRecord(analysis, byId) ?? []);
  const keepDays = Math.max(run.reuseDays, KEEP_DAYS);
  return {
    contents: neededIn([...results, ...known]).filter(
      ({ sha256, at }) => inUse.has(sha256) || isYounger(at, keepDays, run.now),
    ),
    paths,
  };
}

/** Undefined if the file has no result. Parsing drops the fields that are not saved, and cuts long texts. */
function analysedRecord(analysis: Analysis, byId: ReadonlyMap<string, ContentRecord>): ContentRecord | undefined {
  const { content, submissionId, outcome, assetId, versionNumber, issues, topics } = analysis;
  const sent = byId.get(analysisId({ ...content, submissionId }));
  if (!sent || outcome !== 'result' || assetId === undefined) return undefined;
  const found = { assetId, versionNumber, issues, ...(topics.length > 0 && { topics }) };
  return v.parse(ContentRecord, { ...sent, ...found, kind: 'analysed' });
}

/** A path whose issues did not count keeps its record, but must not become part of a baseline. */
function pathsAfter(before: EarlierState['paths'], run: RunResults): PathRecord[] {
  const counted = new Map(
    run.contents.flatMap(({ content: { sha256, paths }, counted: submissionId }) =>
      submissionId === undefined ? [] : paths.map((path) => [path, { path, sha256, submissionId }] as const),
    ),
  );
  return run.foundPaths.flatMap((path) => {
    const record = counted.get(path) ?? before.get(path);
    return record ? { ...record, isPresent: counted.has(path) } : [];
  });
}

/**
 * The records that later runs need, newest first: of each content the newest analysis, and what was sent after it. An
 * analysis replaces the open record of its submission; of two analyses of one submission, the first counts.
 */
function neededIn(records: readonly ContentRecord[]): ContentRecord[] {
  const analysedFirst = records.toSorted((a, b) => Number(isAnalysed(b)) - Number(isAnalysed(a)));
  const newestFirst = firstOfEach(analysedFirst, analysisId).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return [...Map.groupBy(newestFirst, subjectOf).values()].flatMap((group) => {
    const newest = group.findIndex(isAnalysed);
    return newest === -1 ? group : group.slice(0, newest + 1);
  });
}

/** The first of the items that have the same key, in their order. */
export function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string | undefined): readonly Item[] {
  return [...Map.groupBy(items, keyOf).values()].flatMap((group) => group.slice(0, 1));
}

/**
 * Analyses of the same bytes, category, sidekicks and, for documents, extension replace each other. The extension decides
 * which program opens a document.
 */
export function subjectOf(record: Pick<ContentRecord, 'sha256' | 'category' | 'sidekicks' | 'name'>): string {
  const { sha256, category, sidekicks, name } = record;
  return [sha256, category, sidekicks, ...(category === 'document' ? [extensionOf(name)] : [])].join(' ');
}
