import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import { uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs, ServiceAccess } from '../inputs/inputs.ts';
import type { Runner } from '../github/runner.ts';
import { createArtifactStore } from './artifact-store.ts';
import { createFileStore } from './file-store.ts';
import { gateId } from './gate-id.ts';
import { lineOf, usefulLines } from './lines.ts';
import { pendingUpload } from './pending.ts';
import { type Binding, signingKey } from './seal.ts';
import type { StateStore } from './store.ts';

export interface StoreEdges {
  readonly api: GitHubApi;
  readonly runner: Runner;
}

/** Artifacts where they work, a file where the workflow names one, else nothing, and the reason why. */
export function chooseStore(
  inputs: Inputs,
  service: ServiceAccess,
  context: RunContext,
  { api, runner }: StoreEdges,
): StateStore {
  const key = signingKey(inputs.stateKey ?? service.apiKey);
  const binding: Binding = {
    repositoryId: context.repositoryId,
    gate: gateId({ ...context, name: inputs.name, matrix: inputs.matrix }),
    runId: context.runId,
    line: lineOf(context),
    event: context.event,
    mode: service.mode,
    savedAt: new Date().toISOString(),
  };
  if (inputs.stateFile !== undefined)
    return createFileStore(path.resolve(context.workspace, inputs.stateFile), binding, key);
  if (context.isGhes) {
    return noStore(
      'GitHub Enterprise Server has no artifacts of the kind that state is kept in, so every file is sent in every run. Set `state-file` and keep that file between runs.',
    );
  }
  if (!runner.hasArtifacts || inputs.githubToken === '') {
    return noStore(
      'There is no artifact service here, so every file is sent in every run. Set `state-file` to keep the state in a file.',
    );
  }
  return createArtifactStore({
    gateName: inputs.name,
    binding,
    key,
    api,
    upload: async (name, file) => await uploadArtifact(name, [file], inputs.retentionDays),
    onPending: (name, file) => runner.saveForPost(pendingUpload(name, file, inputs.retentionDays)),
    onUploaded: () => runner.saveForPost(''),
    directory: path.join(context.temp || context.workspace, `${inputs.name}-state`),
    lines: async () => await usefulLines(context, api),
    log: runner.log,
  });
}

function noStore(notice: string): StateStore {
  return { load: async () => ({ states: [], notices: [notice] }), save: async () => '' };
}
