import path from 'node:path';
import { readHead } from '../github/checkout.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { messageOf } from '../lib/format.ts';
import type { Mode } from '../service/endpoints.ts';
import type { StateOptions } from './archive.ts';
import type { StateDocument } from './document.ts';
import { EarlierState, type LoadedStates, type StateNeeds } from './earlier-state.ts';
import { findStates } from './find-states.ts';
import { gateId, type StateKind } from './gate-id.ts';
import { commitOf } from './history.ts';
import { artifactWriter } from './save-artifact.ts';
import { type Origin, seal, signingKey } from './seal.ts';
import { stateFile } from './state-file.ts';

/**
 * The room in the order in which a run uses it: store (gate-id), find-states (history, archive, seal, document) or
 * state-file, earlier-state, merge, save-artifact.
 */

/** Where the state is kept between runs. Losing it costs money, but never changes a verdict. */
export interface StateStore {
  load(needs: StateNeeds): Promise<LoadedStates>;
  /**
   * What goes wrong is a warning: the verdict stands.
   *
   * @returns the file that holds the state on this machine; empty if it was not kept
   */
  save(kind: StateKind, document: StateDocument): Promise<string>;
}

/** A file if the workflow names one, artifacts if they work, otherwise nothing, with the reason. */
export async function openStore(options: Omit<StateOptions, 'origin' | 'key'>): Promise<StateStore> {
  const { inputs, context, runner } = options;
  const isInFile = inputs.stateFile !== undefined;
  if (!inputs.service) return keepNothing();
  if (!isInFile && (context.isGhes || !runner.hasArtifacts)) return keepNothing(NO_ARTIFACTS);
  const { apiKey, mode } = inputs.service;
  const key = signingKey(inputs.stateKey ?? apiKey);
  const origin = await originOf(inputs, context, mode);
  const signed = { ...options, origin, key };
  const { load, write } = isInFile
    ? stateFile(path.resolve(context.workspace, inputs.stateFile), signed)
    : { load: async (needs: StateNeeds) => await findStates(signed, needs), write: artifactWriter(signed) };
  return {
    load,
    save: async (kind, document) => {
      // A file is overwritten, so it always gets all that is known; beside the artifact of an earlier run a short one will do.
      const saved = isInFile || kind === 'state' ? document : { contents: [], paths: [], open: document.open };
      try {
        return await write(seal(saved, { ...origin, kind, savedAt: new Date().toISOString() }, key), kind);
      } catch (error) {
        runner.log.warning(
          `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${messageOf(error).replace(/\.$/, '')}. The verdict is not affected.`,
        );
        return '';
      }
    },
  };
}

function keepNothing(...notices: readonly string[]): StateStore {
  return {
    load: async () => ({ earlierState: new EarlierState([]), baseline: undefined, notices }),
    save: async () => '',
  };
}

const NO_ARTIFACTS =
  'The results cannot be saved for the next run, because this runner or this GitHub Enterprise Server has no artifact storage of the current kind. The next run sends and bills all files again. Set `state-file` and keep that file between runs.';

async function originOf(inputs: Inputs, context: RunContext, mode: Mode): Promise<Origin> {
  const { repositoryId, runId, runAttempt, event, followedEvent, branch, pullRequest, workspace } = context;
  const commit = commitOf(context);
  const head = await headIn(inputs.searchRoot, workspace);
  // A pull request is checked as its head or as its merge commit. Of any other commit nothing says which branch it is.
  const isOther = !pullRequest && head !== undefined && head !== commit;
  return {
    repositoryId,
    gate: gateId({ ...context, ...inputs }),
    mode,
    runId,
    runAttempt,
    event: followedEvent === undefined ? event : `${event} ${followedEvent}`,
    branch: isOther ? '' : branch,
    commit: isOther ? head : commit,
  };
}

/** The commit that is checked out in a folder, or in one around it up to the workspace; undefined if there is none. */
async function headIn(folder: string, workspace: string): Promise<string | undefined> {
  const head = await readHead(folder);
  const isInside = folder.startsWith(workspace + path.sep);
  return head ?? (isInside ? await headIn(path.dirname(folder), workspace) : undefined);
}
