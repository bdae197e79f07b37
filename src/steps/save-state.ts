import { existsSync } from 'node:fs';
import path from 'node:path';
import { type FilePattern, PathMatcher } from '../media/patterns.ts';
import { hashSidekicks } from '../plan/plan.ts';
import type { OpenSubmission } from '../service/submit.ts';
import type { KnownPath } from '../state/document.ts';
import { seenPaths, storeState } from '../state/save.ts';
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

async function saveFacts(kind: StateKind, facts: Facts, { inputs, store, runner }: Environment): Promise<string> {
  const { files, searchRoot, sidekickIds, reuseDays } = inputs;
  const { discovery, plan, reused, analysed, submission, history } = facts;
  const contents = [
    ...[...(plan?.toSubmit ?? []), ...(plan?.toReuse ?? [])].map(({ content }) => content),
    ...(plan?.toAwait ?? []).flatMap((awaited) => awaited.contents),
  ];
  // Right after the creation, time matters more than the files of other gates.
  const others =
    kind === 'state' ? pathsOfOtherGates(history.earlierState.paths, files, searchRoot) : new Set<string>();
  const results = {
    seen: seenPaths(discovery?.files ?? [], contents),
    others,
    reused,
    analysed,
    submissions: [...(submission ? [submission] : []), ...(plan?.toAwait ?? [])],
    sidekicks: hashSidekicks(sidekickIds),
  };
  const { earlierState, scopes } = history;
  const state = { kind, earlierState, scopes, results, rules: { reuseDays, now: new Date() } };
  return await storeState(state, store, runner.log);
}

/** Paths that exist, and are left to another gate of the same name, because the patterns of this one do not match them. */
function pathsOfOtherGates(
  known: readonly KnownPath[],
  patterns: readonly FilePattern[],
  searchRoot: string,
): ReadonlySet<string> {
  const paths = known.map((each) => each.path);
  const matcher = new PathMatcher(patterns);
  return new Set(paths.filter((file) => !matcher.selects(file) && existsSync(path.join(searchRoot, file))));
}
