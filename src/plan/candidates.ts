import { createHash } from 'node:crypto';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import type { Now } from '../lib/clock.ts';
import { type Content, type MediaFile, representativeFile, uploadName } from '../media/file.ts';
import { analysedUnder, extensionOf, includesAnalysisOf } from '../media/media-types.ts';
import type { LfsPointer } from '../media/sniff.ts';
import type { Analysis } from '../service/analysis.ts';
import { idKey } from '../service/responses.ts';
import type { SubmissionReading } from '../service/submission-reading.ts';
import {
  type AnalysedRecord,
  analysisId,
  type ContentRecord,
  type FailedRecord,
  isAnalysed,
  isYounger,
  KEEP_OPEN_DAYS,
  type OpenRecord,
} from '../state/document.ts';
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
  /** The records that the analysis may come from, newest first. */
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
      records: withoutUnusable(fitting, basis),
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

/** Leaves out analyses that are too old, and those that an earlier run found missing at the service. */
function withoutUnusable(records: readonly ContentRecord[], { reuseDays, now }: PlanBasis): readonly ContentRecord[] {
  const present = records.filter((record) => !isAnalysed(record) || !record.isLost);
  // If nothing else is left, the service is asked for the missing ones again before the file is paid for again.
  const possible = present.length > 0 ? present : records;
  return possible.filter((record) => !isAnalysed(record) || isYounger(record.at, reuseDays, now));
}

function previousVersion({ sha256, paths }: Content, earlierState: EarlierState): CandidateContent['previous'] {
  const last = paths.map((path) => earlierState.paths.get(path)).find((record) => record !== undefined);
  // If no path has a history but the bytes were analysed, the file was renamed and continues its old history.
  const analysis = earlierState.records.get(last?.sha256 ?? sha256)?.find(isAnalysed);
  const record = last ?? analysis;
  return record && { submissionId: record.submissionId, versionGroupId: analysis?.versionGroupId };
}

/** What a record is good for in this run, by what the service says now. */
type RecordUse = 'reused' | 'finished' | 'awaited' | 'failed' | 'sent again' | 'missing' | 'given up';

export type Loss = 'no longer at the service' | 'earlier analysis failed' | 'earlier analysis never finished';

/**
 * Of the records of a content, the plan uses the newest one of the lowest `rank`. If none has a rank, the file is sent,
 * and the `loss` of the newest record, if it has one, says why.
 */
export const USES: Readonly<Record<RecordUse, { readonly rank?: 1 | 2 | 3; readonly loss?: Loss }>> = {
  // The service still has the analysis, or did not respond.
  reused: { rank: 1 },
  // Awaited, and the submission has ended, so it probably has the result.
  finished: { rank: 1 },
  awaited: { rank: 2 },
  // The file failed for good, and the failure is shown.
  failed: { rank: 3, loss: 'earlier analysis failed' },
  // The file failed for good, and the plan sends it again.
  'sent again': { loss: 'earlier analysis failed' },
  missing: { loss: 'no longer at the service' },
  // The file has had no result for seven days.
  'given up': { loss: 'earlier analysis never finished' },
};

/** What this run has read about submissions of earlier runs. */
export interface EarlierResponses {
  /** By `idKey`. A submission that no step needs is left out. */
  readonly submissions: ReadonlyMap<string, SubmissionReading>;
  /** The open and failed records whose assets had to be read, by `analysisId`. */
  readonly files: ReadonlyMap<string, Analysis>;
}

export const NO_RESPONSES: EarlierResponses = { submissions: new Map(), files: new Map() };

export function readingOf(
  { submissionId }: Pick<ContentRecord, 'submissionId'>,
  { submissions }: EarlierResponses,
): SubmissionReading | undefined {
  return submissions.get(idKey(submissionId));
}

/** What a record is good for: by what this run has read or, if it could read nothing, by what was saved. */
export function useOf(record: ContentRecord, responses: EarlierResponses, basis: PlanBasis): RecordUse {
  switch (record.kind) {
    case 'open':
      return useOfOpen(record, responses, basis);
    case 'failed':
      return useOfFailed(record, responses, basis);
    default:
      return useOfAnalysed(record, responses);
  }
}

function useOfAnalysed(record: AnalysedRecord, responses: EarlierResponses): RecordUse {
  const reading = readingOf(record, responses);
  // Until a submission has ended, its list may be incomplete.
  const isListComplete = reading?.response?.assets && reading.response.status.isTerminal;
  const isListed = !isListComplete || reading.assets.has(idKey(record.assetId));
  return isListed && !isMissing(reading) ? 'reused' : 'missing';
}

function useOfOpen(record: OpenRecord, responses: EarlierResponses, basis: PlanBasis): RecordUse {
  const reading = readingOf(record, responses);
  if (isMissing(reading)) return 'missing';
  const analysis = responses.files.get(analysisId(record));
  if (!analysis && reading?.response?.status.isTerminal) return 'finished';
  if (analysis?.outcome === 'judged') return 'finished';
  if (analysis?.isFailedForGood) return isFailureShown(record, responses, basis) ? 'failed' : 'sent again';
  const isRefused = reading?.error !== undefined && !reading.error.stopsReading;
  const isRead = analysis ? !analysis.isPrevented : isRefused;
  const isGivenUp = isRead && reading?.response?.status.isGivenUp !== false;
  return isGivenUp && !isYounger(record.at, KEEP_OPEN_DAYS, basis.now) ? 'given up' : 'awaited';
}

/** Only its own asset ends a saved failure: with a result, or if the service works on it again or may do so. */
function useOfFailed(record: FailedRecord, responses: EarlierResponses, basis: PlanBasis): RecordUse {
  const analysis = responses.files.get(analysisId(record));
  if (analysis?.outcome === 'judged') return 'finished';
  if (analysis && !analysis.isPrevented && isWorkedOn(analysis, responses, basis)) return 'awaited';
  return isFailureShown(record, responses, basis) ? 'failed' : 'sent again';
}

/**
 * Whether the service works on a failed file again, or may do so. Two states may last for ever: an asset that runs on
 * although its submission has ended, and a retry that the service refuses. A re-run then sends the file.
 */
function isWorkedOn(analysis: Analysis, responses: EarlierResponses, { isRerun, reuseDays }: PlanBasis): boolean {
  const { outcome, isFailedForGood, assetId = '' } = analysis;
  const { response, assets } = readingOf(analysis, responses) ?? {};
  const { own, retry } = assets?.get(idKey(assetId)) ?? {};
  const isRunning = own?.status.isTrusted === true && !own.status.isTerminal;
  const isToBeSent = isRerun || reuseDays === 0;
  if (isRunning) return !response?.status.isTerminal || retry !== undefined || !isToBeSent;
  const acceptedRetries = retry?.count ?? 0;
  const mayHeal = acceptedRetries > 0 || (outcome === 'failed' && !isFailedForGood);
  return mayHeal && !(retry && acceptedRetries === 0 && isToBeSent);
}

/**
 * Whether a failed file is only shown. It is sent again in a re-run and with `reuse-days: 0`; also after seven days,
 * unless its submission is never given up by age.
 */
function isFailureShown(
  failure: OpenRecord | FailedRecord,
  responses: EarlierResponses,
  { isRerun, reuseDays, now }: PlanBasis,
): boolean {
  const reading = readingOf(failure, responses);
  // A retry is free, so the file is not sent before the service could be asked for one.
  if (responses.files.get(analysisId(failure))?.isPrevented ?? reading?.error?.stopsReading) return true;
  const isGivenUp = !reading || isMissing(reading) || reading.response?.status.isGivenUp;
  return !isRerun && reuseDays > 0 && (isYounger(failure.at, KEEP_OPEN_DAYS, now) || !isGivenUp);
}

/** Whether the service no longer has a submission. */
export function isMissing(reading: SubmissionReading | undefined): boolean {
  return !reading?.response && reading?.error?.failureClass === 'missing';
}

/** The records of a content with their uses, and the one that the plan prefers, if any. */
export function chooseRecord({ records }: CandidateContent, responses: EarlierResponses, basis: PlanBasis) {
  const uses = records.map((record) => ({ record, use: useOf(record, responses, basis) }));
  const ranked = Map.groupBy(uses, ({ use }) => USES[use].rank);
  return { uses, preferred: (ranked.get(1) ?? ranked.get(2) ?? ranked.get(3))?.[0] };
}
