import path from 'node:path';
import { type Cause, forOwner, GateError } from '../causes/cause.ts';
import type { Inputs } from '../inputs/parse.ts';
import { messageOf } from '../lib/format.ts';
import { baselineFrom, baseOf, type Comparison, chooseBaseline } from './baseline.ts';
import type { StateDocument } from './document.ts';
import { type FoundStates, NO_STATES, openSearch } from './find-states.ts';
import { bindRun } from './gate-id.ts';
import { type EarlierState, joinStates, mergeState, type RunResults } from './merge.ts';
import { type Binding, type SealOptions, seal, sealWithinLimits, signingKey } from './seal.ts';
import { type StateOptions, stateArtifacts } from './state-artifact.ts';
import { stateFile } from './state-file.ts';

/**
 * The modules of this folder, in the order in which a run uses them: `store` (with `gate-id`) chooses the storage;
 * `find-states` (with `baseline` and `state-artifact`) or `state-file` reads; `merge` joins the states,
 * and adds the results of this run; `seal` packs; `state-artifact` or `state-file` writes. `document` is the format.
 */

export interface History extends FoundStates {
  readonly earlierState: EarlierState;
  /** Undefined if the issues of such a run are not compared. */
  readonly comparison: Comparison | undefined;
}

export const NO_HISTORY: History = { ...NO_STATES, earlierState: joinStates([]), comparison: undefined };

/** Where the state is kept between runs. If it is lost, files are sent and billed again, and a baseline is missing. */
export interface StateStore {
  /** Reads earlier states until there are enough, or none is left. A second call reads on and repeats no request. */
  load(isEnough: (found: EarlierState) => boolean): Promise<History>;
  /** Throws if the state cannot be written to disk: a run that could not save its submission must not create one. */
  tryOut(results: RunResults): Promise<void>;
  /** Returns the path of the saved state. If saving fails, warns and returns an empty text: the verdict stands. */
  save(kind: Binding['kind'], results: RunResults): Promise<string>;
}

/** Uses the file of `state-file`, otherwise artifacts. If neither is available, warns and keeps no state. */
export function openStore(
  given: Pick<StateOptions, 'context' | 'api' | 'runner'> & { readonly inputs: Inputs },
): StateStore {
  const { inputs, context, runner } = given;
  const { service, stateFile: file, policy, dryRun: isDryRun } = inputs;
  const canReuse = inputs.reuseDays > 0 && !isDryRun;
  if (!service) return withoutState(async () => NO_HISTORY);
  const binding = bindRun(inputs, context, service.mode);
  const base = baseOf(binding, context, inputs);
  if (file === undefined && (context.isGhes || !runner.hasArtifacts)) {
    return withoutState(async () => {
      if (canReuse) runner.log.warning(NO_ARTIFACTS);
      return { ...NO_HISTORY, comparison: base && { with: base.with, baseline: undefined } };
    });
  }
  const apiKey = signingKey(service.apiKey);
  const keys: SealOptions['keys'] = inputs.stateKey === undefined ? [apiKey] : [signingKey(inputs.stateKey), apiKey];
  const options = { ...given, binding, keys, base, canReuse };
  const storage =
    file === undefined
      ? { load: openSearch(options), ...stateArtifacts(options) }
      : stateFile(path.resolve(context.workspace, file), { ...options, isDryRun });
  let documents: readonly StateDocument[] = [];
  const sealWith = (kind: Binding['kind'], results: RunResults, others: readonly StateDocument[] = []): string => {
    const state = mergeState(joinStates([...others, ...documents]), results);
    const saved = { ...binding, kind, savedAt: results.now.toISOString() };
    return sealWithinLimits(state, results.foundPaths, (each) => seal(each, saved, keys[0]));
  };
  return {
    load: async (isEnough) => {
      const found = await storage.load(isEnough);
      documents = found.states.map(({ document }) => document);
      const isFirst = !found.hasMore && [...documents, ...found.notices, ...found.gaps].length === 0;
      const isNoBaseline = policy.failOnIssues === 'new' && context.baseBranch === undefined && binding.branch === '';
      const chosen = base && chooseBaseline(found.states, base);
      return {
        ...found,
        earlierState: joinStates(documents),
        comparison: base && { with: base.with, baseline: chosen && baselineFrom(chosen, base) },
        notices: [...found.notices, ...(isFirst ? [FIRST_RUN] : []), ...(isNoBaseline ? [NO_BASELINE] : [])],
      };
    },
    tryOut: async (results) => {
      try {
        await storage.tryOut(sealWith('open', results));
      } catch (error) {
        throw new GateError(unwritable(error), { cause: error });
      }
    },
    save: async (kind, results) => {
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

function withoutState(load: () => Promise<History>): StateStore {
  return { load, tryOut: async () => {}, save: async () => '' };
}

const FIRST_RUN =
  'No state of an earlier run was found, so no analysis can be reused. This is normal in a first run. Otherwise the workflow file, the job, `name` or the matrix was renamed, or the artifacts with the states were deleted.';

const NO_ARTIFACTS =
  'The results cannot be saved for the next run, because this runner or server has no artifact storage of the current kind. The next run sends and bills all files again. Set `state-file` and keep that file between runs.';

const NO_BASELINE =
  'This run is no baseline for `fail-on-issues: new` in later pull requests: the commit that is checked out cannot be read, or is not the one of this run. If `actions/checkout` has a `path`, set `working-directory` to the same folder.';

function unwritable(error: unknown): Cause {
  const message = `The state of this run cannot be written to disk, so the next run would send every file again: ${messageOf(error)}. Nothing was sent.`;
  const fix =
    "Free space on the disk, give the job's user write access, or set `state-file` to a path that can be written.";
  return forOwner('bad-input', message, fix);
}
