import { Interruption } from './interruption.ts';
import type { Log } from './log.ts';
import { settingsOf } from './state/plan.ts';
import { remember } from './state/remember.ts';
import type { StateKind, StateStore } from './state/store.ts';
import type { Trail } from './trail.ts';

/** Right after a submission was created: from now on it can be lost, and then it would be paid for again. */
export async function saveOpen(trail: Trail, store: StateStore, log: Log): Promise<void> {
  await save('open', trail, store, log);
}

/** When all is read. A run that learnt nothing leaves the last state as it is. */
export async function saveState(
  trail: Trail,
  store: StateStore,
  { runner, signal }: { readonly runner: { readonly log: Log }; readonly signal: AbortSignal },
): Promise<void> {
  const { reused, analysed, submission, outage } = trail;
  const hasLearnt = (reused.length > 0 && !outage) || analysed.length > 0 || submission !== undefined;
  // A run that is told to stop has seconds, and what is open was saved when it was created.
  if (hasLearnt && !(signal.reason instanceof Interruption)) await save('state', trail, store, runner.log);
}

async function save(kind: StateKind, trail: Trail, store: StateStore, log: Log): Promise<void> {
  const { inputs, plan, reused, analysed, submission, history } = trail;
  try {
    const document = remember(
      history.knowledge,
      {
        seen: seenIn(trail),
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
    ...(discovery?.files ?? []).map(({ path }) => [path, undefined] as const),
    ...[...contents, ...awaited].flatMap(({ paths, sha256 }) => paths.map((path) => [path, sha256] as const)),
  ]);
}
