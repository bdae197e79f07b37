import path from 'node:path';
import { forOwner, GateError } from '../causes/cause.ts';
import type { Inputs } from '../inputs/parse.ts';
import { messageOf } from '../lib/format.ts';
import { type Baseline, baselineFrom, baseOf } from './baseline.ts';
import type { StateDocument } from './document.ts';
import { type FoundStates, openSearch, type StateOptions } from './find-states.ts';
import { bindRun } from './gate-id.ts';
import { type EarlierState, joinStates, mergeState, type RunResults } from './merge.ts';
import { artifactStorage } from './save-artifacts.ts';
import { type Binding, MAX_STATE_BYTES, seal, signingKey } from './seal.ts';
import { fileStorage } from './state-file.ts';

/** What earlier runs have left. */
export interface History extends Pick<FoundStates, 'notices' | 'unread'> {
  readonly earlierState: EarlierState;
  /** Whether this run looks for a baseline: of its base branch, or as a branch run of its own branch. */
  readonly isCompared: boolean;
  /** Undefined if there is nothing to compare with. */
  readonly baseline?: Baseline | undefined;
}

export const NO_HISTORY: History = { notices: [], unread: 0, earlierState: joinStates([]), isCompared: false };

/**
 * Where the state is kept between runs: in the file of `state-file`, otherwise in artifacts. If neither is available, warns
 * and keeps no state: then files are sent and billed again, and a baseline is missing.
 */
export function openStore(given: Pick<StateOptions, 'context' | 'api' | 'runner'> & { readonly inputs: Inputs }) {
  const { inputs, context, runner } = given;
  const { service, stateKey, stateFile } = inputs;
  if (!service) return withoutState(async () => NO_HISTORY);
  const apiKey = signingKey(service.apiKey);
  const binding = bindRun(inputs, context, { mode: service.mode, apiKeyId: apiKey.id });
  const base = baseOf(binding, context, inputs);
  if (stateFile === undefined && !runner.hasArtifacts) {
    return withoutState(async () => {
      if (inputs.reuseDays > 0 && !inputs.dryRun) runner.log.warning(NO_ARTIFACTS);
      return { ...NO_HISTORY, isCompared: base !== undefined };
    });
  }
  const keys: StateOptions['keys'] = stateKey === undefined ? [apiKey] : [signingKey(stateKey), apiKey];
  const options: StateOptions = { ...given, binding, keys, base };
  const storage =
    stateFile === undefined
      ? { ...openSearch(options), ...artifactStorage(options) }
      : fileStorage(path.resolve(context.workspace, stateFile), options);
  /** Of the states that were found last, nearest first. */
  let documents: readonly StateDocument[] = [];
  const historyOf = ({ states, baseline, notices, unread }: FoundStates): History => {
    documents = states.map(({ document }) => document);
    const compared = { isCompared: base !== undefined, baseline: baseline && baselineFrom(baseline) };
    return { notices, unread, earlierState: joinStates(documents), ...compared };
  };
  const sealWith = (kind: Binding['kind'], results: RunResults, others: readonly StateDocument[] = []): string => {
    const state = mergeState(joinStates([...documents, ...others]), results);
    const sealed = seal(state, { ...binding, kind, savedAt: results.now.toISOString() }, keys[0]);
    if (Buffer.byteLength(sealed) <= MAX_STATE_BYTES) return sealed;
    throw new Error('it is larger than 64 MB. Spread the files over several gates, each with its own `name`');
  };
  return {
    nearest: async (): Promise<History> => historyOf(await storage.nearest()),
    rest: async (): Promise<History> => historyOf(await storage.rest()),
    /** Throws if the state cannot be written to disk: a run that could not save its submission must not create one. */
    tryOut: async (results: RunResults): Promise<void> => {
      try {
        await storage.tryOut(sealWith('open', results));
      } catch (error) {
        const message = `The state of this run cannot be saved, so the next run would send every file again: ${messageOf(error)}. Nothing was sent.`;
        throw new GateError(forOwner('bad-input', message, UNWRITABLE), { cause: error });
      }
    },
    /** Returns the path of the saved state. If saving fails, warns and returns an empty text: the verdict stands. */
    save: async (kind: Binding['kind'], results: RunResults): Promise<string> => {
      try {
        return await storage.save((others) => sealWith(kind, results, others), kind);
      } catch (error) {
        const cause = messageOf(error).replace(/\.$/, '');
        runner.log.warning(
          `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${cause}. The verdict is not affected.`,
        );
        return '';
      }
    },
  };
}

function withoutState(nearest: () => Promise<History>) {
  return { nearest, rest: nearest, tryOut: async () => {}, save: async () => '' };
}

const NO_ARTIFACTS =
  'The results cannot be saved for the next run, because this runner or server has no artifact storage of the current kind. The next run sends and bills all files again. Set `state-file` and keep that file between runs.';

const UNWRITABLE =
  "Free space on the disk, give the job's user write access, or set `state-file` to a path that can be written.";
