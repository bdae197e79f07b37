import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import type { Content } from '../media/content.ts';
import { selects } from '../media/match.ts';
import type { EarlierState } from './earlier-state.ts';
import { type MergeRules, mergeState, type RunResults } from './merge.ts';
import type { StateKind, StateStore } from './store.ts';

export interface StateToSave {
  readonly kind: StateKind;
  readonly earlierState: EarlierState;
  readonly results: RunResults;
  readonly rules: MergeRules;
}

/**
 * Saves what the next run has to know. What goes wrong is a warning: the verdict stands.
 *
 * @returns the file that holds the state on this machine; empty if it was not saved
 */
export async function saveState(
  { kind, earlierState, results, rules }: StateToSave,
  store: StateStore,
  log: Log,
): Promise<string> {
  try {
    return await store.save(kind, mergeState(earlierState, results, rules));
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    log.warning(
      `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${problem}. The verdict is not affected.`,
    );
    return '';
  }
}

/**
 * Every path that a run looked at, with the hash of its bytes; undefined if they are unknown.
 *
 * @param files every matched file, those included that cannot be sent
 * @param contents every content of the plan
 */
export function seenPaths(
  files: readonly { readonly path: string }[],
  contents: readonly Pick<Content, 'paths' | 'sha256'>[],
): ReadonlyMap<string, string | undefined> {
  return new Map<string, string | undefined>([
    ...files.map((file) => [file.path, undefined] as const),
    ...contents.flatMap(({ paths, sha256 }) => paths.map((each) => [each, sha256] as const)),
  ]);
}

/** Whether a path exists and is left to another gate of the same name, because the patterns of this one do not match it. */
export function belongsToOtherGate(root: string, patterns: Parameters<typeof selects>[0]): (file: string) => boolean {
  return (file) => !selects(patterns, file) && existsSync(path.join(root, file));
}
