import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { messageOf } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { readHead } from '../media/checkout.ts';
import type { Mode } from '../service/endpoints.ts';
import { bounded, KEEP_OPEN_DAYS, type StateDocument } from './document.ts';
import { EarlierState, type LoadedStates, type StateNeeds } from './earlier-state.ts';
import { findStates } from './find-states.ts';
import { artifactName, gateId, type Slot, type StateKind } from './gate-id.ts';
import { commitOf } from './history.ts';
import { artifactWriter } from './save-artifact.ts';
import { type Origin, type SigningKey, seal, signingKey } from './seal.ts';
import { stateFile } from './state-file.ts';

/**
 * The room in the order in which a run uses it: store, find-states (history, archive, seal) or state-file, earlier-state,
 * merge, save-artifact.
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

interface StoreOptions {
  readonly inputs: Inputs;
  readonly context: RunContext;
  readonly api: GitHubApi;
  readonly runner: Pick<Runner, 'log' | 'hasArtifacts' | 'saveForPost'>;
}

/** A file if the workflow names one, artifacts if they work, otherwise nothing, with the reason. */
export async function openStore({ inputs, context, api, runner }: StoreOptions): Promise<StateStore> {
  const { service, name } = inputs;
  const { workspace } = context;
  if (!service) return keepNothing();
  const key = signingKey(inputs.stateKey ?? service.apiKey);
  const origin = await originOf(inputs, context, service.mode);
  const seals = { origin, key, log: runner.log };
  if (inputs.stateFile !== undefined) {
    const file = path.resolve(workspace, inputs.stateFile);
    const { load, write } = stateFile({ file, workspace, origin, base: context, key });
    // Always all that is known: the file is overwritten, and a run that dies after that must not have forgotten it.
    return { load, save: saving(write, seals) };
  }
  if (context.isGhes || !runner.hasArtifacts) return keepNothing(NO_ARTIFACTS);
  const artifacts = {
    nameOf: (slot: Slot) => artifactName(name, slot, origin),
    origin,
    key,
    context,
    api,
    permissions: `permissions: { contents: read, actions: read, pull-requests: ${inputs.comment === 'never' ? 'read' : 'write'} }`,
  };
  const retentionDays = (kind: StateKind): number | undefined => retentionOf(kind, inputs);
  const save = saving(artifactWriter({ ...artifacts, retentionDays, runner }), seals);
  return {
    load: async (needs) => await findStates(artifacts, needs),
    save: async (kind, document) => await save(kind, kind === 'open' ? onlyOpen(document) : document),
  };
}

interface Seals {
  readonly origin: Origin;
  readonly key: SigningKey;
  readonly log: Log;
}

function saving(
  write: (sealed: string, kind: StateKind) => Promise<string>,
  { origin, key, log }: Seals,
): StateStore['save'] {
  return async (kind, document) => {
    const kept = bounded(document);
    const forgotten = document.contents.length - kept.contents.length;
    // A run saves twice, and warns once.
    if (forgotten > 0 && kind === 'state')
      log.warning(
        `The state is too large to be kept whole: the oldest analyses (${forgotten} of ${document.contents.length}) are forgotten, and their files will be sent and billed again. Spread the files over several gates, each with its own \`name\`.`,
      );
    try {
      return await write(seal(kept, { ...origin, kind, savedAt: new Date().toISOString() }, key), kind);
    } catch (error) {
      log.warning(
        `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${messageOf(error).replace(/\.$/, '')}. The verdict is not affected.`,
      );
      return '';
    }
  };
}

/** The rest is in the artifact of an earlier run, and a short file is on disk sooner. */
function onlyOpen({ open }: StateDocument): StateDocument {
  return { contents: [], paths: [], open };
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
  const { repositoryId, runId, runAttempt, event, followedEvent } = context;
  return {
    repositoryId,
    gate: gateId({ ...context, ...inputs }),
    mode,
    runId,
    runAttempt,
    event: followedEvent === undefined ? event : `${event} ${followedEvent}`,
    ...(await checkedIn(inputs.searchRoot, context)),
  };
}

/** A workflow may check out another commit than that of its event. Then nothing says which branch that is. */
async function checkedIn(searchRoot: string, context: RunContext): Promise<Pick<Origin, 'branch' | 'commit'>> {
  const { branch, pullRequest, workspace } = context;
  const commit = commitOf(context);
  const head = await headIn(searchRoot, workspace);
  // A pull request is checked as its head or as its merge commit.
  if (pullRequest || head === undefined || head === commit) return { branch, commit };
  return { branch: '', commit: head };
}

/** The commit that is checked out in a folder, or in one around it up to the workspace; undefined if there is none. */
async function headIn(folder: string, workspace: string): Promise<string | undefined> {
  const head = await readHead(folder);
  const isInside = folder.startsWith(workspace + path.sep);
  return head ?? (isInside ? await headIn(path.dirname(folder), workspace) : undefined);
}

/** A state is useless once nothing in it may be reused; an open submission is given up even earlier. */
function retentionOf(kind: StateKind, { retentionDays, reuseDays }: Inputs): number | undefined {
  const days = retentionDays ?? (reuseDays || undefined);
  return kind === 'open' ? Math.min(days ?? KEEP_OPEN_DAYS, KEEP_OPEN_DAYS) : days;
}
