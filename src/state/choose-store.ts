import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import { replaceArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ServiceAccess } from '../service/service-access.ts';
import { createArtifactStore } from './artifact-store.ts';
import { createFileStore } from './file-store.ts';
import { gateId, stepId } from './gate-id.ts';
import { pendingUpload } from './pending.ts';
import { scopeOf } from './scopes.ts';
import { signingKey } from './seal.ts';
import type { StateStore } from './store.ts';

export interface StoreEdges {
  readonly api: GitHubApi;
  readonly runner: Runner;
  readonly signal: AbortSignal;
}

/** Artifacts where they work, a file where the workflow names one, else nothing, and the reason why. */
export function chooseStore(
  inputs: Inputs,
  service: ServiceAccess,
  context: RunContext,
  { api, runner, signal }: StoreEdges,
): StateStore {
  const key = signingKey(inputs.stateKey ?? service.apiKey);
  const place = { ...context, name: inputs.name, matrix: inputs.matrix };
  const gate = gateId(place);
  const { repositoryId, runId, event } = context;
  const binding = { repositoryId, gate, runId, scope: scopeOf(context), event, mode: service.mode };
  if (inputs.stateFile !== undefined)
    return createFileStore(path.resolve(context.workspace, inputs.stateFile), binding, key, runner.log);
  if (context.isGhes) {
    return noStore(
      'GitHub Enterprise Server has no artifacts of the kind that state is kept in, so every file is sent in every run. Set `state-file` and keep that file between runs.',
    );
  }
  if (!runner.hasArtifacts) {
    return noStore(
      'There is no artifact service here, so every file is sent in every run. Set `state-file` to keep the state in a file.',
    );
  }
  return createArtifactStore({
    gateName: inputs.name,
    binding,
    key,
    context,
    api,
    upload: async (name, file, takeOver) => await replaceArtifact(name, [file], inputs.retentionDays, takeOver),
    onPending: (name, file) => runner.saveForPost(pendingUpload(name, file, inputs.retentionDays)),
    onUploaded: () => runner.saveForPost(''),
    // The post step of one gate runs after all main steps: another gate of the job must not have written over its file.
    directory: path.join(context.temp || context.workspace, `${inputs.name}-state-${stepId(place)}`),
    signal,
    log: runner.log,
  });
}

/** Keeps nothing. */
export const NO_STORE: StateStore = { load: async () => ({ states: [], notices: [] }), save: async () => '' };

function noStore(notice: string): StateStore {
  return { ...NO_STORE, load: async () => ({ states: [], notices: [notice] }) };
}
