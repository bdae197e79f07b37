import { createHash } from 'node:crypto';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import type { Now } from '../lib/clock.ts';
import { type Content, type MediaFile, representativeFile, uploadName } from '../media/file.ts';
import { analysedUnder, extensionOf, includesAnalysisOf } from '../media/media-types.ts';
import type { LfsPointer } from '../media/sniff.ts';
import { type AnalysedRecord, type ContentRecord, isAnalysed } from '../state/document.ts';
import type { EarlierState } from '../state/merge.ts';

export type PlanRules = Readonly<ReturnType<typeof planRules>>;

export function planRules(
  { reuseDays, sidekickIds }: Pick<Inputs, 'reuseDays' | 'sidekickIds'>,
  { repositoryId, runAttempt }: Pick<RunContext, 'repositoryId' | 'runAttempt'>,
) {
  return {
    repositoryId,
    reuseDays,
    /** A hash of the sidekick ids: other sidekicks make a different analysis of the same bytes. */
    sidekicks: hashSidekicks(sidekickIds),
    /** Whether this is a second or later attempt of a run. People re-run a job to have failed files analysed again. */
    isRerun: runAttempt > 1,
  };
}

function hashSidekicks(sidekickIds: readonly string[] | undefined): string {
  return sidekickIds ? createHash('sha256').update(sidekickIds.toSorted().join()).digest('hex').slice(0, 16) : '';
}

/** Everything that a plan is made from, except the responses of the service. */
export interface PlanBasis extends PlanRules {
  readonly files: readonly MediaFile[];
  readonly pointers: readonly LfsPointer[];
  readonly earlierState: EarlierState;
  readonly now: Now;
}

/** A content of this run, with the records that earlier runs saved about the same bytes. */
export interface CandidateContent {
  readonly content: Content;
  readonly pointers: readonly LfsPointer[];
  /** The records that the analysis may come from, newest first, whatever their age. */
  readonly records: readonly ContentRecord[];
  /** The newest analysis, even one that is too old or missing now. Its issues count until newer ones are read. */
  readonly newestAnalysis: AnalysedRecord | undefined;
  /** The submission of the file's earlier version, to which a new one is linked, and the version group, if known. */
  readonly previous: Pick<AnalysedRecord, 'submissionId' | 'versionGroupId'> | undefined;
}

/** The contents of this run, each with every earlier record that could be the source of its analysis. */
export function candidatesIn(basis: PlanBasis): readonly CandidateContent[] {
  const filesBySha = Map.groupBy(basis.files, ({ sha256 }) => sha256);
  const pointersBySha = Map.groupBy(basis.pointers, ({ sha256 }) => sha256);
  return [...new Set([...filesBySha.keys(), ...pointersBySha.keys()])].flatMap((sha256) => {
    const copies = { files: filesBySha.get(sha256) ?? [], pointers: pointersBySha.get(sha256) ?? [] };
    const [path, ...others] = [...copies.files, ...copies.pointers].map((each) => each.path).toSorted();
    if (path === undefined) return [];
    const content = contentOf(sha256, [path, ...others], copies, basis);
    const fitting = fittingRecords(sha256, copies, basis);
    return {
      content,
      pointers: copies.pointers,
      records: withoutLost(fitting),
      newestAnalysis: fitting.find(isAnalysed),
      previous: previousVersion(content, basis.earlierState),
    };
  });
}

/** Files with the same bytes, and Git LFS pointers to these bytes. */
type Copies = Pick<PlanBasis, 'files' | 'pointers'>;

function contentOf(
  sha256: string,
  paths: Content['paths'],
  { files, pointers }: Copies,
  { repositoryId }: PlanBasis,
): Content {
  const file = representativeFile(files) ?? files[0];
  return {
    sha256,
    size: file?.size ?? pointers[0]?.size ?? 0,
    category: file?.type.category,
    paths,
    file,
    name: file ? uploadName(file.path, { sha256, repositoryId, extension: file.type.extension }) : '',
  };
}

/** The records of the same bytes and sidekicks, newest first, whose analysis covers the media type of every path. */
function fittingRecords(
  sha256: string,
  { files, pointers }: Copies,
  { earlierState, sidekicks }: PlanBasis,
): readonly ContentRecord[] {
  return (earlierState.records.get(sha256) ?? []).filter((record) => {
    // A record stores no extension of its own, so the extension is taken from the upload name.
    const analysed = { category: record.category, extension: extensionOf(record.name) };
    // Names decide the type, so an analysis as audio does not cover a copy that is named as video. The bytes of a
    // pointer are not in the workspace. Unless its name decides, it has the type that was analysed.
    const types = [...files.map(({ type }) => type), ...pointers.map(({ path }) => analysedUnder(path, analysed))];
    return record.sidekicks === sidekicks && types.every((type) => includesAnalysisOf(analysed, type));
  });
}

/** Leaves out analyses that an earlier run found missing at the service. */
function withoutLost(records: readonly ContentRecord[]): readonly ContentRecord[] {
  const present = records.filter((record) => !isAnalysed(record) || !record.isLost);
  // If nothing else is left, the service is asked for the missing ones again before the file is paid for again.
  return present.length > 0 ? present : records;
}

function previousVersion({ sha256, paths }: Content, earlierState: EarlierState): CandidateContent['previous'] {
  const last = paths.map((path) => earlierState.paths.get(path)).find((record) => record !== undefined);
  // If no path has a history but the bytes were analysed, the file was renamed and continues its old history.
  const analysis = earlierState.records.get(last?.sha256 ?? sha256)?.find(isAnalysed);
  const record = last ?? analysis;
  return record && { submissionId: record.submissionId, versionGroupId: analysis?.versionGroupId };
}
