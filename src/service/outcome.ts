import { author, type Cause, FILE, rerun, type Step, SUPPORT, workflowOwner } from '../causes/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { explain, LATER } from './advice.ts';
import type { Analysis } from './analysis.ts';
import { type AssetReading, countOf, isRead, isRetrying, issuesOf, missingFact } from './asset.ts';
import type { Mode } from './endpoints.ts';
import { failureText, idKey, type SubmissionResponse } from './responses.ts';
import type { ServiceError } from './service-error.ts';
import type { FoundAssets, NeededFile, SubmissionReading } from './submission.ts';

/** What is known about one file of a submission. */
interface FileFacts extends NeededFile, Pick<FoundAssets, 'unnamed' | 'foreign'> {
  readonly submissionId: string;
  readonly submission: SubmissionReading;
  /** Whether the service has called the submission missing for 20 s. */
  readonly isMissing: boolean;
  /** Its assets, usually one. */
  readonly own: readonly AssetReading[];
  readonly mode: Mode;
}

type Concluded = Pick<Analysis, 'outcome' | 'cause'>;

/** What this run has read about a file: its outcome, why, and its issues. */
export function analysisOf(facts: FileFacts): Analysis {
  const { content, submissionId, earlier } = facts;
  const [asset] = facts.own;
  return {
    content,
    submissionId,
    ...conclude(facts),
    issues: asset ? issuesOf(asset) : [],
    topics: earlier?.topics ?? [],
    assetId: asset?.listed.assetId ?? earlier?.assetId,
    versionNumber: asset?.listed.versionNumber ?? earlier?.versionNumber,
    versionGroupId: asset?.listed.versionGroupId ?? undefined,
    isSuspicious: isSuspicious(facts),
  };
}

function conclude(facts: FileFacts): Concluded {
  const { earlier, submission, isMissing, own, foreign, mode } = facts;
  const { response, error } = submission;
  const status = response?.status;
  const [asset, second] = own;
  if (mode === 'sandbox' && status?.phase === 'complete') return RESULT;
  if (status?.phase === 'unknown') return unclear(facts, describeUnknown('the submission', status.word));
  if (!earlier && foreign.length > 0) return unclear(facts, describeForeign(foreign));
  if (second) return unclear(facts, `The submission has ${plural(own.length, 'asset')} with the name of this file`);
  if (asset && isRead(asset)) return RESULT;
  if (isMissing) return missing(facts);
  if (!response) return prevented(facts, error);
  return earlier ? concludeAnalysed(facts) : concludeOpen(facts, response);
}

/** An earlier run has read the file's result. It never fails: what contradicts the result is unclear. */
function concludeAnalysed(facts: FileFacts): Concluded {
  const [asset] = facts.own;
  if (!asset) return unclear(facts, 'The submission of this file no longer lists it.');
  const assetStatus = asset.response?.status;
  const failure =
    failureText(asset.listed) ||
    (assetStatus && assetStatus.phase !== 'complete' && `it has the status "${assetStatus.word}"`);
  if (isPrevented(asset) && !failure && !isAbove(asset)) return prevented(facts, asset.error);
  const now = failure || missingFact(asset) || asset.error?.message || 'it shows fewer issues';
  return unclear(facts, `An earlier run has read the results of this file, but the service contradicts them: ${now}`);
}

/** No run has read a result of the file before. */
function concludeOpen(facts: FileFacts, response: SubmissionResponse): Concluded {
  const { submission, unnamed } = facts;
  const [asset] = facts.own;
  const assetStatus = asset?.response?.status;
  switch (assetStatus?.phase) {
    case 'failed':
      return failed(facts, asset);
    case 'unknown':
      return unclear(facts, describeUnknown('this file', assetStatus.word));
    case 'complete':
      if (asset?.error?.preventsReading) return prevented(facts, asset.error);
      return unclear(facts, asset && missingFact(asset));
    case 'running':
    case undefined:
      if (submission.error) return prevented(facts, submission.error);
      if (response.status.phase === 'running' || (asset ? [asset] : unnamed).some(isRetrying)) return working(response);
      if (assetStatus)
        return unclear(facts, `The submission has ended, but this file has the status "${assetStatus.word}"`);
      return concludeUnnamed(facts, response);
  }
}

/** The submission has ended, and it is unknown which asset is the file, because none with its name was read. */
function concludeUnnamed(facts: FileFacts, response: SubmissionResponse): Concluded {
  const { unnamed } = facts;
  const unread = unnamed.find(isPrevented);
  if (unread) return prevented(facts, unread.error);
  if (unnamed.length > 0)
    return unclear(
      facts,
      `${plural(unnamed.length, 'asset')} of the submission could not be read, so it is unknown which is this file: ${formatList(unnamed.map(describeAsset))}`,
    );
  if (!response.assets) return unclear(facts, 'The service has not listed the assets of the submission');
  if (response.status.phase === 'failed') return failed(facts, undefined);
  return unclear(facts, 'The submission has no asset with the name of this file');
}

const RESULT: Concluded = { outcome: 'result' };

/** Whether an outage, a refusal, a rate limit or the deadline kept an asset from being read. */
function isPrevented({ response, enriched, error }: AssetReading): boolean {
  return error?.preventsReading ?? !(response ?? enriched);
}

/** Whether the service counts more issues than are known. */
function isAbove(asset: AssetReading): boolean {
  const known = [...issuesOf(asset), ...(asset.earlier?.issues ?? [])];
  const ids = new Set(known.map(({ id }) => idKey(id)));
  return (countOf(asset) ?? 0) > ids.size;
}

/** Whether the service has reported something against a file: its failure, an error text, or an issue that is not known. */
function isSuspicious({ earlier, submission: { response }, own, unnamed, foreign }: FileFacts): boolean {
  const possible = earlier || own.length > 0 ? own : unnamed;
  const hasFailed = Boolean(response?.errorMessage) || response?.status.phase === 'failed';
  return (
    (hasFailed && !earlier) ||
    foreign.length > 0 ||
    possible.some((asset) => failureText(asset.listed) !== '' || isAbove(asset))
  );
}

function working(response: SubmissionResponse): Concluded {
  const message = asSentence(`The analysis was not finished in time: ${describeProgress(response)}`);
  const cause: Cause = { reason: 'timeout', message, steps: [LATER], submission: 'open' };
  return { outcome: 'working', cause };
}

/**
 * After an outage, a rate limit or the deadline, an analysed file is `last-known` and any other `unread`. After a refusal,
 * both are `unread`.
 */
function prevented(facts: FileFacts, error: ServiceError | undefined): Concluded {
  const { earlier, submission } = facts;
  const outcome = earlier && (error?.stopsReading ?? true) ? 'last-known' : 'unread';
  if (!error) {
    const message = 'There was no time left to read the results.';
    return { outcome, cause: { reason: 'timeout', message, steps: [rerun()] } };
  }
  if (!error.preventsReading) return unclear(facts, error.message);
  const cause: Cause = { ...explain(error), ...(!earlier && { submission: 'open' }) };
  return { outcome, cause: error === submission.error ? cause : aboutFile(facts, cause) };
}

function aboutFile({ content }: FileFacts, cause: Cause): Cause {
  return { ...cause, path: content.paths[0] };
}

function unclear(facts: FileFacts, message = 'The service gives no results of this file'): Concluded {
  const read = rerun('Re-run this job to read the results again.', 'It sends nothing again for this.');
  const steps = [read, SUPPORT, sendAlone(facts)];
  return { outcome: 'unclear', cause: aboutFile(facts, { reason: 'results', message: asSentence(message), steps }) };
}

function missing(facts: FileFacts): Concluded {
  const message = asSentence(`${facts.submission.error?.message}`);
  const note = `It ${sends(facts)} the file again.`;
  const steps = [rerun('If the service has deleted the submission, re-run this job.', note), SUPPORT];
  return { outcome: 'missing', cause: aboutFile(facts, { reason: 'results', message, steps }) };
}

function failed(facts: FileFacts, asset: AssetReading | undefined): Concluded {
  const { submission, mode } = facts;
  const ofFile = asset ? failureText(asset.listed) : '';
  const ofAll = submission.response?.errorMessage;
  const said = ofFile || (ofAll && `it says about the whole submission: ${ofAll}`) || 'it gives no reason';
  const error = asset?.retry.error;
  const noMore = error ? ` It was not retried: ${error.message}.` : '';
  const message = `${asSentence(`The service could not analyse the file: ${said}`)}${noMore}`;
  const isRetryable = asset?.listed.isRetryable === true;
  const resend = `It ${sends(facts)} the same bytes again.`;
  // A sandbox analyses nothing, so no file is to blame there.
  const ofFailed =
    ofFile !== '' && mode === 'live'
      ? [
          author(`Check that ${FILE} can be opened. If not, replace it, commit and push.`),
          rerun(`If ${FILE} can be opened, re-run this job.`, resend),
        ]
      : [rerun(undefined, resend), SUPPORT];
  const steps = isRetryable
    ? [rerun(undefined, 'It retries at no cost what has failed.'), SUPPORT, sendAlone(facts)]
    : ofFailed;
  const cause = aboutFile(facts, { reason: 'asset-failed', message, steps });
  return { outcome: isRetryable ? 'retryable' : 'failed', cause };
}

/** The step for a file that no re-run sends again. */
function sendAlone(facts: FileFacts): Step {
  return workflowOwner(
    `To have ${FILE} analysed again, run once with \`reuse-days: 0\` and with nothing else in \`files\`. It ${sends(facts)} all that \`files\` selects then.`,
  );
}

function sends({ mode }: FileFacts): string {
  return mode === 'sandbox' ? 'sends' : 'sends and bills';
}

function asSentence(text: string): string {
  return text.replace(/\.*$/, '.');
}

function describeUnknown(subject: string, word = ''): string {
  return `The service reports the status "${word}" for ${subject}, which is none of its documented statuses`;
}

function describeForeign(foreign: readonly AssetReading[]): string {
  return `The submission has ${plural(foreign.length, 'asset')} with issues, or not read, that cannot be assigned to a file (${formatList(foreign.map(describeAsset))}), so none of its files passes`;
}

function describeAsset({ filename, listed, error }: AssetReading): string {
  return filename ?? `${listed.assetId} (${error?.message ?? 'not read'})`;
}

/** Returns a text such as "processing, 40 %. The service says: …". */
export function describeProgress({ status, progressPercent, errorMessage }: SubmissionResponse): string {
  const percent = progressPercent && status.phase === 'running' ? `, ${progressPercent} %` : '';
  const progress = `${status.word}${percent}`;
  return errorMessage ? `${progress}. The service says: ${errorMessage}` : progress;
}
