import { hashSidekicks } from '../plan/plan.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { mergeState } from '../state/merge.ts';
import type { StateKind } from '../state/store.ts';
import type { Outcome } from '../verdict/outcome.ts';
import { type Facts, factsOf, type Submitted } from '../verdict/progress.ts';
import type { Environment } from './environment.ts';

/** submit → save state: at once, because a later run that does not know the submission would submit, and pay, again. */
export async function saveOpenState(submitted: Submitted, environment: Environment): Promise<Submitted> {
  const file = await saveFacts('open', factsOf(submitted), environment);
  return { ...submitted, isSubmissionSaved: file !== '' };
}

/**
 * Where the files are after retries moved some of them to other submissions.
 *
 * @param moves by submission: all that hold its files now
 */
export function withMoves(submitted: Submitted, moves: ReadonlyMap<string, readonly OpenSubmission[]>): Submitted {
  const { submission, plan } = submitted;
  const held = <Held extends OpenSubmission>(each: Held): Held => {
    const { submissionId } = each;
    const rest = moves.get(submissionId)?.filter((open) => open.submissionId === submissionId);
    return rest ? { ...each, contents: rest.flatMap(({ contents }) => contents) } : each;
  };
  // A later time than that of the creation: an earlier state may list the same files there.
  const createdAt = new Date().toISOString();
  const moved = [...moves].flatMap(([from, open]) => open.filter(({ submissionId }) => submissionId !== from));
  const toAwait = [...plan.toAwait.map(held), ...moved.map((open) => ({ ...open, createdAt }))];
  return { ...submitted, submission: submission && held(submission), plan: { ...plan, toAwait } };
}

/**
 * collect → save state: everything that the run found. A run that found nothing new keeps the last state.
 *
 * @returns the saved file; empty if nothing was saved
 */
export async function saveFinalState({ progress, ending }: Outcome, environment: Environment): Promise<string> {
  const facts = factsOf(progress);
  const hasResults =
    (facts.reused.length > 0 && !facts.outage) || facts.analysed.length > 0 || facts.submission !== undefined;
  // A cancelled run has only seconds left, and its submission is saved already.
  if (!hasResults || ending.kind === 'cancelled') return '';
  return await saveFacts('state', facts, environment);
}

async function saveFacts(kind: StateKind, facts: Facts, { inputs, store }: Environment): Promise<string> {
  const { sidekickIds, reuseDays } = inputs;
  const { discovery, plan, reused, analysed, submission, history } = facts;
  const results = {
    seen: new Set(discovery?.files.map(({ path }) => path)),
    analyses: [...reused, ...analysed],
    submissions: [...(submission ? [submission] : []), ...(plan?.toAwait ?? [])],
    sidekicks: hashSidekicks(sidekickIds),
  };
  return await store.save(kind, mergeState(history.earlierState, results, { reuseDays, now: new Date() }));
}
