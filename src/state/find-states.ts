import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { GateError } from '../lib/cause.ts';
import { type ArchiveOptions, readArtifact } from './archive.ts';
import { EarlierState, type LoadedStates, loadedStates, type StateNeeds } from './earlier-state.ts';
import type { Slot } from './gate-id.ts';
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

export interface FinderOptions extends ArchiveOptions {
  readonly nameOf: (slot: Slot) => string;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
  /** What the job should be given, as it is written in a workflow. */
  readonly permissions: string;
}

/** Finds what earlier runs left in artifacts. */
export async function findStates(options: FinderOptions, needs: StateNeeds): Promise<LoadedStates> {
  const search = new StateSearch(options, needs);
  try {
    await search.run();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (needs.canReuse) throw unanswered(error, options);
    search.notices.push(`The state of earlier runs could not all be read. ${error.message} ${error.fix}`);
  }
  return search.result;
}

/** Without the response it is unknown which files are paid for already. */
function unanswered(error: GitHubError, { permissions }: FinderOptions): GateError {
  const grant = `Give the job \`${permissions}\`, or set \`reuse-days: 0\` to send and pay for every file in every run.`;
  const refused = error.trouble === 'permission' ? grant : `${error.fix} ${grant}`;
  return new GateError(
    {
      reason: 'github',
      message: `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${error.message}`,
      fix: `${error.isOutage ? error.fix : refused} Nothing was sent and nothing was billed.`,
    },
    { cause: error },
  );
}

/** With three lists and the question for a merged pull request, a run makes at most nine requests. */
const MAX_ARCHIVES = 5;

/** The list preselects, and the signature decides. Most runs need one list and one archive. */
class StateSearch {
  readonly notices: string[] = [];
  readonly #options: FinderOptions;
  readonly #needs: StateNeeds;
  #places: ReturnType<typeof placesOf>;
  readonly #lists = new Map<Slot, readonly Artifact[]>();
  /** By the id of the artifact; undefined if it cannot be used. */
  readonly #read = new Map<number, SavedState | undefined>();
  readonly #refused = new Map<Refusal, string>();

  constructor(options: FinderOptions, needs: StateNeeds) {
    this.#options = options;
    this.#needs = needs;
    this.#places = placesOf(options.context);
  }

  async run(): Promise<void> {
    const states = await this.#list('state');
    await this.#readWhileNeeded(readingOrder(states, this.#places).slice(0, 1));
    if (!this.#isEnough) {
      this.#places = placesOf(this.#options.context, await this.#findMergedBranch());
      const others = [...(await this.#list('open')), ...(await this.#list('rescue'))];
      // Of a run whose state cannot be used, the open submission may still be known.
      const usable = states.filter(({ id }) => !this.#read.has(id) || this.#read.get(id));
      await this.#readWhileNeeded(readingOrder([...states, ...unsettled(others, usable)], this.#places));
    }
    if (this.#needs.hasBaseline) await this.#readBaseline(states);
  }

  get result(): LoadedStates {
    const refusals = [...this.#refused].map(([refusal, place]) => describeRefusal(refusal, place));
    const baseline = this.#needs.hasBaseline ? chooseBaseline(this.#states, this.#options.context) : undefined;
    return loadedStates(this.#states, [...this.notices, ...refusals], baseline);
  }

  get #states(): readonly SavedState[] {
    const usable = [...this.#read.values()].filter((state) => state !== undefined);
    return nearestFirst(usable, this.#places);
  }

  get #isEnough(): boolean {
    return this.#needs.isEnough(new EarlierState(this.#states.map(({ document }) => document)));
  }

  async #list(slot: Slot): Promise<readonly Artifact[]> {
    const { api, nameOf } = this.#options;
    const listed = this.#lists.get(slot) ?? (await api.artifacts(nameOf(slot)));
    this.#lists.set(slot, listed);
    return listed.filter(({ isExpired }) => !isExpired);
  }

  async #readWhileNeeded(artifacts: readonly Artifact[]): Promise<void> {
    for (const artifact of artifacts) {
      if (this.#isEnough || this.#read.size >= MAX_ARCHIVES) return;
      await this.#stateIn(artifact);
    }
  }

  async #stateIn(artifact: Artifact): Promise<SavedState | undefined> {
    const { id, name, runId } = artifact;
    if (this.#read.has(id)) return this.#read.get(id);
    const found = await readArtifact(artifact, this.#options);
    const isRefused = typeof found === 'string';
    if (isRefused) this.#refused.set(found, `in the artifact ${name} of run ${runId}`);
    const state = isRefused ? undefined : found;
    this.#read.set(id, state);
    return state;
  }

  async #readBaseline(states: readonly Artifact[]): Promise<void> {
    const { baseBranch, baseCommit } = this.#options.context;
    const ofCommit = states.filter(({ headSha }) => headSha === baseCommit);
    if (await this.#readUntil(ofCommit, isOfBaseCommit)) return;
    const all = [...states, ...(await this.#list('rescue'))];
    const ofBranch = all.filter(({ headBranch }) => headBranch === baseBranch);
    await this.#readUntil(ofBranch, isOfBaseBranch);
  }

  /** Even if everything is known already. */
  async #readUntil(artifacts: readonly Artifact[], isFound: typeof isOfBaseCommit): Promise<boolean> {
    for (const artifact of newestFirst(artifacts).slice(0, MAX_RUNS)) {
      const state = await this.#stateIn(artifact);
      if (state && isFound(state, this.#options.context)) return true;
    }
    return false;
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
      this.notices.push(
        `The pull request of this commit could not be found, so files that it has analysed may be sent and billed again. ${error.message} ${error.fix}`,
      );
      return undefined;
    }
  }
}
