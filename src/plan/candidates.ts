import { createHash } from 'node:crypto';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import { type Content, contentsOf } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import { analysedUnder, extensionOf, includesAnalysisOf } from '../media/media-types.ts';
import type { LfsPointer } from '../media/sniff.ts';
import type { Analysis } from '../service/analysis.ts';
import type { Prospect } from '../service/conclusion.ts';
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
  readonly now: Date;
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
  return contentsOf(basis.files, basis.pointers, basis.repositoryId).map((copies) => {
    const { content, pointers } = copies;
    const fitting = fittingRecords(copies, basis);
    return {
      content,
      pointers,
      records: withoutLost(fitting),
      newestAnalysis: fitting.find(isAnalysed),
      previous: previousVersion(content, basis.earlierState),
    };
  });
}

/** The records of the same bytes and sidekicks, newest first, whose analysis covers the media type of every path. */
function fittingRecords(
  { content: { sha256 }, files, pointers }: ReturnType<typeof contentsOf>[number],
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

/** Why a file is sent although an earlier run has sent the same bytes. */
const LOSSES = [
  'no longer at the service',
  // It has failed, and is sent again because people ask for it, or after seven days.
  'earlier analysis failed',
  // It has had no result for seven days.
  'earlier analysis never finished',
  // It is older than `reuse-days`.
  'earlier result too old',
] as const;

export type Loss = (typeof LOSSES)[number];

/** Whether an earlier run had already paid for an analysis of the same bytes by the same sidekicks. */
export function isLoss(useOrReason: string): useOrReason is Loss {
  return LOSSES.some((loss) => loss === useOrReason);
}

/**
 * What a record is good for in this run, by what the service says now, or why it is good for nothing:
 *
 * - `result`: the service has the result, or most of it, or did not respond about one that an earlier run has read
 * - `awaited`: the service is still working on it, or may be
 * - `failed`: a failure is shown, and nothing is sent
 */
type RecordUse = 'result' | 'awaited' | 'failed' | Loss;

/** The plan takes the newest record with the first use, else with the next. Without one, the file is sent. */
const PREFERENCES: readonly RecordUse[] = ['result', 'awaited', 'failed'];

/** What this run has read about submissions of earlier runs. */
export interface EarlierResponses {
  /** By `idKey`. A submission that no step needs is left out. */
  readonly submissions: ReadonlyMap<string, SubmissionReading>;
  /** What was read about open and failed files, by `analysisId`, without those of a submission that is at work. */
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
  const reading = readingOf(record, responses);
  const { isRerun, reuseDays, now } = basis;
  if (isAnalysed(record)) {
    if (!isYounger(record.at, reuseDays, now)) return 'earlier result too old';
    const { assets, status } = reading?.response ?? {};
    // Until a submission has ended, its list may be incomplete.
    const isListed = !(assets && status?.ended && !status.isFinal) || reading?.assets.has(idKey(record.assetId));
    return isListed && !isMissing(reading) ? 'result' : 'no longer at the service';
  }
  const { use, ifRequested, ifTooOld } = UNFINISHED_USES[newsOf(record, responses)][record.kind];
  const isRequested = isRerun || reuseDays === 0;
  const goesByAge = isRequested || reading?.response?.status.isGivenUpByAge !== false;
  if (goesByAge && !isYounger(record.at, KEEP_OPEN_DAYS, now)) return ifTooOld;
  return isRequested ? ifRequested : use;
}

/** What this run has read about a file that is open or has failed. The service may have no submission of it any more. */
type News = Prospect | 'missing' | 'not read';

interface UseRule {
  readonly use: RecordUse;
  /** In a re-run, and with `reuse-days: 0`: people ask for failed files to be sent again. */
  readonly ifRequested: RecordUse;
  /** After seven days; under a status that gives up no file by age, only on request. */
  readonly ifTooOld: RecordUse;
}

const always = (use: RecordUse): UseRule => ({ use, ifRequested: use, ifTooOld: use });
const untilOld = (use: RecordUse): UseRule => ({ ...always(use), ifTooOld: 'earlier analysis never finished' });
const untilAsked = (use: RecordUse): UseRule => {
  return { use, ifRequested: 'earlier analysis failed', ifTooOld: 'earlier analysis failed' };
};

/**
 * The use of an open record and of a failed one. If an outage prevented the free retry, only age sends a file. If it
 * prevented the read, nothing does, not even a re-run.
 */
// biome-ignore format: a table
const UNFINISHED_USES: Readonly<Record<News, Readonly<Record<'open' | 'failed', UseRule>>>> = {
  result:            { open: always('result'),                   failed: always('result') },
  incomplete:        { open: untilOld('result'),                 failed: untilOld('result') },
  retried:           { open: always('awaited'),                  failed: always('awaited') },
  'at work':         { open: untilOld('awaited'),                failed: untilOld('awaited') },
  'not healed':      { open: untilOld('awaited'),                failed: untilAsked('awaited') },
  'no result':       { open: untilOld('awaited'),                failed: untilAsked('failed') },
  'failed for good': { open: untilAsked('failed'),               failed: untilAsked('failed') },
  prevented:         { open: always('awaited'),                  failed: always('failed') },
  'not retried':     { open: untilOld('awaited'),                failed: untilOld('failed') },
  missing:           { open: always('no longer at the service'), failed: untilAsked('failed') },
  'not read':        { open: always('awaited'),                  failed: untilAsked('failed') },
};

function newsOf(record: OpenRecord | FailedRecord, responses: EarlierResponses): News {
  const reading = readingOf(record, responses);
  const analysis = responses.files.get(analysisId(record));
  if (isMissing(reading)) return 'missing';
  if (analysis) return analysis.prospect;
  if (reading?.error) return reading.error.isAboutResource ? 'no result' : 'prevented';
  if (!reading?.response) return 'not read';
  const { ended, mayPass } = reading.response.status;
  return mayPass && !ended ? 'at work' : 'no result';
}

/** Whether the service no longer has a submission. */
export function isMissing(reading: SubmissionReading | undefined): boolean {
  return !reading?.response && reading?.error?.failureClass === 'missing';
}

export interface RecordInUse {
  readonly record: ContentRecord;
  readonly use: RecordUse;
}

/** The records of a content with their uses, the one that the plan prefers, if any, and those that are newer than it. */
export function chooseRecord({ records }: CandidateContent, responses: EarlierResponses, basis: PlanBasis) {
  const uses = records.map((record): RecordInUse => ({ record, use: useOf(record, responses, basis) }));
  const [preferred] = PREFERENCES.flatMap((best) => uses.find(({ use }) => use === best) ?? []);
  return { uses, preferred, newer: preferred ? uses.slice(0, uses.indexOf(preferred)) : uses };
}
