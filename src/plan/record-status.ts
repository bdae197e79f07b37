import type { Analysis } from '../service/analysis.ts';
import { idKey } from '../service/responses.ts';
import type { SubmissionReading } from '../service/submission-reading.ts';
import { analysisId, type ContentRecord, isAnalysed } from '../state/document.ts';
import type { CandidateContent } from './candidates.ts';

/** What a record is good for in this run, by what the service says now. */
export type RecordUse = 'reused' | 'finished' | 'awaited' | 'failed' | 'missing' | 'given up';

/** What a record is good for if the service says nothing. The keys are the words of the saved state. */
const SAVED_USES = { analysed: 'reused', open: 'awaited', failed: 'failed' } as const;

export type Loss = 'no longer at the service' | 'earlier analysis failed' | 'earlier analysis never finished';

/**
 * Of the records of a content, the plan uses the newest one of the lowest `rank`. If it uses none, the file is sent,
 * and the `loss` of the newest record, if it has one, says why.
 */
export const USES: Readonly<Record<RecordUse, { readonly rank?: 1 | 2 | 3; readonly loss?: Loss }>> = {
  // The service still has the analysis, or did not respond.
  reused: { rank: 1 },
  // Awaited, and the submission has ended, so it probably has the result.
  finished: { rank: 1 },
  awaited: { rank: 2 },
  // The file failed for good. Whether the failure is shown or the file is sent again is up to the plan.
  failed: { rank: 3, loss: 'earlier analysis failed' },
  missing: { loss: 'no longer at the service' },
  // The file was unjudged for seven days.
  'given up': { loss: 'earlier analysis never finished' },
};

/** What this run has read about submissions of earlier runs. */
export interface EarlierResponses {
  /** By `idKey`. A submission that was not requested is left out. */
  readonly submissions: ReadonlyMap<string, SubmissionReading>;
  /** The open and failed records whose assets had to be read, by `analysisId`. */
  readonly files: ReadonlyMap<string, { readonly analysis: Analysis; readonly use: RecordUse }>;
}

export const NO_RESPONSES: EarlierResponses = { submissions: new Map(), files: new Map() };

export function readingOf(
  { submissionId }: Pick<ContentRecord, 'submissionId'>,
  { submissions }: EarlierResponses,
): SubmissionReading | undefined {
  return submissions.get(idKey(submissionId));
}

export function useOf(record: ContentRecord, responses: EarlierResponses): RecordUse {
  const reading = readingOf(record, responses);
  if (isMissing(reading)) return record.kind === 'failed' ? 'failed' : 'missing';
  if (!reading?.response) return SAVED_USES[record.kind];
  const { response, assets } = reading;
  if (isAnalysed(record)) return !response.assets || assets.has(idKey(record.assetId)) ? 'reused' : 'missing';
  return responses.files.get(analysisId(record))?.use ?? (response.status.isTerminal ? 'finished' : 'awaited');
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
  const ranked = Map.groupBy(records, (record) => USES[useOf(record, responses)].rank);
  return ranked.get(1)?.[0] ?? ranked.get(2)?.[0] ?? ranked.get(3)?.find(isFailureShown);
}
