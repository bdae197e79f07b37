import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/answers.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Log } from '../log.ts';
import { LARGEST_ARCHIVE, STATE_FILE, stateIn } from './archive.ts';
import { artifactName } from './gate-id.ts';
import { refusalNotice } from './refusal.ts';
import { type Binding, seal, type SigningKey, unseal } from './seal.ts';
import type { FoundState, Loaded, StateKind, StateStore } from './store.ts';

/** Uploads one file as an artifact of this run. */
export type UploadArtifact = (name: string, file: string) => Promise<void>;

export interface ArtifactStoreOptions {
  readonly gateName: string;
  readonly binding: Binding;
  readonly key: SigningKey;
  readonly api: GitHubApi;
  readonly upload: UploadArtifact;
  /** Told before an upload begins and after it ended, so that the post step can make up for a run that died. */
  readonly onPending: (name: string, file: string) => void;
  readonly onUploaded: (name: string) => void;
  /** Where files are written before they are uploaded. */
  readonly directory: string;
  /** Whose state is of use, nearest first; the line of what is checked comes first. */
  readonly lines: () => Promise<readonly string[]>;
  readonly log: Log;
}

/** State in workflow artifacts: two for each gate and branch, found again by their exact names. */
export function createArtifactStore(options: ArtifactStoreOptions): StateStore {
  const { api, binding, key, gateName, log } = options;

  return {
    async load(): Promise<Loaded> {
      try {
        const found: FoundState[] = [];
        const notices: string[] = [];
        for (const line of await options.lines()) {
          const [state, open] = [await newest('state', line, notices), await newest('open', line, notices)];
          if (state) found.push(state);
          // A later state has taken over whatever was open then.
          if (open && (!state || open.binding.savedAt > state.binding.savedAt)) found.push(open);
        }
        if (found.length === 0 && notices.length === 0)
          notices.push('No earlier run of this gate left a state here yet: every file is sent.');
        return { states: found, notices };
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        return {
          states: [],
          notices: [`The state of earlier runs is not used, so every file is sent. ${error.message} ${error.fix}`],
        };
      }
    },

    async save(kind, document) {
      const name = artifactName(kind, gateName, binding.gate, binding.line);
      const file = path.join(options.directory, kind, STATE_FILE);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, seal(document, { ...binding, savedAt: new Date().toISOString() }, key), { flush: true });
      options.onPending(name, file);
      await options.upload(name, file);
      options.onUploaded(name);
      return file;
    },
  };

  /** The newest artifact of that name that a run of this repository left; what a fork left is not even downloaded. */
  async function newest(kind: StateKind, line: string, notices: string[]): Promise<FoundState | undefined> {
    const artifacts = (await api.artifacts(artifactName(kind, gateName, binding.gate, line))).filter(
      ({ isOwn }) => isOwn,
    );
    const [artifact] = artifacts.filter(({ isExpired }) => !isExpired);
    if (!artifact) {
      if (artifacts.length > 0 && kind === 'state')
        notices.push(`The state of ${line} has expired: raise \`retention-days\` to keep it longer.`);
      return undefined;
    }
    const unsealed = await open(artifact, line);
    if (typeof unsealed !== 'string') return { ...unsealed, isOwnLine: line === binding.line };
    notices.push(refusalNotice(unsealed, `of ${line} (run ${artifact.runId ?? 'unknown'})`));
    return undefined;
  }

  async function open(artifact: Artifact, line: string): Promise<ReturnType<typeof unseal>> {
    if (artifact.size > LARGEST_ARCHIVE || artifact.runId === undefined) return 'unreadable';
    log.debug(`reading the state of ${line} from artifact ${artifact.id}`);
    const text = stateIn(await api.artifactArchive(artifact.id));
    const { repositoryId, gate, mode } = binding;
    return text === undefined
      ? 'unreadable'
      : unseal(text, { repositoryId, gate, mode, line, runId: artifact.runId }, key);
  }
}
