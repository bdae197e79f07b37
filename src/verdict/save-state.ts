import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Inputs } from '../inputs/inputs.ts';
import type { Log } from '../lib/log.ts';
import { selects } from '../media/match.ts';
import { settingsOf } from '../plan/plan.ts';
import { mergeState } from '../state/merge.ts';
import type { StateKind, StateStore } from '../state/store.ts';
import { type Facts, factsOf, type Outcome, type Submitted } from './outcome.ts';

type SaveInputs = Pick<Inputs, 'files' | 'root' | 'sidekickIds' | 'reuseDays'>;

interface SaveEdges {
  readonly store: StateStore;
  readonly runner: { readonly log: Log };
}

/** Saves the new submission at once: a later run that does not know it would submit, and pay, again. */
export async function saveOpenState(submitted: Submitted, inputs: SaveInputs, edges: SaveEdges): Promise<void> {
  await save('open', factsOf(submitted), inputs, edges);
}

/**
 * Saves everything that the run found. A run that found nothing new keeps the last state.
 *
 * @returns the saved file; empty if nothing was saved
 */
export async function saveState({ progress, ending }: Outcome, inputs: SaveInputs, edges: SaveEdges): Promise<string> {
  const facts = factsOf(progress);
  const hasResults =
    (facts.reused.length > 0 && !facts.outage) || facts.analysed.length > 0 || facts.submission !== undefined;
  // A cancelled run has only seconds left, and its submission is saved already.
  if (!hasResults || ending.kind === 'cancelled') return '';
  return await save('state', facts, inputs, edges);
}

async function save(kind: StateKind, facts: Facts, inputs: SaveInputs, { store, runner }: SaveEdges): Promise<string> {
  const { plan, reused, analysed, submission, history } = facts;
  // Right after the creation, time matters more than the files of other gates.
  const isOthers = (file: string): boolean =>
    kind === 'state' && !selects(inputs.files, file) && existsSync(path.join(inputs.root, file));
  try {
    const document = mergeState(
      history.earlierState,
      {
        seen: seenIn(facts),
        isOthers,
        reused,
        analysed,
        submissions: [...(submission ? [submission] : []), ...(plan?.await ?? [])],
        settings: settingsOf(inputs.sidekickIds),
      },
      { reuseDays: inputs.reuseDays, now: new Date() },
    );
    return await store.save(kind, document);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    runner.log.warning(
      `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${message}. The verdict is not affected.`,
    );
    return '';
  }
}

/** The plan has every file with known content, the discovery also those that cannot be sent. */
function seenIn({ discovery, plan }: Facts): ReadonlyMap<string, string | undefined> {
  const contents = [...(plan?.submit ?? []), ...(plan?.reuse ?? [])].map(({ content }) => content);
  const awaited = plan?.await.flatMap((submission) => submission.contents) ?? [];
  return new Map<string, string | undefined>([
    ...(discovery?.files ?? []).map((file) => [file.path, undefined] as const),
    ...[...contents, ...awaited].flatMap(({ paths, sha256 }) => paths.map((each) => [each, sha256] as const)),
  ]);
}
