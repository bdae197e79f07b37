import { Interruption } from '../interruption.ts';
import type { Log } from '../log.ts';
import type { Trail } from '../trail.ts';
import { settingsOf } from './plan.ts';
import { remember, type Remembered } from './remember.ts';
import type { StateKind, StateStore } from './store.ts';

/** Right after a submission was created: from now on it can be lost, and then it would be paid for again. */
export async function saveOpen(trail: Trail, store: StateStore, log: Log): Promise<void> {
  const document = remember(trail.history.knowledge, remembered(trail), 0, new Date());
  await attempt(trail, store, log, 'open', { contents: [], paths: [], open: document.open });
}

/** When all is read. A run that learnt nothing leaves the last state as it is. */
export async function saveState(
  trail: Trail,
  store: StateStore,
  { runner, signal }: { readonly runner: { readonly log: Log }; readonly signal: AbortSignal },
): Promise<void> {
  const hasLearnt = trail.reused.length > 0 || trail.analysed.length > 0 || trail.submission !== undefined;
  // A run that is told to stop has seconds, and what is open was saved when it was created.
  if (!hasLearnt || signal.reason instanceof Interruption) return;
  const document = remember(trail.history.knowledge, remembered(trail), trail.inputs?.reuseDays ?? 0, new Date());
  await attempt(trail, store, runner.log, 'state', document);
}

function remembered({ inputs, plan, reused, analysed, submission }: Trail): Remembered {
  return {
    results: [...reused, ...analysed],
    reused: new Set(reused.map(({ content }) => content.sha256)),
    submissions: [
      ...(submission ? [{ submission, createdAt: submission.createdAt }] : []),
      ...(plan?.await ?? []).map((awaited) => ({ submission: awaited, createdAt: awaited.createdAt })),
    ],
    settings: settingsOf(inputs?.sidekickIds),
  };
}

async function attempt(
  trail: Trail,
  store: StateStore,
  log: Log,
  kind: StateKind,
  document: Parameters<StateStore['save']>[1],
): Promise<void> {
  try {
    trail.stateFile = await store.save(kind, document);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    log.warning(
      `The state could not be saved, so the next run sends the same files again: ${words}. The verdict stands.`,
    );
  }
}
