import { createHash } from 'node:crypto';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import type { Now } from '../lib/clock.ts';
import { type Content, representativeFile, uploadName } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import type { LfsPointer } from '../media/lfs.ts';
import { type AnalysedAs, analysedUnder, extensionOf, includesAnalysisOf } from '../media/media-types.ts';
import type { Analysis } from '../service/analysis.ts';
import { idKey, isTerminal, type ListedAsset, type SubmissionResponse } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import { type AnalysedRecord, analysisId, type ContentRecord, isAnalysed, isYounger } from '../state/document.ts';
import type { EarlierState } from '../state/merge.ts';

export interface PlanRules {
  readonly repositoryId: string;
  readonly reuseDays: number;
  /** A hash of the sidekick ids: other sidekicks make a different analysis of the same bytes. */
  readonly sidekicks: string;
  /** Whether this is a second or later attempt of a run. People re-run a job to have failed files analysed again. */
  readonly isRerun: boolean;
}

export function planRules({ reuseDays, sidekickIds }: Inputs, context: RunContext): PlanRules {
  const { repositoryId, runAttempt } = context;
  return { repositoryId, reuseDays, sidekicks: hashSidekicks(sidekickIds), isRerun: runAttempt > 1 };
}

export function hashSidekicks(sidekickIds: readonly string[] | undefined): string {
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
  /** Records of the same bytes, sidekicks and type, newest first, without analyses that are too old. */
  readonly records: readonly ContentRecord[];
  /** The newest analysis among these records, whatever its age. Its issues count until this run has read newer ones. */
  readonly newestAnalysis: AnalysedRecord | undefined;
  /** The submission that holds the earlier version, for the link between the two, and the version group, if known. */
  readonly previous: Pick<AnalysedRecord, 'submissionId' | 'versionGroupId'> | undefined;
}

/** The contents of this run, each with every earlier record that could be the source of its analysis. */
export function candidatesIn(basis: PlanBasis): readonly CandidateContent[] {
  const { earlierState, repositoryId, sidekicks, reuseDays, now } = basis;
  const filesBySha = Map.groupBy(basis.files, ({ sha256 }) => sha256);
  const pointersBySha = Map.groupBy(basis.pointers, ({ sha256 }) => sha256);
  return [...new Set([...filesBySha.keys(), ...pointersBySha.keys()])].map((sha256) => {
    const files = filesBySha.get(sha256) ?? [];
    const pointers = pointersBySha.get(sha256) ?? [];
    const file = representativeFile(files) ?? files[0];
    const content = {
      sha256,
      size: file?.size ?? pointers[0]?.size ?? 0,
      category: file?.type.category,
      paths: [...files, ...pointers].map(({ path }) => path).toSorted(),
      file,
      name: file ? uploadName(file.path, { sha256, repositoryId, extension: file.type.extension }) : '',
    };
    /** The bytes of a pointer were classified when they were analysed. */
    const typesFor = (analysed: AnalysedAs): readonly AnalysedAs[] => [
      ...files.map(({ type }) => type),
      ...pointers.map(({ path }) => analysedUnder(path, analysed)),
    ];
    const same = (earlierState.records.get(sha256) ?? [])
      .filter((record) => record.sidekicks === sidekicks)
      // Names decide the type, so an analysis as audio does not cover a copy that is named as video.
      .filter((record) => typesFor(analysedAs(record)).every((type) => includesAnalysisOf(analysedAs(record), type)));
    const present = same.filter((record) => !isAnalysed(record) || !record.isLost);
    const records = (present.length > 0 ? present : same).filter(
      (record) => !isAnalysed(record) || isYounger(record.at, reuseDays, now),
    );
    const previous = previousVersion(content, earlierState);
    return { content, pointers, records, newestAnalysis: same.find(isAnalysed), previous };
  });
}

/** A record stores no extension of its own, so the extension is taken from the upload name. */
function analysedAs({ category, name }: ContentRecord): AnalysedAs {
  return { category, extension: extensionOf(name) };
}

function previousVersion({ sha256, paths }: Content, earlierState: EarlierState): CandidateContent['previous'] {
  const last = paths.map((path) => earlierState.paths.get(path)).find((record) => record !== undefined);
  // If no path has a history but the bytes were analysed, the file was renamed and continues its old history.
  const analysis = earlierState.records.get(last?.sha256 ?? sha256)?.find(isAnalysed);
  const record = last ?? analysis;
  return record && { submissionId: record.submissionId, versionGroupId: analysis?.versionGroupId };
}

/**
 * What the gate can do with a record of an earlier run. Unless the service says otherwise, it is the record's own kind:
 *
 * - `analysed`: reuse its analysis
 * - `finished`: wait for its submission, which has ended and probably has the result
 * - `open`: wait for its submission
 * - `failed`: show the failure again, or send the file
 * - `missing`, `given up`: send the file, because the service no longer has the analysis, or did not finish it in time
 */
export type RecordStatus = ContentRecord['kind'] | 'finished' | 'missing' | 'given up';

/** A submission of an earlier run that the service still has. */
export interface FoundSubmission {
  readonly response: SubmissionResponse;
  /** By `idKey`, because a submission can hold thousands of assets. Undefined if the response has no list. */
  readonly assets: ReadonlyMap<string, ListedAsset> | undefined;
}

/** The submissions of earlier runs, by id. If a submission is missing or could not be read, the value is the error. */
export type EarlierSubmissions = ReadonlyMap<string, FoundSubmission | ServiceError>;

/** What the service has said about the submissions of earlier runs. */
export interface EarlierResponses {
  readonly submissions: EarlierSubmissions;
  /** The open and failed files whose assets had to be read, by `analysisId`. */
  readonly files: ReadonlyMap<string, { readonly status: RecordStatus; readonly analysis: Analysis }>;
}

export const NO_RESPONSES: EarlierResponses = { submissions: new Map(), files: new Map() };

export function statusOf(record: ContentRecord, { submissions, files }: EarlierResponses): RecordStatus {
  const submission = submissions.get(record.submissionId);
  if (isMissing(submission)) return record.kind === 'failed' ? 'failed' : 'missing';
  if (!isFound(submission)) return record.kind;
  const { response, assets } = submission;
  if (isAnalysed(record)) return !assets || assets.has(idKey(record.assetId)) ? 'analysed' : 'missing';
  return files.get(analysisId(record))?.status ?? (isTerminal(response) ? 'finished' : 'open');
}

export function isFound(submission: FoundSubmission | ServiceError | undefined): submission is FoundSubmission {
  return submission !== undefined && !(submission instanceof ServiceError);
}

export function isMissing(submission: FoundSubmission | ServiceError | undefined): boolean {
  return submission instanceof ServiceError && submission.failureClass === 'missing';
}

/** The record that the plan reuses or awaits: the newest one with a result, else the newest one that is open. */
export function preferredRecord({ records }: CandidateContent, responses: EarlierResponses): ContentRecord | undefined {
  const newest = (...wanted: readonly RecordStatus[]) =>
    records.find((record) => wanted.includes(statusOf(record, responses)));
  return newest('analysed', 'finished') ?? newest('open');
}
