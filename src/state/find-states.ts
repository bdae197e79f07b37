import { MAX_ARTIFACTS } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import { GitHubError } from '../github/github-error.ts';
import { GateError, rerun, workflowOwner } from '../lib/cause.ts';
import { readArtifact, type StateOptions } from './archive.ts';
import { EarlierState, type LoadedStates, loadedStates, type StateNeeds } from './earlier-state.ts';
import { artifactName, SLOTS, type Slot } from './gate-id.ts';
import {
  chooseBaseline,
  endSlot,
  isOfBaseBranch,
  isOfBaseCommit,
  MAX_RUNS,
  nearestFirst,
  nearestPlaces,
  newestFirst,
  readingOrder,
  unsettled,
} from './history.ts';
import { describeStateProblem, type SavedState } from './seal.ts';

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

/** Besides the nearest one. With three lists and the question for a merged pull request, a search makes nine requests. */
const MAX_OTHERS = 4;
/** After `workflow_run` every run is listed as the default branch's, and only the signature says which branch it was. */
const MAX_BASELINES = 10;

/**
 * Finds what earlier runs left in artifacts. The list preselects, and the signature decides. Most runs need one list and
 * one archive, and a second search of the same run reads only what is left.
 */
export class StateSearch {
  /** One for each reason. */
  readonly #notices = new Map<string, string>();
  readonly #options: StateOptions;
  #places: readonly string[];
  readonly #lists = new Map<Slot, readonly Artifact[]>();
  /** By the id of the artifact; undefined if it cannot be used. */
  readonly #read = new Map<number, SavedState | undefined>();

  constructor(options: StateOptions) {
    this.#options = options;
    this.#places = nearestPlaces(options.context);
  }

  async load(needs: StateNeeds): Promise<LoadedStates> {
    try {
      await this.#search(needs);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (needs.canReuse) throw unanswered(error, this.#options);
      this.#note('The state of earlier runs could not all be read.', error);
    }
    const baseline = needs.hasBaseline ? chooseBaseline(this.#states, this.#options.context) : undefined;
    return loadedStates(this.#states, [...this.#notices.values()], baseline);
  }

  async #search({ hasBaseline, isEnough }: StateNeeds): Promise<void> {
    const isKnown = (): boolean => isEnough(new EarlierState(this.#states.map(({ document }) => document)));
    const ownList = await this.#list(endSlot(this.#options.binding));
    const [nearest] = readingOrder(ownList, this.#places);
    const isFound = nearest !== undefined && (await this.#readUntil(isKnown, [nearest]));
    if (!isFound) await this.#readUntil(isKnown, await this.#findOthers());
    if (hasBaseline) await this.#readBaseline();
  }

  #note(text: string, { message, fix }: GitHubError): void {
    this.#notices.set(text, `${text} ${message} ${fix}`);
  }

  get #states(): readonly SavedState[] {
    const usable = [...this.#read.values()].filter((state) => state !== undefined);
    return nearestFirst(usable, this.#places);
  }

  async #list(slot: Slot): Promise<readonly Artifact[]> {
    const { api, inputs, binding } = this.#options;
    const name = artifactName(inputs.name, slot, binding);
    const kept = this.#lists.get(slot);
    if (kept) return kept;
    const listed = await api.artifacts(name);
    if (listed.length >= MAX_ARTIFACTS)
      this.#notices.set(
        name,
        `GitHub has more artifacts called ${name} than the ${MAX_ARTIFACTS} that are looked at, so files that were analysed long ago may be sent and billed again. Delete old ones if that happens.`,
      );
    // What a fork's run left is not even downloaded, whatever it is called.
    const usable = listed.filter(({ isOwn, isExpired }) => isOwn && !isExpired);
    this.#lists.set(slot, usable);
    return usable;
  }

  /** What is still to be read of all lists, nearest first. */
  async #findOthers(): Promise<readonly Artifact[]> {
    if (this.#lists.size < SLOTS.length)
      this.#places = nearestPlaces(this.#options.context, await this.#findMergedBranch());
    const states = [...(await this.#list('state')), ...(await this.#list('pull'))];
    // Of a run whose state cannot be used, the open submission may still be known.
    const usable = states.filter(({ id }) => !this.#read.has(id) || this.#read.get(id));
    const all = [...states, ...unsettled(await this.#list('open'), usable)];
    const unread = readingOrder(all, this.#places).filter(({ id }) => !this.#read.has(id));
    return unread.slice(0, MAX_OTHERS);
  }

  async #readUntil(
    isDone: (state: SavedState | undefined) => boolean,
    artifacts: readonly Artifact[],
  ): Promise<boolean> {
    for (const artifact of artifacts) if (isDone(await this.#readOnce(artifact))) return true;
    return false;
  }

  async #readOnce(artifact: Artifact): Promise<SavedState | undefined> {
    const { id, name, runId } = artifact;
    if (this.#read.has(id)) return this.#read.get(id);
    const found = await readArtifact(artifact, this.#options);
    const isProblem = typeof found === 'string';
    if (isProblem) this.#notices.set(found, describeStateProblem(found, `in the artifact ${name} of run ${runId}`));
    const state = isProblem ? undefined : found;
    this.#read.set(id, state);
    return state;
  }

  /** Even if every file is known already. */
  async #readBaseline(): Promise<void> {
    const { context } = this.#options;
    const states = newestFirst(await this.#list('state'));
    const ofCommit = states.filter(({ headSha }) => headSha === context.baseCommit).slice(0, MAX_RUNS);
    if (await this.#readUntil((state) => isOfBaseCommit(state, context), ofCommit)) return;
    const ofBranch = states.filter(({ headBranch }) => headBranch === context.baseBranch).slice(0, MAX_BASELINES);
    await this.#readUntil((state) => isOfBaseBranch(state, context), ofBranch);
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
      this.#note(
        'The pull request of this commit could not be found, so its files may be sent and billed again.',
        error,
      );
      return undefined;
    }
  }
}
