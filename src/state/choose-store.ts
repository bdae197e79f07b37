import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import { deleteArtifact, uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { claimFolder } from '../lib/folders.ts';
import type { Log } from '../lib/log.ts';
import { isRepositoryRoot, readHead } from '../media/checkout.ts';
import type { ServiceAccess } from '../service/endpoints.ts';
import { createArtifactStore, formatPending } from './artifact-store.ts';
import { KEEP_OPEN_DAYS } from './document.ts';
import { EarlierState } from './earlier-state.ts';
import { createFileStore } from './file-store.ts';
import { artifactName, gateId, stepId } from './gate-id.ts';
import { commitOf } from './history.ts';
import { type Origin, signingKey } from './seal.ts';
import type { StateKind, StateStore } from './store.ts';

interface StoreOptions {
  readonly inputs: Pick<
    Inputs,
    'name' | 'matrix' | 'stateFile' | 'stateKey' | 'retentionDays' | 'reuseDays' | 'comment' | 'searchRoot'
  >;
  readonly service: Pick<ServiceAccess, 'apiKey' | 'mode'>;
  readonly context: RunContext;
  readonly api: GitHubApi;
  readonly runner: Pick<Runner, 'log' | 'hasArtifacts' | 'saveForPost'>;
  readonly signal: AbortSignal;
}

/** Artifacts if they work, a file if the workflow names one, otherwise nothing, with the reason. */
export async function chooseStore(options: StoreOptions): Promise<StateStore> {
  const { inputs, service, context, api, runner, signal } = options;
  const { log } = runner;
  const key = signingKey(inputs.stateKey ?? service.apiKey);
  const origin = await originOf(options);
  if (inputs.stateFile !== undefined) {
    const file = path.resolve(context.workspace, inputs.stateFile);
    const base = context;
    return withWarning(createFileStore({ file, workspace: context.workspace, origin, base, key, log }), log);
  }
  if (context.isGhes || !runner.hasArtifacts) return { ...NO_STORE, unsavedNotice: NO_ARTIFACTS };
  const step = stepId({ ...context, ...inputs });
  const store = createArtifactStore({
    nameOf: (slot) => artifactName(inputs.name, slot, origin),
    origin,
    key,
    context,
    api,
    permissions: `permissions: { contents: read, actions: read, pull-requests: ${inputs.comment === 'never' ? 'read' : 'write'} }`,
    upload: async (name, file, kind) =>
      await uploadArtifact({ name, files: [file], retentionDays: retentionOf(kind, inputs) }),
    remove: deleteArtifact,
    onPending: (kind, pending) => runner.saveForPost(formatPending(pending, retentionOf(kind, inputs))),
    claimFolder: () => claimFolder(context.temp, context.workspace, `${inputs.name}-state-${step}`),
    signal,
    log,
  });
  return withWarning(store, log);
}

async function originOf({ inputs, service, context }: StoreOptions): Promise<Origin> {
  const { repositoryId, runId, runAttempt, event, followedEvent } = context;
  return {
    repositoryId,
    gate: gateId({ ...context, ...inputs }),
    mode: service.mode,
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
  const head = (await isRepositoryRoot(folder)) ? await readHead(folder) : undefined;
  const isInside = folder.startsWith(workspace + path.sep);
  return head ?? (isInside ? await headIn(path.dirname(folder), workspace) : undefined);
}

/** A state is useless once nothing in it may be reused; an open submission is given up even earlier. */
function retentionOf(kind: StateKind, { retentionDays, reuseDays }: StoreOptions['inputs']): number | undefined {
  const days = retentionDays ?? (reuseDays === 0 ? undefined : Math.min(reuseDays, MAX_RETENTION_DAYS));
  return kind === 'open' ? Math.min(days ?? KEEP_OPEN_DAYS, KEEP_OPEN_DAYS) : days;
}

/** GitHub's own limit for private repositories. */
const MAX_RETENTION_DAYS = 400;

/** What goes wrong while saving is a warning: the verdict stands. */
function withWarning(store: StateStore, log: Log): StateStore {
  return {
    ...store,
    save: async (kind, document) => {
      try {
        return await store.save(kind, document);
      } catch (error) {
        const problem = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
        log.warning(
          `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${problem}. The verdict is not affected.`,
        );
        return '';
      }
    },
  };
}

/** Keeps nothing. */
export const NO_STORE: StateStore = {
  load: async () => ({ earlierState: new EarlierState([]), baseline: undefined, notices: [] }),
  save: async () => '',
};

const NO_ARTIFACTS =
  'The results cannot be saved for the next run, because this runner or this GitHub Enterprise Server has no artifact storage of the current kind. The next run sends and bills all files again. Set `state-file` and keep that file between runs.';
