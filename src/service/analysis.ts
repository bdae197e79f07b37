import { author, type Cause, FILE, rerun, type Step, SUPPORT, workflowOwner } from '../causes/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain, LATER } from './advice.ts';
import {
  assetsOrUnnamed,
  type Conclusion,
  conclude,
  type FileFacts,
  type Outcome,
  type Prospect,
} from './conclusion.ts';
import { type Issue, joinById, parseTopics, type Topic } from './issue.ts';
import { type AssetReading, hasIssue, isWithoutResult, missingFact, versionOf } from './read-asset.ts';
import { failureText, type SubmissionResponse } from './responses.ts';
import {
  areAssetsDue,
  assetsOfFiles,
  isTimeUp,
  isUnfinished,
  reusedAssets,
  type SubmissionReading,
} from './submission-reading.ts';

/** What this run has read about one content at the service. What earlier runs know is added by `judge`. */
export interface Analysis {
  readonly content: Content;
  readonly outcome: Outcome;
  readonly prospect: Prospect;
  /** The issues that could be read. The list is complete only if the content is judged. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId?: string | undefined;
  readonly versionNumber?: number | undefined;
  readonly versionGroupId?: string | undefined;
  readonly versionCount?: number | undefined;
  /** Why the content is not judged. */
  readonly causes: readonly Cause[];
}

/** What this run has read about the files that it needs of one submission. */
export interface SubmissionResults {
  readonly submission: SubmissionReading;
  /** Of the reused files and, if their assets were read or have issues, of `contents`. */
  readonly analyses: readonly Analysis[];
}

/** What the analyses depend on beside the submission. */
type Ending = Pick<FileFacts, 'earlyEnd' | 'isSandbox'>;

/** @param startedAt when the call began, by `monotonicMs` */
export function resultsOf(submission: SubmissionReading, startedAt: number, isSandbox: boolean): SubmissionResults {
  const ending = { earlyEnd: explainEarlyEnd(submission, startedAt), isSandbox };
  const ofReused = reusedAssets(submission).map((each) => reusedAnalysis(submission, each, ending));
  const ofContents = submission.contents.length > 0 ? analysesOf(submission, ending) : [];
  const isDue = areAssetsDue(submission);
  // An issue that was read stays read when the service goes back to work.
  const known = ofContents.filter(({ issues }) => isDue || issues.length > 0);
  return { submission, analyses: [...ofReused, ...known] };
}

export function analysesOf(submission: SubmissionReading, ending: Ending): readonly Analysis[] {
  const fileAssets = assetsOfFiles(submission);
  const { readings, of, unnamed, strays } = fileAssets;
  const hasStray = strays.some(hasIssue);
  const doubt = describeDoubtful(fileAssets, submission);
  const facts = { ...ending, submission, readings, unnamed, doubt, hasStray };
  return submission.contents.map((content) => analysisOf({ ...facts, content, assets: of(content) }));
}

/** Only a submission that could not be read keeps the asset of a reused file from being read. */
export function reusedAnalysis(
  submission: SubmissionReading,
  { content, asset }: { readonly content: Content; readonly asset: AssetReading },
  { earlyEnd, isSandbox }: Ending,
): Analysis {
  const { response, error } = submission;
  const assets = [response ? asset : { ...asset, error }];
  const ending = { earlyEnd: response ? undefined : earlyEnd, isSandbox };
  return analysisOf({ ...ending, content, submission, readings: assets, assets, unnamed: [] });
}

/** A file that an earlier run has saved as failed for good. If this run has read the same, its words are shown. */
export function failedBefore(
  content: Content,
  { submissionId, at, message }: Readonly<Record<'submissionId' | 'at' | 'message', string>>,
  read: Analysis | undefined,
  isSandbox: boolean,
): Analysis {
  const said = (read?.prospect === 'failed for good' && read.causes[0]) || { message, steps: sendAgain(isSandbox) };
  const cost = isSandbox ? '' : ', so nothing was billed';
  const repeat = content.file ? 're-run this job' : 'check it out with `lfs: true` and re-run that job';
  const rest = `There is no result since ${at.slice(0, 10)}. The file was not sent again${cost}. To send it again, ${repeat} when the service responds, change the file or set \`reuse-days: 0\`. If the service still allows a retry, the next run retries it instead.`;
  const cause = { message: `${said.message} ${rest}`, steps: said.steps, submissionId };
  const causes = [about(content, { reason: 'asset-failed', ...cause })];
  const { issues, topics } = { issues: [], topics: [], ...read };
  return { content, submissionId, outcome: 'failed', prospect: 'failed for good', issues, topics, causes };
}

/** What is known about a file, and what follows from it. */
type ConcludedFacts = FileFacts & ReturnType<typeof conclude>;

function analysisOf(known: FileFacts): Analysis {
  const facts = { ...known, ...conclude(known) };
  const { content, submission, assets, conclusion, prospect } = facts;
  const [asset] = assets;
  const { earlier } = asset ?? {};
  const issues = assets.map((each) => each.issues).reduce(joinById, []);
  return {
    content,
    outcome: conclusion === 'ended' ? 'unjudged' : conclusion,
    prospect,
    issues,
    topics: parseTopics(earlier?.topics, [...(earlier?.issues ?? []), ...issues]),
    submissionId: submission.submissionId,
    assetId: asset?.listed.assetId,
    ...(asset && versionOf(asset)),
    causes: conclusion === 'judged' ? [] : [EXPLANATIONS[conclusion](facts)],
  };
}

const EXPLANATIONS: Readonly<Record<Exclude<Conclusion, 'judged'>, (facts: ConcludedFacts) => Cause>> = {
  unread: explainUnread,
  failed: explainFailure,
  ended: (facts) => explainEnd(facts) ?? explainUnjudged(facts),
  unjudged: explainUnjudged,
};

/** Why the read of a reused analysis was prevented. */
function explainUnread({ assets: [asset] }: FileFacts): Cause {
  if (asset?.error) return explain(asset.error);
  return { reason: 'timeout', message: 'There was no time left to read earlier results again.', steps: [rerun()] };
}

/** Why the wait ended early or, if it did not, which error may have kept the asset of this file from being read. */
function explainEnd({ evidence, content, earlyEnd, unnamed }: ConcludedFacts): Cause | undefined {
  const stopped = evidence === 'none' ? unnamed.find(({ error }) => error?.stopsReading)?.error : undefined;
  return earlyEnd ?? (stopped && about(content, { ...explain(stopped), submission: 'open' }));
}

function explainUnjudged(facts: ConcludedFacts): Cause {
  const { content, submission, situation, evidence, prospect, isSandbox } = facts;
  const { submissionId } = submission;
  const objection = describeObjection(facts);
  const message = objection === undefined ? describeMissing(facts) : `${objection}, so this file does not pass.`;
  const cause = about(content, { reason: 'results', message, submissionId, steps: AGAIN });
  if (prospect === 'failed for good') return { ...cause, steps: sendAgain(isSandbox) };
  const isOver = evidence === 'failed' && objection !== undefined;
  if (situation === 'reused') return { ...cause, steps: isOver ? [SEND_ALL, SUPPORT] : [...AGAIN, SEND_ALL] };
  if (evidence === 'running') return { ...cause, steps: [LATER], submission: 'open' };
  return evidence === 'objected' ? { ...cause, submission: 'open' } : cause;
}

/** Says which status lets no file pass. Undefined if there is none. */
function describeObjection({ submission, assets: [asset] }: FileFacts): string | undefined {
  const statuses = { 'the submission': submission.response?.status, 'this file': asset?.own?.status };
  const [subject, status] = Object.entries(statuses).find(([, each]) => each?.mayPass === false) ?? [];
  return status && `The service reports the status "${status.word}" for ${subject}, ${status.objection}`;
}

const AGAIN = [rerun(), SUPPORT];
const SEND_ALL = workflowOwner(
  `To have ${FILE} analysed again, set \`reuse-days: 0\` for one run. It sends every file.`,
);

/** Says which fact is missing about a file. */
function describeMissing(facts: ConcludedFacts): string {
  const { situation, evidence, assets } = facts;
  const [asset] = assets;
  const { response, error } = facts.submission;
  if (error && !response) return `${error.message}.`;
  if (situation === 'unlisted') return "The service has not listed the submission's assets.";
  switch (evidence) {
    case 'incomplete':
      return [asset && missingFact(asset), asset?.error && `${asset.error.message}.`].filter(Boolean).join(' ');
    case 'running':
      return `The service is still analysing this file: it reports the status "${asset?.own?.status.word}".`;
    case 'failed':
      return `The service now says that it could not analyse the file (${reasonOf(assets) || 'without a reason'}), although an earlier run read its results.`;
    case 'unclear':
      return describeContradiction(facts);
    default:
      return describeNoAsset(facts);
  }
}

/** Why the work on a submission ended early. Undefined if it was completed. */
function explainEarlyEnd(submission: SubmissionReading, startedAt: number): Cause | undefined {
  const { submissionId, contents, response, error, askedAt = 0 } = submission;
  const isAwaited = contents.length > 0 && error?.failureClass !== 'missing';
  if (error) return { ...explain(error), submissionId, ...(isAwaited && { submission: 'open' }) };
  if (!response || !isTimeUp(submission) || !isUnfinished(submission)) return undefined;
  const minutes = plural(Math.max(1, Math.round((askedAt - startedAt) / 60_000)), 'minute');
  return {
    reason: 'timeout',
    message: `The analysis was not finished after ${minutes}: ${describeProgress(response).replace(/\.$/, '')}.`,
    steps: [LATER],
    submissionId,
    submission: 'open',
  };
}

/** Returns a text such as "processing, 40 %. The service says: …". */
export function describeProgress({ status, progressPercent, errorMessage }: SubmissionResponse): string {
  const isCounted = Boolean(progressPercent) && !status.ended;
  const progress = isCounted ? `${status.word}, ${progressPercent} %` : status.word;
  return errorMessage ? `${progress}. The service says: ${errorMessage}` : progress;
}

function describeNoAsset({ readings, assets: [asset], unnamed }: FileFacts): string {
  if (asset?.error) return `${asset.error.message}.`;
  if (unnamed.some(({ error }) => error))
    return `${plural(unnamed.length, 'asset')} of the submission could not be read, so it is unknown which is this file: ${formatList(unnamed.map(describeAsset))}.`;
  const instead = readings.length === 0 ? '' : ` Its assets: ${formatList(readings.map(describeAsset))}.`;
  return `The submission has no asset with the name of this file.${instead}`;
}

function describeAsset({ own, listed, error, issueCount = 0 }: AssetReading): string {
  const known = failureText(listed) || (issueCount > 0 ? plural(issueCount, 'issue') : '');
  return own?.filename ?? `${listed.assetId} (${[known, error?.message ?? 'not read'].filter(Boolean).join(', ')})`;
}

function describeContradiction(facts: FileFacts): string {
  const { assets, doubt } = facts;
  const [asset] = assets;
  if (!asset) return describeNoAsset(facts);
  if (assets.length > 1) return `The submission has ${plural(assets.length, 'asset')} with the name of this file.`;
  if (asset.retry?.movedTo !== undefined)
    return `The service goes on with the retry of this file in another submission (${asset.retry.movedTo}), which this run does not wait for.`;
  if (doubt !== undefined) return doubt;
  const known = reasonOf(assets) || `it counts ${plural(asset.issueCount ?? asset.issues.length, 'issue')}`;
  return `The service has not confirmed that this file is complete, but says about it: ${known}.`;
}

/**
 * Describes assets that may be any file, so that no file passes. These are assets whose name this gate did not send,
 * if they have an error or an issue, and assets without a name, if there are more of them than files without an asset.
 */
function describeDoubtful(
  { unnamed, withoutAsset, strays }: ReturnType<typeof assetsOfFiles>,
  { response }: SubmissionReading,
): string | undefined {
  const hasFailed = response?.status.ended === 'without results';
  const mayBeJudged = hasFailed ? unnamed.filter((asset) => !isWithoutResult(asset)) : unnamed;
  const isSurplus = mayBeJudged.length > withoutAsset;
  const doubtful = [...strays.filter(hasIssue), ...(isSurplus ? mayBeJudged : [])];
  if (doubtful.length === 0) return undefined;
  return `The submission has ${plural(doubtful.length, 'asset')} that cannot be assigned to a file (${formatList(doubtful.map(describeAsset))}), so none of its files passes.`;
}

/** If it is unknown which asset is the file, the errors of all assets without a name are reported. */
function explainFailure(facts: ConcludedFacts): Cause {
  const { content, submission, isSandbox, prospect } = facts;
  const isForGood = prospect === 'failed for good';
  const { submissionId, response } = submission;
  const assets = assetsOrUnnamed(facts);
  const retry = assets.find((asset) => asset.retry)?.retry;
  const times = retry?.count ?? 0;
  const after = times === 0 ? '' : ` after ${times} ${times === 1 ? 'retry' : 'retries'}`;
  const noMore = retry?.error ? ` No ${times === 0 ? '' : 'other '}retry was possible: ${retry.error.message}.` : '';
  const ofFile = reasonOf(assets);
  const ofAll = response?.errorMessage?.replace(/\.$/, '');
  const objection = describeObjection(facts);
  const { word } = assets[0]?.own?.status ?? response?.status ?? { word: '' };
  const said = ofFile || (ofAll && `it says about the whole submission: ${ofAll}`);
  const unsaid = objection === undefined ? `it reports the status "${word}" and no reason` : 'this file does not pass';
  const start = objection ?? `The service could not analyse the file${after}`;
  const message = `${start}: ${said || unsaid}.${noMore}`;
  // A file is to blame only if the service says so, and does not call the failure one that a retry may heal.
  const isFileToBlame = ofFile !== '' && objection === undefined;
  const steps = isForGood ? sendAgain(isSandbox, isFileToBlame) : AGAIN;
  return about(content, { reason: 'asset-failed', message, steps, submissionId });
}

function reasonOf(assets: readonly AssetReading[]): string {
  return [...new Set(assets.map(({ listed }) => failureText(listed)).filter(Boolean))].join('; ');
}

/** The steps for a file that has failed for good. A sandbox analyses nothing, so no file is to blame there. */
function sendAgain(isSandbox: boolean, isFileToBlame = false): readonly Step[] {
  const note = isSandbox ? 'It sends the same bytes again.' : 'It sends and bills the same bytes again.';
  if (isSandbox || !isFileToBlame) return [rerun(undefined, note), SUPPORT];
  return [
    author(`Check that ${FILE} can be opened. If not, replace it, commit and push.`),
    rerun(`If ${FILE} can be opened, re-run this job.`, note),
  ];
}

export function about({ paths: [path] }: Content, cause: Cause): Cause {
  return { ...cause, path };
}
