import type { Cause } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import { withLastKnown } from './issue.ts';
import { type AssetReading, missingFact } from './read-asset.ts';
import { failureText, type Phase } from './responses.ts';
import type { ServiceError } from './service-error.ts';

/**
 * What this run has read about one file:
 *
 * - `complete`: the file's asset is complete, and all its issues were read
 * - `incomplete`: the file's asset is complete, but the issue count or an issue is missing
 * - `unread`: an earlier run has read all issues, and an outage, a rate limit or the deadline prevented a new read
 * - `open`, `failed`, `unknown`: the phase of the file's asset
 * - `none`: no asset has the file's name, or the asset could not be read
 * - `unclear`: the responses contradict each other, or an asset that is not complete has an error or an issue
 */
export type Evidence = Phase | 'incomplete' | 'unread' | 'none' | 'unclear';

/**
 * The submission's last phase. `unread`: its list of assets is unknown. `reused`: an earlier run has read the results.
 * `simulated`: the submission is complete in a sandbox, which analyses nothing.
 */
export type SubmissionPhase = Phase | 'unread' | 'reused' | 'simulated';

/**
 * What follows for the file. `analysis.ts` turns it into an outcome: the last two both become `unjudged`.
 *
 * - `judged`: the issues decide
 * - `unread`: what earlier runs know about the file decides
 * - `failed`: the service could not analyse the file
 * - `ended`: the file is unjudged for the reason that ended the wait or, if there is none, as if `unproven`
 * - `unproven`: the file is unjudged because a fact is missing, which `on-service-error: warn` does not forgive
 */
type Conclusion = 'judged' | 'unread' | 'failed' | 'ended' | 'unproven';

type Conclusions = Readonly<Record<Evidence, Conclusion>>;

const USUAL: Conclusions = {
  complete: 'judged',
  failed: 'failed',
  open: 'ended',
  none: 'ended',
  unread: 'unproven',
  incomplete: 'unproven',
  unknown: 'unproven',
  unclear: 'unproven',
};

/** The only place that decides what follows for a file, from the phase of its submission and what was read about it. */
export const CONCLUSIONS: Readonly<Record<SubmissionPhase, Conclusions>> = {
  open: USUAL,
  complete: USUAL,
  // A sandbox analyses nothing, so nothing has to be proven.
  simulated: { ...USUAL, none: 'judged', unclear: 'judged' },
  // An unknown list may hold another asset of the same file.
  unread: { ...USUAL, complete: 'ended' },
  // Nothing more is waited for after a failure.
  failed: { ...USUAL, open: 'unproven', none: 'failed' },
  unknown: { ...USUAL, open: 'unproven', none: 'unproven' },
  reused: { ...USUAL, open: 'unproven', none: 'unproven', failed: 'unproven', unread: 'unread' },
};

export interface SubmissionFacts {
  readonly submissionPhase: SubmissionPhase;
  /** The readings of all assets in the newest list of the submission. */
  readonly readings: readonly AssetReading[];
  /** What the service says about the submission as a whole. */
  readonly errorMessage?: string | undefined;
  /** Why the wait ended early. */
  readonly earlyEnd?: Cause | undefined;
  /** For a reused file: the error that prevented the read of its submission. */
  readonly preventedBy?: ServiceError | undefined;
}

/** Everything that is known about one file. */
export interface FileFacts extends SubmissionFacts {
  readonly content: Content;
  readonly submissionId: string;
  /** The assets of this file, usually one. */
  readonly assets: readonly AssetReading[];
  /** The assets whose name could not be read. Each may be this file. */
  readonly unnamed: readonly AssetReading[];
  /** Why no file of the submission passes. Set if an asset may be any of the files. */
  readonly doubt?: string | undefined;
}

export function evidenceOf(facts: FileFacts): Evidence {
  const { assets, unnamed, submissionPhase, doubt } = facts;
  const [asset, second] = assets;
  if (second) return 'unclear';
  if (!asset) {
    const isUnclear = submissionPhase === 'failed' ? !unnamed.every(hasFailed) : unnamed.some(isSuspicious);
    return isUnclear ? 'unclear' : 'none';
  }
  const evidence = asset.earlier ? evidenceOfReused(asset, asset.earlier) : evidenceOfAsset(asset);
  return evidence === 'complete' && doubt !== undefined ? 'unclear' : evidence;
}

function evidenceOfAsset(asset: AssetReading): Evidence {
  const phase = asset.own?.status.phase ?? 'none';
  switch (phase) {
    case 'complete':
      return missingFact(asset) === undefined ? 'complete' : 'incomplete';
    case 'failed':
      return movedTo(asset) === undefined ? 'failed' : 'unclear';
    case 'open':
      return isSuspicious(asset) ? 'unclear' : 'open';
    case 'unknown':
    case 'none':
      return phase;
  }
}

/** The earlier issues are enough if the read was prevented, unless the service now reports an error or more issues. */
function evidenceOfReused(asset: AssetReading, earlier: NonNullable<AssetReading['earlier']>): Evidence {
  const { own, error, issues, issueCount = 0 } = asset;
  const evidence = evidenceOfAsset(asset);
  // With an error, an outage or a rate limit prevented the read. Without an error, no time was left for the read.
  const isReadPrevented = error ? error.stopsReading : !own;
  if (!isReadPrevented || (evidence !== 'none' && evidence !== 'incomplete')) return evidence;
  if (failureText(asset.listed) !== '') return 'unclear';
  return issueCount <= withLastKnown(issues, earlier.issues).length ? 'unread' : 'incomplete';
}

/** An unnamed asset of a failed submission has failed, unless it has an issue count or an outage may hide one. */
export function hasFailed({ listed, issueCount, error }: AssetReading): boolean {
  return issueCount === undefined && (failureText(listed) !== '' || !error?.stopsReading);
}

/** Whether an asset has an error or an issue, so that neither a timeout nor an outage excuses it. */
export function isSuspicious({ listed, issues, issueCount = 0 }: AssetReading): boolean {
  return failureText(listed) !== '' || Math.max(issueCount, issues.length) > 0;
}

/** The id of the submission in which the service goes on with a retry, if it is another submission. */
export function movedTo({ retry }: AssetReading): string | undefined {
  return retry && typeof retry.last === 'object' && 'movedTo' in retry.last ? retry.last.movedTo : undefined;
}
