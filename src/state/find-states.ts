import type { Artifact } from '../github/api-schemas.ts';
import { GitHubError } from '../github/github-error.ts';
import { GateError, rerun, workflowOwner } from '../lib/cause.ts';
import { readArtifact, type StateOptions } from './archive.ts';
import { EarlierState, type LoadedStates, loadedStates, type StateNeeds } from './earlier-state.ts';
import { artifactName, type Slot } from './gate-id.ts';
import {
  chooseBaseline,
  isOfBaseBranch,
  isOfBaseCommit,
  MAX_RUNS,
  nearestFirst,
  newestFirst,
  placesOf,
  readingOrder,
  unsettled,
} from './history.ts';
import { describeRefusal, type Refusal, type SavedState } from './seal.ts';

/** Finds what earlier runs left in artifacts. */
export async function findStates(options: StateOptions, needs: StateNeeds): Promise<LoadedStates> {
  const search = new StateSearch(options, needs);
  try {
    await search.run();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (needs.canReuse) throw unanswered(error, options);
    const notice = `The state of earlier runs could not all be read. ${error.message} ${error.fix}`;
    search.notices.set('no response', notice);
  }
  return search.result;
}

/** Without the response it is unknown which files are paid for already. */
function unanswered(error: GitHubError, { inputs }: StateOptions): GateError {
  const pulls = inputs.comment === 'never' ? 'read' : 'write';
  const grant = `Give the job \`permissions: { contents: read, actions: read, pull-requests: ${pulls} }\`, or set \`reuse-days: 0\` to send and pay for every file in every run. Then commit and push: a re-run alone is not enough.`;
  const refused = error.trouble === 'permission' ? grant : `${error.fix} ${grant}`;
  return new GateError(
    {
      reason: 'github',
      message: `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${error.message} Nothing was sent and nothing was billed.`,
      steps: [error.isOutage ? rerun(error.fix) : workflowOwner(refused)],
    },
    { cause: error },
  );
}

/** With three lists and the question for a merged pull request, a run makes at most nine requests. */
const MAX_ARCHIVES = 5;

/** The list preselects, and the signature decides. Most runs need one list and one archive. */
class StateSearch {
  /** One for each reason. */
  readonly notices = new Map<Refusal | 'no response' | 'no pull request', string>();
  readonly #options: StateOptions;
  readonly #needs: StateNeeds;
  #places: readonly string[];
  #rescued: readonly Artifact[] | undefined;
  /** By the id of the artifact; undefined if it cannot be used. */
  readonly #read = new Map<number, SavedState | undefined>();

  constructor(options: StateOptions, needs: StateNeeds) {
    this.#options = options;
    this.#needs = needs;
    this.#places = placesOf(options.context);
  }

  async run(): Promise<void> {
    const isEnough = (): boolean => this.#isEnough || this.#read.size >= MAX_ARCHIVES;
    const states = await this.#list('state');
    await this.#readUntil(isEnough, readingOrder(states, this.#places).slice(0, 1));
    if (!this.#isEnough) {
      this.#places = placesOf(this.#options.context, await this.#findMergedBranch());
      this.#rescued = await this.#list('rescue');
      const others = [...(await this.#list('open')), ...this.#rescued];
      // Of a run whose state cannot be used, the open submission may still be known.
      const usable = states.filter(({ id }) => !this.#read.has(id) || this.#read.get(id));
      await this.#readUntil(isEnough, readingOrder([...states, ...unsettled(others, usable)], this.#places));
    }
    if (this.#needs.hasBaseline) await this.#readBaseline(states);
  }

  get result(): LoadedStates {
    const baseline = this.#needs.hasBaseline ? chooseBaseline(this.#states, this.#options.context) : undefined;
    return loadedStates(this.#states, [...this.notices.values()], baseline);
  }

  get #states(): readonly SavedState[] {
    const usable = [...this.#read.values()].filter((state) => state !== undefined);
    return nearestFirst(usable, this.#places);
  }

  get #isEnough(): boolean {
    return this.#needs.isEnough(new EarlierState(this.#states.map(({ document }) => document)));
  }

  async #list(slot: Slot): Promise<readonly Artifact[]> {
    const { api, inputs, origin } = this.#options;
    const listed = await api.artifacts(artifactName(inputs.name, slot, origin));
    return listed.filter(({ isExpired }) => !isExpired);
  }

  async #readUntil(
    isDone: (state: SavedState | undefined) => boolean,
    artifacts: readonly Artifact[],
  ): Promise<boolean> {
    for (const artifact of artifacts) if (isDone(await this.#stateIn(artifact))) return true;
    return false;
  }

  async #stateIn(artifact: Artifact): Promise<SavedState | undefined> {
    const { id, name, runId } = artifact;
    if (this.#read.has(id)) return this.#read.get(id);
    const found = await readArtifact(artifact, this.#options);
    const isRefused = typeof found === 'string';
    if (isRefused) this.notices.set(found, describeRefusal(found, `in the artifact ${name} of run ${runId}`));
    const state = isRefused ? undefined : found;
    this.#read.set(id, state);
    return state;
  }

  /** Even if every file is known already. */
  async #readBaseline(states: readonly Artifact[]): Promise<void> {
    const { context } = this.#options;
    const ofCommit = newestFirst(states.filter(({ headSha }) => headSha === context.baseCommit));
    if (await this.#readUntil((state) => isOfBaseCommit(state, context), ofCommit.slice(0, MAX_RUNS))) return;
    const all = [...states, ...(this.#rescued ?? (await this.#list('rescue')))];
    const ofBranch = newestFirst(all.filter(({ headBranch }) => headBranch === context.baseBranch));
    await this.#readUntil((state) => isOfBaseBranch(state, context), ofBranch.slice(0, MAX_RUNS));
  }

  /** A squash merge is a new commit, but not new media. What is not found here may still be found as any branch's. */
  async #findMergedBranch(): Promise<string | undefined> {
    const { api, context } = this.#options;
    const { queuedPullRequest, event, commit } = context;
    try {
      if (queuedPullRequest !== undefined) return (await api.pullRequest(queuedPullRequest)).branch;
      if (event !== 'push') return undefined;
      return (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged)?.branch;
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      this.notices.set(
        'no pull request',
        `The pull request of this commit could not be found, so files that it has analysed may be sent and billed again. ${error.message} ${error.fix}`,
      );
      return undefined;
    }
  }
}
