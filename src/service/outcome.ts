import { author, type Cause, FILE, rerun, type Step, SUPPORT, workflowOwner } from '../causes/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain, LATER } from './advice.ts';
import type { Analysis } from './analysis.ts';
import { type AssetReading, countOf, type EarlierResult, isRead, issuesOf, missingFact } from './asset.ts';
import type { Mode } from './endpoints.ts';
import type { Issue } from './issue.ts';
import { failureText, idKey, type SubmissionResponse } from './responses.ts';
import type { ServiceError } from './service-error.ts';
import { type FileAssets, isMissing, type SubmissionReading } from './submission.ts';

/** What is known about one file of a submission. */
export interface FileFacts {
  readonly content: Content;
  /** Set if an earlier run has read its result. */
  readonly earlier?: EarlierResult | undefined;
  readonly submission: SubmissionReading;
  readonly assets: FileAssets;
  readonly mode: Mode;
  /** For how long this run has waited. Undefined if it only asked. */
  readonly waitedMs?: number | undefined;
}

type Concluded = Pick<Analysis, 'outcome' | 'cause'>;

/** The one rule about a file: its outcome, and the sentence about it. */
export function analysisOf(facts: FileFacts): Analysis {
  const { content, earlier, submission, assets } = facts;
  const [asset] = assets.own;
  const concluded = earlier ? concludeReused(facts, earlier) : concludeOpen(facts);
  return {
    content,
    submissionId: submission.submissionId,
    ...concluded,
    issues: asset ? issuesOf(asset) : [],
    topics: earlier?.topics ?? [],
    assetId: asset?.listed.assetId ?? earlier?.assetId,
    versionNumber: asset?.listed.versionNumber ?? asset?.own?.versionNumber ?? earlier?.versionNumber,
    versionGroupId: asset?.listed.versionGroupId ?? asset?.own?.versionGroupId ?? earlier?.versionGroupId,
    isSuspicious: isSuspicious(facts),
  };
}

/** An earlier run has read the file's result. It never fails: what contradicts the result is unclear. */
function concludeReused(facts: FileFacts, earlier: EarlierResult): Concluded {
  const { submission, mode } = facts;
  const { response, error } = submission;
  const [asset] = facts.assets.own;
  if (isMissing(submission)) return missing(facts);
  if (!response) return prevented(facts, error, 'last-known');
  const { status } = response;
  if (mode === 'sandbox' && status.phase === 'complete') return RESULT;
  if (status.phase === 'unknown') return unclear(facts, describeUnknown('the submission', status.word));
  if (!asset) return unclear(facts, 'The submission of this file no longer lists it.');
  if (isRead(asset, earlier)) return RESULT;
  const said = failureText(asset.listed) || (asset.own && `it reports the status "${asset.own.status.word}"`);
  if (said && asset.own?.status.phase !== 'complete')
    return unclear(
      facts,
      `An earlier run has read the results of this file, but the service now says that it has none: ${said}.`,
    );
  const isContradicted = failureText(asset.listed) !== '' || isAbove(asset, earlier.issues);
  const isPrevented = asset.error ? asset.error.preventsReading : !isAsked(asset);
  if (isPrevented && !isContradicted) return prevented(facts, asset.error, 'last-known');
  return unclear(facts, [missingFact(asset), asset.error && `${asset.error.message}.`].filter(Boolean).join(' '));
}

/** No run has read a result of the file before. */
function concludeOpen(facts: FileFacts): Concluded {
  const { submission, assets, mode } = facts;
  const { response, error } = submission;
  const [asset, second] = assets.own;
  const phase = response?.status.phase;
  const own = asset?.own?.status;
  if (mode === 'sandbox' && phase === 'complete') return RESULT;
  if (assets.foreign.length > 0) return unclear(facts, describeForeign(assets.foreign));
  if (second)
    return unclear(facts, `The submission has ${plural(assets.own.length, 'asset')} with the name of this file.`);
  if (phase === 'unknown') return unclear(facts, describeUnknown('the submission', response?.status.word ?? ''));
  if (asset && isRead(asset)) return RESULT;
  if (isMissing(submission)) return missing(facts);
  if (!response) return prevented(facts, error, 'unread');
  const isPending = [...(asset ? [asset] : assets.unnamed)].some(({ retry }) => retry.isPending);
  switch (own?.phase) {
    case 'failed':
      return failed(facts, asset);
    case 'unknown':
      return unclear(facts, describeUnknown('this file', own.word));
    case 'complete':
      if (asset?.error?.preventsReading) return prevented(facts, asset.error, 'unread');
      return unclear(facts, asset && missingFact(asset));
    case 'running':
    case undefined:
      if (error) return prevented(facts, error, 'unread');
      if (phase === 'running' || isPending) return working(facts);
      if (own) return unclear(facts, `The submission has ended, but this file has the status "${own.word}".`);
      return concludeUnnamed(facts);
  }
}

/** The submission has ended, and it is unknown which asset is the file, because none with its name was read. */
function concludeUnnamed(facts: FileFacts): Concluded {
  const { submission, assets } = facts;
  const { unnamed, all } = assets;
  const unread = unnamed.find((asset) => asset.error?.preventsReading ?? !isAsked(asset));
  if (unread) return prevented(facts, unread.error, 'unread');
  if (unnamed.length > 0)
    return unclear(
      facts,
      `${plural(unnamed.length, 'asset')} of the submission could not be read, so it is unknown which is this file: ${formatList(unnamed.map(describeAsset))}.`,
    );
  if (!submission.response?.assets) return unclear(facts, 'The service has not listed the assets of the submission.');
  if (submission.response.status.phase === 'failed') return failed(facts, undefined);
  const instead = all.length === 0 ? '' : ` Its assets: ${formatList(all.map(describeAsset))}.`;
  return unclear(facts, `The submission has no asset with the name of this file.${instead}`);
}

const RESULT: Concluded = { outcome: 'result' };

/** Whether a read was attempted. Otherwise there was no time for it. */
function isAsked({ own, enriched, error }: AssetReading): boolean {
  return Boolean(own ?? enriched ?? error);
}

/** Whether the service counts more issues than are known. */
function isAbove(asset: AssetReading, earlier: readonly Issue[] = []): boolean {
  const ids = new Set([...issuesOf(asset), ...earlier].map(({ id }) => idKey(id)));
  return (countOf(asset) ?? 0) > ids.size;
}

/** Whether the service has reported something against a file: its failure, an error text, or more issues than known. */
function isSuspicious({ earlier, submission: { response }, assets }: FileFacts): boolean {
  const possible = assets.own.length > 0 ? assets.own : assets.unnamed;
  const hasFailed = Boolean(response?.errorMessage) || response?.status.phase === 'failed';
  return (
    (hasFailed && !earlier) ||
    possible.some((asset) => failureText(asset.listed) !== '' || isAbove(asset, earlier?.issues))
  );
}

/** The steps for a file that no re-run sends again. */
function sendAgain(mode: Mode): Step {
  const cost = mode === 'sandbox' ? 'It sends' : 'It sends and bills';
  return workflowOwner(
    `To have ${FILE} analysed again, run once with \`reuse-days: 0\` and with only this file in \`files\`. ${cost} all that \`files\` selects then.`,
  );
}

function about({ content, submission }: FileFacts, cause: Cause): Cause {
  return { ...cause, path: content.paths[0], submissionId: submission.submissionId };
}

/** A cause that all files of the submission share. */
function aboutAll({ submission }: FileFacts, cause: Cause): Cause {
  return { ...cause, submissionId: submission.submissionId };
}

function working(facts: FileFacts): Concluded {
  const { waitedMs = 0, submission } = facts;
  const minutes = plural(Math.max(1, Math.round(waitedMs / 60_000)), 'minute');
  const progress = submission.response ? describeProgress(submission.response).replace(/\.$/, '') : '';
  const message = `The analysis was not finished after ${minutes}: ${progress}.`;
  return {
    outcome: 'working',
    cause: aboutAll(facts, { reason: 'timeout', message, steps: [LATER], submission: 'open' }),
  };
}

/** @param unread the outcome of an outage, a rate limit or the deadline. A refusal leaves any file `unread`. */
function prevented(facts: FileFacts, error: ServiceError | undefined, unread: 'unread' | 'last-known'): Concluded {
  if (!error) {
    const message = 'There was no time left to read the results.';
    return { outcome: unread, cause: aboutAll(facts, { reason: 'timeout', message, steps: [rerun()] }) };
  }
  if (!error.preventsReading) return unclear(facts, `${error.message}.`);
  const cause: Cause = { ...explain(error), ...(!facts.earlier && { submission: 'open' }) };
  const isOfAll = error === facts.submission.error;
  return { outcome: error.stopsReading ? unread : 'unread', cause: (isOfAll ? aboutAll : about)(facts, cause) };
}

function unclear(facts: FileFacts, message = 'The service gives no results of this file.'): Concluded {
  const read = rerun('Re-run this job to read the results again.', 'It sends nothing again for this.');
  const steps = [read, SUPPORT, sendAgain(facts.mode)];
  return { outcome: 'unclear', cause: about(facts, { reason: 'results', message, steps }) };
}

function missing(facts: FileFacts): Concluded {
  const { submission, mode } = facts;
  const message = `${submission.error?.message}.`;
  const note = mode === 'sandbox' ? 'It sends the file again.' : 'It sends and bills the file again.';
  const steps = [rerun('If the service has deleted the submission, re-run this job.', note), SUPPORT];
  return { outcome: 'missing', cause: about(facts, { reason: 'results', message, steps }) };
}

function failed(facts: FileFacts, asset: AssetReading | undefined): Concluded {
  const { submission, mode } = facts;
  const { accepted = 0, error } = asset?.retry ?? {};
  const times = accepted === 0 ? '' : ` after ${accepted} ${accepted === 1 ? 'retry' : 'retries'}`;
  const noMore = error ? ` No ${accepted === 0 ? '' : 'other '}retry was possible: ${error.message}.` : '';
  const ofFile = asset ? failureText(asset.listed) : '';
  const ofAll = submission.response?.errorMessage?.replace(/\.$/, '');
  const said = ofFile || (ofAll && `it says about the whole submission: ${ofAll}`) || 'it gives no reason';
  const message = `The service could not analyse the file${times}: ${said}.${noMore}`;
  const isRetryable = asset?.listed.isRetryable === true;
  // A sandbox analyses nothing, so no file is to blame there.
  const isFileToBlame = ofFile !== '' && mode === 'live';
  const resend = mode === 'sandbox' ? 'It sends the same bytes again.' : 'It sends and bills the same bytes again.';
  const steps = isRetryable
    ? [rerun(undefined, 'It retries the file at no cost.'), SUPPORT, sendAgain(mode)]
    : isFileToBlame
      ? [
          author(`Check that ${FILE} can be opened. If not, replace it, commit and push.`),
          rerun(`If ${FILE} can be opened, re-run this job.`, resend),
        ]
      : [rerun(undefined, resend), SUPPORT];
  const cause = about(facts, { reason: 'asset-failed', message, steps });
  return { outcome: isRetryable ? 'retryable' : 'failed', cause };
}

function describeUnknown(subject: string, word: string): string {
  return `The service reports the status "${word}" for ${subject}, which is none of its documented statuses.`;
}

function describeForeign(foreign: readonly AssetReading[]): string {
  return `The submission has ${plural(foreign.length, 'asset')} with issues that cannot be assigned to a file (${formatList(foreign.map(describeAsset))}), so none of its files passes.`;
}

function describeAsset(asset: AssetReading): string {
  const { filename, listed, error } = asset;
  const known = failureText(listed) || (countOf(asset) ? plural(countOf(asset) ?? 0, 'issue') : '');
  return filename ?? `${listed.assetId} (${[known, error?.message ?? 'not read'].filter(Boolean).join(', ')})`;
}

/** Returns a text such as "processing, 40 %. The service says: …". */
export function describeProgress({ status, progressPercent, errorMessage }: SubmissionResponse): string {
  const isCounted = Boolean(progressPercent) && (status.phase === 'running' || status.phase === 'unknown');
  const progress = isCounted ? `${status.word}, ${progressPercent} %` : status.word;
  return errorMessage ? `${progress}. The service says: ${errorMessage}` : progress;
}
