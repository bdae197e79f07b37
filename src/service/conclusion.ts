import type { Cause } from '../causes/cause.ts';
import type { Content } from '../media/content.ts';
import { isRefused, isRetryable, isRetryPrevented } from './asset-retries.ts';
import { unreadIssues } from './issue.ts';
import { type AssetReading, type EarlierResult, isSuspicious, isWithoutResult, missingFact } from './read-asset.ts';
import { failureText, type Status } from './responses.ts';
import { type SubmissionReading, stageOf } from './submission-reading.ts';

/**
 * What this run has read about one file:
 *
 * - `complete`: the file's asset is complete, and all its issues were read
 * - `incomplete`: the file's asset is complete, but the issue count or an issue is missing
 * - `unread`: an earlier run has read all issues, and an outage, a rate limit or the deadline prevented a new read
 * - `running`, `failed`: the service has not ended its work on the file's asset, or has ended it without a result
 * - `objected`: no file passes under the status of the file's asset or of its submission, which has not ended
 * - `none`: no asset has the file's name, or the asset could not be read
 * - `unclear`: the responses contradict each other, an asset that is not complete has an error or an issue, a retry goes on
 *   elsewhere, or an asset may be any file of the submission
 */
export type Evidence = 'complete' | 'incomplete' | 'running' | 'failed' | 'objected' | 'unread' | 'none' | 'unclear';

/**
 * The situation of the file's submission:
 *
 * - `listed`, `unlisted`: it is at work or has results, and its list of assets is known, or is not
 * - `failed`: it has ended without results
 * - `reused`: an earlier run has read the file's results
 * - `simulated`: it is complete in a sandbox, which analyses nothing
 */
export type Situation = 'listed' | 'unlisted' | 'failed' | 'reused' | 'simulated';

/**
 * What this run knows about a file in the end:
 *
 * - `judged`: all issues were read, and decide
 * - `unread`: an outage, a rate limit or the time limit prevented the read of a reused analysis, and nothing contradicts
 *   it, so what earlier runs know decides
 * - `failed`: the file has no result: later runs may retry it, and if it failed for good, a re-run sends it again
 * - `unjudged`: a fact is missing, and later runs look for it again
 */
export type Outcome = 'judged' | 'unread' | 'failed' | 'unjudged';

/** `ended`: the file is unjudged, and if the wait ended early, for that reason, which may be an outage. */
export type Conclusion = Outcome | 'ended';

/**
 * What later runs, and the plan of this one, can expect of a file:
 *
 * - `result`: the service has its result, which was read, unless an outage, a rate limit or a gateway prevented that
 * - `incomplete`: the service has its result, but an issue or the issue count is missing
 * - `retried`: the service has accepted a retry of it, which is free, or of another file, after which its turn comes
 * - `at work`: the service works on it, has moved it to another submission, or would work on it after another retry
 * - `not healed`: its retry was refused, has failed, or had no effect
 * - `no result`: another fact is missing
 * - `failed for good`: there will be no result of this submission, unless the service heals the file
 * - `prevented`: an outage, a rate limit or a gateway prevented a read of it
 * - `not retried`: an outage, a rate limit or a gateway prevented its retry, or that of another file of the submission
 */
export type Prospect =
  | 'result'
  | 'incomplete'
  | 'retried'
  | 'at work'
  | 'not healed'
  | 'no result'
  | 'failed for good'
  | 'prevented'
  | 'not retried';

/** What follows for a file, from the situation of its submission and what was read about the file. */
// biome-ignore format: a table
const CONCLUSIONS: Readonly<Record<Situation, Readonly<Record<Evidence, Conclusion>>>> = {
  listed: {
    complete: 'judged',   failed: 'failed',   running: 'ended',    none: 'ended',
    objected: 'unjudged', unread: 'unjudged', unclear: 'unjudged', incomplete: 'unjudged' },
  // Nothing more is waited for after a failure. A file without an asset is among those that failed.
  failed: {
    complete: 'judged',   failed: 'failed',   running: 'unjudged', none: 'failed',
    objected: 'unjudged', unread: 'unjudged', unclear: 'unjudged', incomplete: 'unjudged' },
  // An unknown list may hold another asset of the same file, or call a failed one retryable.
  unlisted: {
    complete: 'ended',    failed: 'unjudged', running: 'ended',    none: 'ended',
    objected: 'unjudged', unread: 'unjudged', unclear: 'unjudged', incomplete: 'unjudged' },
  // A reading never makes worse what is paid for, so a reused file does not fail.
  reused: {
    complete: 'judged',   failed: 'unjudged', running: 'unjudged', none: 'ended',
    objected: 'unjudged', unread: 'unread',   unclear: 'unjudged', incomplete: 'unjudged' },
  // A sandbox analyses nothing, so nothing has to be proven.
  simulated: {
    complete: 'judged',   failed: 'failed',   running: 'judged',   none: 'judged',
    objected: 'unjudged', unread: 'judged',   unclear: 'judged',   incomplete: 'judged' },
};

/** Everything that is known about one file. */
export interface FileFacts {
  readonly content: Content;
  readonly submission: SubmissionReading;
  /** The readings of all assets that may belong to a needed file; for a reused file, of its own. */
  readonly readings: readonly AssetReading[];
  /** The assets of this file, usually one. */
  readonly assets: readonly AssetReading[];
  /** The assets whose name could not be read. Each may be this file. */
  readonly unnamed: readonly AssetReading[];
  /** Why no file of the submission passes. Set if an asset may be any of the files. */
  readonly doubt?: string | undefined;
  /** Whether an asset with an issue has the name of no file: then neither a timeout nor an outage excuses a file. */
  readonly hasStray?: boolean | undefined;
  /** Why the work on the submission ended early. */
  readonly earlyEnd?: Cause | undefined;
  readonly isSandbox: boolean;
}

/** The one rule of judgement: what follows for a file from everything that is known about it. */
export function conclude(facts: FileFacts) {
  const situation = situationOf(facts);
  const evidence = evidenceOf(facts);
  const conclusion = CONCLUSIONS[situation][evidence];
  return { situation, evidence, conclusion, prospect: prospectOf(conclusion, evidence, facts) };
}

function situationOf({ submission: { response }, assets: [asset], isSandbox }: FileFacts): Situation {
  const { status, assets } = response ?? {};
  if (asset?.earlier) return 'reused';
  if (status?.ended === 'with results' && isSandbox) return 'simulated';
  // An outage may excuse a file of an unlisted submission, but not one whose submission has a status that never passes.
  if (!status || (!assets && status.mayPass)) return 'unlisted';
  return status.ended === 'without results' ? 'failed' : 'listed';
}

/** If it is unknown which asset is the file, it may be any asset without a name. */
export function assetsOrUnnamed({ assets, unnamed }: FileFacts): readonly AssetReading[] {
  return assets.length > 0 ? assets : unnamed;
}

/** Whether an accepted retry has not failed again. If the record is old, the reader has waited for its effect. */
function isRetryUnderWay({ retry, own }: AssetReading, facts: FileFacts): boolean {
  const { count = 0, isEffective } = retry ?? {};
  return count > 0 && (isEffective ? own?.status.ended !== 'without results' : !isOld(facts));
}

/** Whether the service is working on an asset: it may take the retry of another one only afterwards. */
function isAtWork({ own }: AssetReading): boolean {
  return own?.status.mayPass === true && !own.status.ended;
}

function isOld({ content, submission: { old = [] } }: FileFacts): boolean {
  return old.some(({ sha256 }) => sha256 === content.sha256);
}

function isReadPrevented(facts: FileFacts): boolean {
  const { submission, assets, unnamed, doubt } = facts;
  // An unreadable asset that may be any of the files may be this one.
  const readings = doubt === undefined ? assetsOrUnnamed(facts) : [...assets, ...unnamed];
  return [submission, ...readings].some(({ error }) => error?.isAboutResource === false);
}

function prospectOf(conclusion: Conclusion, evidence: Evidence, facts: FileFacts): Prospect {
  const { submission, assets } = facts;
  const [asset] = assets;
  const { mayPass, ended } = submission.response?.status ?? {};
  if (conclusion === 'judged') return 'result';
  if (hasFailedForGood(conclusion, facts)) return 'failed for good';
  if (asset?.retry?.movedTo !== undefined) return 'at work';
  const isAccepted = (each: AssetReading): boolean => isRetryUnderWay(each, facts);
  if (assetsOrUnnamed(facts).some(isAccepted)) return 'retried';
  if (isReadPrevented(facts)) return evidence === 'incomplete' ? 'result' : 'prevented';
  if (evidence === 'incomplete') return 'incomplete';
  if (asset && isAtWork(asset)) return 'at work';
  // The service may respond with 404 until an asset has finished.
  if (evidence === 'none' && mayPass && !ended) return 'at work';
  if (conclusion !== 'failed') return 'no result';
  if (facts.readings.some(isRetryPrevented)) return 'not retried';
  // The service may take one retry at a time, and list a file only after that of another one.
  if (facts.readings.some(isAccepted)) return 'retried';
  const isInVain = assetsOrUnnamed(facts).some(({ retry }) => retry) && !facts.readings.some(isAtWork);
  return isInVain ? 'not healed' : 'at work';
}

/** Whether a later run would get no result of this submission either, unless the service heals the file. */
function hasFailedForGood(conclusion: Conclusion, facts: FileFacts): boolean {
  const { earlyEnd, readings, submission } = facts;
  const statuses = [submission.response?.status, facts.assets[0]?.own?.status];
  if (conclusion === 'failed' && statuses.some((status) => status?.isFinal)) return true;
  if (earlyEnd !== undefined) return false;
  const isAnyRetryAccepted = readings.some(({ retry }) => retry && retry.count > 0);
  const isAnyAtWork = isAnyRetryAccepted || readings.some(isAtWork);
  const isBeyondRetry = (asset: AssetReading): boolean =>
    asset.error?.isAboutResource !== false &&
    !isRetryUnderWay(asset, facts) &&
    (!isRetryable(asset) || (isRefused(asset) && !isAnyAtWork));
  const assets = assetsOrUnnamed(facts);
  // A file without an asset may be listed when the work on another one has ended.
  const isListed = assets.length > 0 || stageOf(submission) === 'done';
  if (conclusion === 'failed' && isListed && assets.every(isBeyondRetry)) return true;
  // The plan never gives up such a file by age, so after seven days it has failed for good.
  const isPrevented = isReadPrevented(facts) || readings.some(isRetryPrevented);
  const isNeverGivenUp = submission.response?.status.isGivenUpByAge === false;
  return isOld(facts) && isNeverGivenUp && !isAnyRetryAccepted && !isPrevented;
}

function evidenceOf(facts: FileFacts): Evidence {
  const { assets, unnamed, submission, doubt, hasStray, isSandbox } = facts;
  const [asset, second] = assets;
  const objection = evidenceUnder(submission.response?.status);
  if (objection) return objection;
  if (second) return 'unclear';
  if (!asset) {
    const { status, assets: list } = submission.response ?? {};
    // No outage excuses a file of a failed submission, even if its list of assets is unknown.
    const isExplained =
      status?.ended === 'without results' ? list && unnamed.every(isWithoutResult) : !unnamed.some(isSuspicious);
    return isExplained && !hasStray ? 'none' : 'unclear';
  }
  const evidence = asset.earlier ? evidenceOfReused(asset, asset.earlier, isSandbox) : evidenceOfAsset(asset);
  const isDoubted =
    evidence === 'complete' ? doubt !== undefined : hasStray && ['running', 'failed'].includes(evidence);
  return isDoubted ? 'unclear' : evidence;
}

/** Whatever else was read, no file passes under some statuses. Undefined if files may pass. */
function evidenceUnder(status: Status | undefined): Evidence | undefined {
  if (!status || status.mayPass) return undefined;
  return status.ended ? 'failed' : 'objected';
}

function evidenceOfAsset(asset: AssetReading): Evidence {
  if (!asset.own) return 'none';
  const { status } = asset.own;
  const objection = evidenceUnder(status);
  if (objection) return objection;
  if (!status.ended) return isSuspicious(asset) ? 'unclear' : 'running';
  if (status.ended === 'with results') return missingFact(asset) === undefined ? 'complete' : 'incomplete';
  return asset.retry?.movedTo === undefined ? 'failed' : 'unclear';
}

/** The earlier issues are enough if the read was prevented, unless the service now reports an error or more issues. */
function evidenceOfReused(asset: AssetReading, earlier: EarlierResult, isSandbox: boolean): Evidence {
  const { own, error, issues, issueCount = 0 } = asset;
  const evidence = evidenceOfAsset(asset);
  // With an error, an outage or a rate limit prevented the read. Without an error, no time was left for the read.
  const isExcused = isSandbox || (error ? error.stopsReading : !own);
  if (!isExcused || (evidence !== 'none' && evidence !== 'incomplete')) return evidence;
  if (failureText(asset.listed) !== '') return 'unclear';
  return issueCount <= issues.length + unreadIssues(earlier.issues, issues).length ? 'unread' : 'incomplete';
}
