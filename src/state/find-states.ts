import { MAX_ARTIFACTS } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import { GitHubError } from '../github/github-error.ts';
import { GateError, rerun, workflowOwner } from '../lib/cause.ts';
import { readArtifact, type StateOptions } from './archive.ts';
import { EarlierState, type IsEnough } from './earlier-state.ts';
import { artifactName, SLOTS, type Slot } from './gate-id.ts';
import {
  chooseBaseline,
  endSlot,
  type FoundStates,
  MAX_RUNS,
  nearestFirst,
  nearestPlaces,
  newestFirst,
  readingOrder,
} from './history.ts';
import { describeStateProblem, type SavedState } from './seal.ts';

/** Besides the nearest one. With three lists and the question for a merged pull request, a search makes nine requests. */
const MAX_OTHERS = 4;
/** After `workflow_run` every run is listed as the default branch's, and only the signature says which branch it was. */
const MAX_BASELINES = 10;

/** Finds what earlier runs left in artifacts. The list preselects, and the signature decides. */
export class StateSearch {
  /** One for each reason. */
  readonly #notices = new Map<string, string>();
  readonly #options: StateOptions;
  #places: readonly string[];
  /** By the id of the artifact; undefined if it cannot be used. */
  readonly #read = new Map<number, SavedState | undefined>();
  readonly #reading = this.#readNearestFirst();

  constructor(options: StateOptions) {
    this.#options = options;
    this.#places = nearestPlaces(options.context);
  }

  /** Called again, it goes on where it stopped. */
  async load(isEnough: IsEnough): Promise<FoundStates> {
    const isKnown = (): boolean => isEnough(new EarlierState(this.#states.map(({ document }) => document)));
    try {
      while (!isKnown()) if ((await this.#reading.next()).done) break;
    } catch (error) {
      if (error instanceof GitHubError && this.#options.canReuse) throw unanswered(error, this.#options);
      this.#note('The state of earlier runs could not all be read.', error);
    }
    return { states: this.#states, notices: [...this.#notices.values()] };
  }

  get #states(): readonly SavedState[] {
    const usable = [...this.#read.values()].filter((state) => state !== undefined);
    return nearestFirst(usable, this.#places);
  }

  /** Pauses after each state: most runs need one list and one archive. */
  async *#readNearestFirst(): AsyncGenerator<void> {
    const { binding, context } = this.#options;
    await this.#readBaseline();
    const own = endSlot(binding);
    const artifacts = [...(await this.#list(own))];
    const [nearest] = readingOrder(artifacts, this.#places);
    if (nearest) await this.#readOnce(nearest);
    yield;
    this.#places = nearestPlaces(context, await this.#findMergedBranch());
    for (const slot of SLOTS) if (slot !== own) artifacts.push(...(await this.#list(slot)));
    // Of a run whose last state cannot be used, the one before it may be.
    const usable = artifacts.filter(({ id }) => !this.#read.has(id) || this.#read.get(id));
    const unread = readingOrder(usable, this.#places).filter(({ id }) => !this.#read.has(id));
    for (const artifact of unread.slice(0, MAX_OTHERS)) {
      await this.#readOnce(artifact);
      yield;
    }
  }

  /** Even if every file is known without it. */
  async #readBaseline(): Promise<void> {
    const { commit, branch } = this.#options.base;
    if (branch === undefined) return;
    const states = newestFirst(await this.#list('state'));
    const ofCommit = states.filter((each) => each.commit === commit).slice(0, MAX_RUNS);
    const ofBranch = states.filter((each) => each.branch === branch).slice(0, MAX_BASELINES);
    for (const [artifacts, base] of [
      [ofCommit, { commit }],
      [ofBranch, { branch }],
    ] as const)
      for (const artifact of artifacts) {
        const state = await this.#readOnce(artifact);
        if (state && chooseBaseline([state], base)) return;
      }
  }

  /** Any other error is a defect. */
  #note(text: string, error: unknown): void {
    if (!(error instanceof GitHubError)) throw error;
    this.#notices.set(text, `${text} ${error.message} ${error.fix}`);
  }

  async #list(slot: Slot): Promise<readonly Artifact[]> {
    const { api, inputs, binding } = this.#options;
    const name = artifactName(inputs.name, slot, binding);
    const listed = await api.artifacts(name);
    if (listed.length >= MAX_ARTIFACTS)
      this.#notices.set(
        name,
        `GitHub has more artifacts called ${name} than the ${MAX_ARTIFACTS} that are looked at, so files that were analysed long ago may be sent and billed again. Delete old ones if that happens.`,
      );
    // What a fork's run left is not even downloaded, whatever it is called.
    return listed.filter(({ isOwn, isExpired }) => isOwn && !isExpired);
  }

  async #readOnce(artifact: Artifact): Promise<SavedState | undefined> {
    const { id, name, runId } = artifact;
    if (this.#read.has(id)) return this.#read.get(id);
    const found = await readArtifact(artifact, this.#options);
    const state = typeof found === 'object' ? found : undefined;
    if (typeof found === 'string')
      this.#notices.set(found, describeStateProblem(found, `in the artifact ${name} of run ${runId}`));
    this.#read.set(id, state);
    return state;
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
      const text = 'The pull request of this commit could not be found, so its files may be sent and billed again.';
      this.#note(text, error);
      return undefined;
    }
  }
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
