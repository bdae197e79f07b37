import type { Analysis } from '../service/analysis.ts';
import { idKey } from '../service/responses.ts';
import type { SubmissionReading } from '../service/submission-reading.ts';
import { analysisId, type ContentRecord, isAnalysed } from '../state/document.ts';
import type { CandidateContent } from './candidates.ts';

/**
 * What the service says in this run about the analysis of a record. This may differ from the record's `kind`, which is
 * what an earlier run saved. The two are equal if the service says nothing.
 */
export type RecordStatus = ContentRecord['kind'] | 'finished' | 'missing' | 'given up';

export type Loss = 'no longer at the service' | 'earlier analysis failed' | 'earlier analysis never finished';

/**
 * Of the records of a content, the plan uses the newest one of the lowest `rank`. If it uses none, the file is sent,
 * and the `loss` of the newest record, if it has one, says why.
 */
export const STATUSES: Readonly<Record<RecordStatus, { readonly rank?: 1 | 2 | 3; readonly loss?: Loss }>> = {
  // The service still has the analysis, or did not respond. The plan reuses the analysis.
  analysed: { rank: 1 },
  // The submission has ended and probably has the result, which the plan awaits.
  finished: { rank: 1 },
  open: { rank: 2 },
  // The failure is shown, unless this run sends the file again.
  failed: { rank: 3, loss: 'earlier analysis failed' },
  missing: { loss: 'no longer at the service' },
  // The service did not finish the analysis in seven days.
  'given up': { loss: 'earlier analysis never finished' },
};

/** What this run has read about submissions of earlier runs. */
export interface EarlierResponses {
  /** By `idKey`. A submission that was not requested is left out. */
  readonly submissions: ReadonlyMap<string, SubmissionReading>;
  /** The open and failed files whose assets had to be read, by `analysisId`. */
  readonly files: ReadonlyMap<string, EarlierFile>;
}

export interface EarlierFile {
  readonly analysis: Analysis;
  readonly status: RecordStatus;
}

export const NO_RESPONSES: EarlierResponses = { submissions: new Map(), files: new Map() };

export function readingOf(
  { submissionId }: Pick<ContentRecord, 'submissionId'>,
  { submissions }: EarlierResponses,
): SubmissionReading | undefined {
  return submissions.get(idKey(submissionId));
}

export function statusOf(record: ContentRecord, responses: EarlierResponses): RecordStatus {
  const reading = readingOf(record, responses);
  if (isMissing(reading)) return record.kind === 'failed' ? 'failed' : 'missing';
  if (!reading?.response) return record.kind;
  const { response, assets } = reading;
  if (isAnalysed(record)) return !response.assets || assets.has(idKey(record.assetId)) ? 'analysed' : 'missing';
  return responses.files.get(analysisId(record))?.status ?? (response.status.isTerminal ? 'finished' : 'open');
}

/** Whether the service no longer has a submission. */
export function isMissing(reading: SubmissionReading | undefined): boolean {
  return !reading?.response && reading?.error?.failureClass === 'missing';
}

/** The record that the plan uses, if any. @param isFailureShown whether a failure is shown; if not, the file is sent */
export function preferredRecord(
  { records }: CandidateContent,
  responses: EarlierResponses,
  isFailureShown: (failure: ContentRecord) => boolean,
): ContentRecord | undefined {
  const ranked = Map.groupBy(records, (record) => STATUSES[statusOf(record, responses)].rank);
  return ranked.get(1)?.[0] ?? ranked.get(2)?.[0] ?? ranked.get(3)?.find(isFailureShown);
}
