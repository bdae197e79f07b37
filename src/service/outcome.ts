import type { Cause } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import type { Mode } from './endpoints.ts';
import { withLastKnown } from './issue.ts';
import { type AssetReading, missingFact } from './read-asset.ts';
import { failureText, type Phase } from './responses.ts';

/**
 * What this run has read about one file:
 *
 * - `complete`: one asset is the file, is complete, and all its issues were read; `incomplete`: a count or an issue is
 *   missing
 * - `last known`: an earlier run has read all that, and this run could not ask again
 * - `open`, `failed`, `unknown`: the status of its asset
 * - `none`: no asset is the file; `hidden`: an asset without a name may be, and may be complete; `suspect`: an asset
 *   without a name may be, and has an error text
 * - `unclear`: the responses contradict each other, or something bad is known about an asset that has not ended
 */
export type Shown = Phase | 'incomplete' | 'last known' | 'none' | 'hidden' | 'suspect' | 'unclear';

/** The submission's last phase. `unread`: its list of assets is unknown. `reused`: an earlier run has read it. */
export type SubmissionFact = Phase | 'unread' | 'reused';

/**
 * - `judged`: the issues decide
 * - `failed`: the service could not analyse the file
 * - `ended`: the file is unjudged for the reason that ended the wait or, if there is none, because a fact is missing
 * - `missing`: the file is unjudged because a fact is missing, which `on-service-error: warn` does not forgive
 */
type Row = 'judged' | 'failed' | 'ended' | 'missing';

type Outcomes = Readonly<Record<SubmissionFact, Row>>;

// biome-ignore format: a table
const ALWAYS_MISSING: Outcomes =
                { complete: 'missing', open: 'missing', unread: 'missing', failed: 'missing', unknown: 'missing', reused: 'missing' };

/** The only rule of judgement. `docs/architecture.md` has the same table. */
// biome-ignore format: a table
export const OUTCOMES: Readonly<Record<Shown, Outcomes>> = {
  complete:     { complete: 'judged',  open: 'judged',  unread: 'ended',   failed: 'judged',  unknown: 'judged',  reused: 'judged' },
  'last known': { ...ALWAYS_MISSING, reused: 'judged' },
  failed:       { complete: 'failed',  open: 'failed',  unread: 'failed',  failed: 'failed',  unknown: 'failed',  reused: 'missing' },
  open:         { complete: 'ended',   open: 'ended',   unread: 'ended',   failed: 'missing', unknown: 'missing', reused: 'missing' },
  none:         { complete: 'ended',   open: 'ended',   unread: 'ended',   failed: 'failed',  unknown: 'missing', reused: 'missing' },
  hidden:       { complete: 'ended',   open: 'ended',   unread: 'ended',   failed: 'missing', unknown: 'missing', reused: 'missing' },
  suspect:      { ...ALWAYS_MISSING, failed: 'failed' },
  incomplete:   ALWAYS_MISSING,
  unknown:      ALWAYS_MISSING,
  unclear:      ALWAYS_MISSING,
};

export interface SubmissionFacts {
  readonly mode: Mode;
  readonly submission: SubmissionFact;
  /** The readings of all assets in the newest list of the submission. */
  readonly readings: readonly AssetReading[];
  /** What the service says about the submission as a whole. */
  readonly errorMessage?: string | undefined;
  /** Why the wait ended early. */
  readonly cause?: Cause | undefined;
}

/** Everything that is known about one file. */
export interface FileFacts extends SubmissionFacts {
  readonly content: Content;
  readonly submissionId: string;
  /** The assets that are this file. */
  readonly own: readonly AssetReading[];
  readonly unnamed: readonly AssetReading[];
  /** Why no file of the submission passes. */
  readonly contradiction?: string | undefined;
}

export function shownBy(facts: FileFacts): Shown {
  const { own, unnamed, mode, submission, contradiction } = facts;
  const [asset, second] = own;
  if (second) return 'unclear';
  // A sandbox analyses nothing, so its submission may be complete without results.
  if (!asset) return mode === 'sandbox' && submission === 'complete' ? 'complete' : shownByUnnamed(unnamed);
  const shown = asset.earlier ? shownByReused(asset, asset.earlier, mode) : shownByAsset(asset, mode);
  return shown === 'complete' && contradiction !== undefined ? 'unclear' : shown;
}

function shownByAsset(asset: AssetReading, mode: Mode): Shown {
  const phase = asset.own?.status.phase ?? 'unknown';
  switch (phase) {
    case 'complete':
      return missingFact(asset, mode) === undefined ? 'complete' : 'incomplete';
    case 'failed':
      return movedTo(asset) === undefined ? 'failed' : 'unclear';
    case 'open':
      return isSuspicious(asset) ? 'unclear' : 'open';
    case 'unknown':
      return 'unknown';
  }
}

/** The earlier issues are enough if this run was kept from reading, unless the service now counts more. */
function shownByReused(asset: AssetReading, earlier: NonNullable<AssetReading['earlier']>, mode: Mode): Shown {
  const { own, error, issues, issueCount = 0 } = asset;
  const shown = own ? shownByAsset(asset, mode) : 'none';
  const isKept = error ? error.stopsReading : !own;
  if (!isKept || (shown !== 'none' && shown !== 'incomplete')) return shown;
  if (failureText(asset.listed) !== '') return 'suspect';
  return issueCount <= withLastKnown(issues, earlier.issues).length ? 'last known' : 'incomplete';
}

/** What the assets without a name show about a file without an asset, which may be any of them. */
function shownByUnnamed(unnamed: readonly AssetReading[]): Shown {
  const shown = new Set(unnamed.map(shownByOneUnnamed));
  if (shown.has('unclear') || (shown.has('suspect') && shown.has('hidden'))) return 'unclear';
  return [...shown].find((each) => each !== 'none') ?? 'none';
}

export function shownByOneUnnamed({
  listed,
  issueCount,
  error,
}: AssetReading): 'none' | 'hidden' | 'suspect' | 'unclear' {
  const hasText = failureText(listed) !== '';
  if (issueCount !== undefined) return issueCount > 0 || hasText ? 'unclear' : 'hidden';
  if (hasText) return 'suspect';
  return error?.stopsReading ? 'hidden' : 'none';
}

/** Whether something bad is known about an asset, so that neither a timeout nor an outage excuses it. */
export function isSuspicious({ listed, issues, issueCount = 0 }: AssetReading): boolean {
  return failureText(listed) !== '' || Math.max(issueCount, issues.length) > 0;
}

/** The submission in which the service goes on with a retry, if that is another one. */
export function movedTo({ retry }: AssetReading): string | undefined {
  return retry && typeof retry.last === 'object' && 'movedTo' in retry.last ? retry.last.movedTo : undefined;
}
