import path from 'node:path';
import { readHeadWithin } from '../github/checkout.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { messageOf } from '../lib/format.ts';
import type { Mode } from '../service/endpoints.ts';
import type { StateOptions } from './archive.ts';
import { EarlierState, type LoadedStates, type StateNeeds } from './earlier-state.ts';
import { StateSearch } from './find-states.ts';
import { gateId, type StateKind } from './gate-id.ts';
import { commitOf } from './history.ts';
import { mergeState, type RunResults } from './merge.ts';
import { artifactWriter } from './save-artifact.ts';
import { type RunBinding, seal, signingKey } from './seal.ts';
import { stateFile } from './state-file.ts';

/**
 * The room in the order in which a run uses it: store (gate-id), find-states (history, archive, seal, document) or
 * state-file, earlier-state; then merge, save-artifact.
 */

/** Where the state is kept between runs. Losing it costs money, but never changes a verdict. */
export interface StateStore {
  load(needs: StateNeeds): Promise<LoadedStates>;
  /**
   * Keeps what the run knows of earlier ones with its own results. What goes wrong is a warning: the verdict stands.
   *
   * @returns the file that holds the state on this machine; empty if it was not kept
   */
  save(kind: StateKind, results: RunResults): Promise<string>;
}

/** A file if the workflow names one, artifacts if they work, otherwise nothing, with the reason. */
export async function openStore(options: Omit<StateOptions, 'binding' | 'key'>): Promise<StateStore> {
  const { inputs, context, runner } = options;
  const { service, stateFile: file } = inputs;
  if (!service) return keepNothing();
  if (file === undefined && (context.isGhes || !runner.hasArtifacts))
    return keepNothing(() => runner.log.warning(NO_ARTIFACTS));
  const key = signingKey(inputs.stateKey ?? service.apiKey);
  const binding = await bindRun(inputs, context, service.mode);
  const signed = { ...options, binding, key };
  const kept = file === undefined ? undefined : stateFile(path.resolve(context.workspace, file), signed);
  const source = kept ?? new StateSearch(signed);
  const upload = artifactWriter(signed);
  let earlierState = new EarlierState([]);
  const warnings = new Set<string>();
  return {
    load: async (needs) => {
      const loaded = await source.load(needs);
      ({ earlierState } = loaded);
      const isNoBaseline =
        inputs.policy.failOnIssues === 'new' && context.baseBranch === undefined && binding.branch === '';
      return { ...loaded, notices: [...loaded.notices, ...(isNoBaseline ? [NO_BASELINE] : [])] };
    },
    save: async (kind, results) => {
      const sealOnto = (earlier = earlierState): string => {
        const document = mergeState(earlier, results);
        // A file is overwritten, so it always gets all that is known; beside the artifact of an earlier run a short one will do.
        const saved = kept || kind === 'state' ? document : { contents: [], paths: [], open: document.open };
        return seal(saved, { ...binding, kind, savedAt: new Date().toISOString() }, key);
      };
      try {
        return await (kept ? kept.write(sealOnto) : upload(sealOnto(), kind));
      } catch (error) {
        const warning = `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${messageOf(error).replace(/\.$/, '')}. The verdict is not affected.`;
        if (!warnings.has(warning)) runner.log.warning(warning);
        warnings.add(warning);
        return '';
      }
    },
  };
}

function keepNothing(warn: () => void = () => undefined): StateStore {
  return {
    load: async ({ canReuse }) => {
      if (canReuse) warn();
      return { earlierState: new EarlierState([]), baseline: undefined, notices: [] };
    },
    save: async () => '',
  };
}

const NO_ARTIFACTS =
  'The results cannot be saved for the next run, because this runner or server has no artifact storage of the current kind. The next run sends and bills all files again. Set `state-file` and keep that file between runs.';

const NO_BASELINE =
  'This run is no baseline for `fail-on-issues: new` in later pull requests: the commit that is checked out cannot be read, or is not the one of this run. If `actions/checkout` has a `path`, set `working-directory` to the same folder.';

async function bindRun(inputs: Inputs, context: RunContext, mode: Mode): Promise<RunBinding> {
  const { repositoryId, runId, runAttempt, event, followedEvent, branch, pullRequest, workspace } = context;
  const commit = commitOf(context);
  const head = await readHeadWithin(inputs.searchRoot, workspace);
  // A pull request is checked as its head or as its merge commit. Of any other commit nothing says which branch it is.
  const isOwn = pullRequest !== undefined || head === commit;
  return {
    repositoryId,
    gate: gateId({ ...context, ...inputs }),
    mode,
    runId,
    runAttempt,
    event: followedEvent === undefined ? event : `${event} ${followedEvent}`,
    branch: isOwn ? branch : '',
    commit: isOwn ? commit : (head ?? ''),
  };
}
