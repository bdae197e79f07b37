import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import { deleteArtifact, uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { claimFolder } from '../lib/folders.ts';
import type { ServiceAccess } from '../service/endpoints.ts';
import { createArtifactStore, formatPending } from './artifact-store.ts';
import { KEEP_OPEN_DAYS } from './document.ts';
import { createFileStore } from './file-store.ts';
import { gateId, stepId } from './gate-id.ts';
import { scopeOf } from './scopes.ts';
import { signingKey } from './seal.ts';
import type { StateKind, StateStore } from './store.ts';

interface StoreOptions {
  readonly inputs: Pick<Inputs, 'name' | 'matrix' | 'stateFile' | 'stateKey' | 'retentionDays' | 'reuseDays'>;
  readonly service: Pick<ServiceAccess, 'apiKey' | 'mode'>;
  readonly context: RunContext;
  readonly api: GitHubApi;
  readonly runner: Pick<Runner, 'log' | 'hasArtifacts' | 'saveForPost'>;
  readonly signal: AbortSignal;
}

/** Artifacts if they work, a file if the workflow names one, otherwise nothing, with the reason. */
export function chooseStore({ inputs, service, context, api, runner, signal }: StoreOptions): StateStore {
  const key = signingKey(inputs.stateKey ?? service.apiKey);
  const identity = { ...context, name: inputs.name, matrix: inputs.matrix };
  const { repositoryId, runId, runAttempt, commit, event, workspace } = context;
  const run = { repositoryId, runId, runAttempt, commit, event };
  const binding = { ...run, gate: gateId(identity), scope: scopeOf(context), mode: service.mode };
  if (inputs.stateFile !== undefined) {
    const file = path.resolve(workspace, inputs.stateFile);
    return createFileStore({ file, workspace, binding, key, log: runner.log });
  }
  if (context.isGhes) {
    return noStore(
      'GitHub Enterprise Server has no artifact storage of this kind',
      'Set `state-file` and keep that file between runs.',
    );
  }
  if (!runner.hasArtifacts) {
    return noStore('no artifact storage on this runner', 'Set `state-file` to keep them in a file.');
  }
  return createArtifactStore({
    gateName: inputs.name,
    binding,
    key,
    context,
    api,
    upload: async ({ name, file, kind }) =>
      await uploadArtifact({ name, files: [file], retentionDays: retentionOf(kind, inputs) }),
    remove: deleteArtifact,
    onPending: (kind, pending) => runner.saveForPost(formatPending(pending, retentionOf(kind, inputs))),
    claimFolder: () => claimFolder(context.temp, workspace, `${inputs.name}-state-${stepId(identity)}`),
    signal,
    log: runner.log,
  });
}

/** A state is useless once nothing in it may be reused; an open submission is given up even earlier. */
function retentionOf(kind: StateKind, { retentionDays, reuseDays }: StoreOptions['inputs']): number | undefined {
  const days = retentionDays ?? (reuseDays === 0 ? undefined : Math.min(reuseDays, MAX_RETENTION_DAYS));
  return kind === 'open' ? Math.min(days ?? KEEP_OPEN_DAYS, KEEP_OPEN_DAYS) : days;
}

/** GitHub's own limit for private repositories. */
const MAX_RETENTION_DAYS = 400;

/** Keeps nothing. */
export const NO_STORE: StateStore = {
  load: async () => ({ states: [], isFromFile: false, isLost: false, notices: [] }),
  save: async () => '',
};

function noStore(why: string, fix: string): StateStore {
  const unsavedNotice = `The results cannot be saved for the next run (${why}), so the next run sends and bills all files again. ${fix}`;
  return { ...NO_STORE, unsavedNotice };
}
