/**
 * The naive reference of design 4.5: what becomes of one file, from the page alone. It knows nothing of the code.
 */

export type Outcome = 'result' | 'last-known' | 'working' | 'unread' | 'unclear' | 'retryable' | 'failed' | 'missing';

/** One submission of the file, as the states of earlier runs know it, and what the service says about it now. */
export interface Past {
  readonly kind: 'open' | 'analysed';
  readonly outcome: Outcome;
  /** Days since it was sent. */
  readonly days: number;
  /** Whether an earlier attempt of this very run has sent it. */
  readonly isOwn?: boolean;
}

export interface RunKind {
  readonly attempt: number;
  readonly reuseDays: number;
}

/** `judgedBy` is the analysis that counts. Without one, the file is not judged, for this reason. */
export type Decision =
  | { readonly source: 'sent' }
  | { readonly source: 'reused' | 'awaited' | 'shown'; readonly judgedBy: Past }
  | { readonly source: 'reused' | 'awaited' | 'shown'; readonly reason: string };

const REASONS = {
  working: 'timeout',
  unread: 'service',
  unclear: 'results',
  retryable: 'asset-failed',
  failed: 'asset-failed',
} as const;

/** @param pasts newest first; the oldest may be an analysis */
export function decide(pasts: readonly Past[], { attempt, reuseDays }: RunKind): Decision {
  const usable = pasts.filter(({ outcome, kind, days, isOwn }) => {
    // With 0, only what this run has sent itself in an earlier attempt counts, whatever its age.
    const isUsed = reuseDays === 0 ? isOwn : days <= reuseDays;
    return outcome !== 'missing' && (kind === 'open' || isUsed);
  });
  if (reuseDays === 0) {
    const own = usable.find(({ kind, outcome }) => kind === 'analysed' && outcome !== 'unclear');
    const open = usable.find(({ kind }) => kind === 'open');
    const isWaiting = (open?.outcome === 'working' || open?.outcome === 'unread') && open.days < 7;
    const wanted = open && (open.outcome === 'result' || isWaiting) ? open : own;
    return wanted ? follow(wanted) : { source: 'sent' };
  }
  const [newest] = usable;
  if (!newest) return { source: 'sent' };
  // Newest first; what is neither a result nor blocks the way is passed over if an older one can be used.
  const decisive = usable.find(({ outcome }) => ['result', 'last-known', 'unclear', 'unread'].includes(outcome));
  const isUsed = decisive && ['result', 'last-known'].includes(decisive.outcome);
  const chosen = isUsed ? decisive : newest;
  const isRerun = attempt > 1 && !decisive;
  if (isRerun && chosen.outcome === 'failed') return { source: 'sent' };
  if (isRerun && chosen.outcome === 'working' && chosen.days >= 7) return { source: 'sent' };
  return follow(chosen);
}

function follow(past: Past): Decision {
  const { kind, outcome } = past;
  const source = kind === 'analysed' ? 'reused' : outcome === 'failed' ? 'shown' : 'awaited';
  if (outcome === 'result' || outcome === 'last-known') return { source, judgedBy: past };
  if (outcome === 'missing') return { source: 'sent' };
  return { source, reason: REASONS[outcome] };
}
