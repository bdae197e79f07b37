import { existsSync } from 'node:fs';
import path from 'node:path';
import { Interruption } from '../lib/interruption.ts';
import type { Log } from '../lib/log.ts';
import { selects } from '../media/match.ts';
import { settingsOf } from '../plan/plan.ts';
import { mergeState, type RunResults } from '../state/merge.ts';
import type { StateKind, StateStore } from '../state/store.ts';
import type { Trail } from './trail.ts';

/** Right after a submission was created: from now on it can be lost, and then it would be paid for again. */
export async function saveOpen(trail: Trail, store: StateStore, log: Log): Promise<void> {
  // Looking for what belongs to others would take its time, and all of it is told once the run is judged.
  await save('open', trail, store, log, () => false);
}

/** When all is read. A run that learnt nothing leaves the last state as it is. */
export async function saveState(
  trail: Trail,
  store: StateStore,
  {
    runner,
    signal,
    context: { workspace },
  }: {
    readonly runner: { readonly log: Log };
    readonly signal: AbortSignal;
    readonly context: { readonly workspace: string };
  },
): Promise<void> {
  const { inputs, reused, analysed, submission, outage } = trail;
  const hasLearnt = (reused.length > 0 && !outage) || analysed.length > 0 || submission !== undefined;
  // A run that is told to stop has seconds, and what is open was saved when it was created.
  if (!hasLearnt || signal.reason instanceof Interruption) return;
  const isOthers = (file: string): boolean =>
    inputs !== undefined && !selects(inputs.files, file) && existsSync(path.join(workspace, file));
  await save('state', trail, store, runner.log, isOthers);
}

async function save(
  kind: StateKind,
  trail: Trail,
  store: StateStore,
  log: Log,
  isOthers: RunResults['isOthers'],
): Promise<void> {
  const { inputs, plan, reused, analysed, submission, history } = trail;
  try {
    const document = mergeState(
      history.earlierState,
      {
        seen: seenIn(trail),
        isOthers,
        reused,
        analysed,
        submissions: [...(submission ? [submission] : []), ...(plan?.await ?? [])],
        settings: settingsOf(inputs?.sidekickIds),
      },
      { reuseDays: inputs?.reuseDays ?? 0, now: new Date() },
    );
    trail.stateFile = await store.save(kind, document);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    log.warning(
      `The state could not be saved, so the next run may send the same files again: ${words}. The verdict stands.`,
    );
  }
}

/** The plan has every file whose bytes are known, the discovery those too that cannot be sent. */
function seenIn({ discovery, plan }: Trail): ReadonlyMap<string, string | undefined> {
  const contents = [...(plan?.submit ?? []), ...(plan?.reuse ?? [])].map(({ content }) => content);
  const awaited = plan?.await.flatMap((submission) => submission.contents) ?? [];
  return new Map<string, string | undefined>([
    ...(discovery?.files ?? []).map((file) => [file.path, undefined] as const),
    ...[...contents, ...awaited].flatMap(({ paths, sha256 }) => paths.map((each) => [each, sha256] as const)),
  ]);
}
