import type { Analysis } from '../service/analysis.ts';
import { idKey, isTerminal, type ListedAsset, type SubmissionResponse } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
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
  // A saved failure is shown again. A record that is still `open` is awaited once more, so that its failure is saved.
  failed: { rank: 3, loss: 'earlier analysis failed' },
  missing: { loss: 'no longer at the service' },
  // The service did not finish the analysis in seven days.
  'given up': { loss: 'earlier analysis never finished' },
};

/** A submission of an earlier run that the service still has. */
export interface FoundSubmission {
  readonly response: SubmissionResponse;
  /** The listed assets by `idKey`, because there can be thousands. Undefined if the response has no list of assets. */
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

/** The record that the plan uses, if any. @param isFailureShown whether a failure is shown; if not, the file is sent */
export function preferredRecord(
  { records }: CandidateContent,
  responses: EarlierResponses,
  isFailureShown: (failure: ContentRecord) => boolean,
): ContentRecord | undefined {
  const ranked = Map.groupBy(records, (record) => STATUSES[statusOf(record, responses)].rank);
  return ranked.get(1)?.[0] ?? ranked.get(2)?.[0] ?? ranked.get(3)?.find(isFailureShown);
}
