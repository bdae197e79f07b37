import { MAX_ARTIFACTS } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { GateError, rerun, workflowOwner } from '../lib/cause.ts';
import { readArtifact, type StateOptions } from './archive.ts';
import { EarlierState, type IsEnough } from './earlier-state.ts';
import { artifactName, SLOTS, type Slot } from './gate-id.ts';
import {
  chooseBaseline,
  endSlot,
  type FoundStates,
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
export function stateSearch(options: StateOptions): (isEnough: IsEnough) => Promise<FoundStates> {
  const { api, inputs, context, binding, base, canReuse } = options;
  /** One for each reason. */
  const notices = new Map<string, string>();
  /** By the id of the artifact; undefined if it cannot be used. */
  const read = new Map<number, SavedState | undefined>();
  let places = nearestPlaces(context);

  const states = (): readonly SavedState[] => {
    const usable = [...read.values()].filter((state) => state !== undefined);
    return nearestFirst(usable, places);
  };

  /** Any other error is a defect. */
  const note = (text: string, error: unknown): void => {
    if (!(error instanceof GitHubError)) throw error;
    notices.set(text, `${text} ${error.message} ${error.fix}`);
  };

  const list = async (slot: Slot): Promise<readonly Artifact[]> => {
    const name = artifactName(inputs.name, slot, binding);
    const listed = await api.artifacts(name);
    if (listed.length >= MAX_ARTIFACTS)
      notices.set(
        name,
        `GitHub has more artifacts called ${name} than the ${MAX_ARTIFACTS} that are looked at, so files that were analysed long ago may be sent and billed again. Delete old ones if that happens.`,
      );
    // What a fork's run left is not even downloaded, whatever it is called.
    return listed.filter(({ isOwn, isExpired }) => isOwn && !isExpired);
  };

  const readOnce = async (artifact: Artifact): Promise<SavedState | undefined> => {
    const { id, name, runId } = artifact;
    if (read.has(id)) return read.get(id);
    const found = await readArtifact(artifact, options);
    const state = typeof found === 'object' ? found : undefined;
    if (typeof found === 'string')
      notices.set(found, describeStateProblem(found, `in the artifact ${name} of run ${runId}`));
    read.set(id, state);
    return state;
  };

  /** A squash merge is a new commit, but not new media. What is not found here may still be found as any branch's. */
  const findMergedBranch = async (): Promise<string | undefined> => {
    const { queuedPullRequest, event, commit } = context;
    try {
      if (queuedPullRequest !== undefined) return (await api.pullRequest(queuedPullRequest)).branch;
      if (event !== 'push') return undefined;
      return (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged)?.branch;
    } catch (error) {
      note('The pull request of this commit could not be found, so its files may be sent and billed again.', error);
      return undefined;
    }
  };

  const readBaseline = async (): Promise<void> => {
    if (base.branch === undefined) return;
    // The state of a run whose name was blocked stands under its other name.
    for (const slot of ['state', 'open'] as const) {
      const listed = newestFirst(await list(slot));
      for (const place of ['commit', 'branch'] as const) {
        const artifacts = listed.filter((each) => each[place] === base[place]);
        for (const artifact of artifacts.slice(0, MAX_BASELINES)) {
          const state = await readOnce(artifact);
          if (state && chooseBaseline([state], { [place]: base[place] })) return;
        }
      }
    }
  };

  /** Pauses after each state: most runs need one list and one archive. The baseline is read in any case. */
  async function* readNearestFirst(): AsyncGenerator<void> {
    await readBaseline();
    const own = endSlot(binding);
    const artifacts = [...(await list(own))];
    const [nearest] = readingOrder(artifacts, places);
    if (nearest) await readOnce(nearest);
    yield;
    places = nearestPlaces(context, await findMergedBranch());
    for (const slot of SLOTS) if (slot !== own) artifacts.push(...(await list(slot)));
    // Of a run whose last state cannot be used, the one before it may be.
    const usable = artifacts.filter(({ id }) => !read.has(id) || read.get(id));
    const unread = readingOrder(usable, places).filter(({ id }) => !read.has(id));
    for (const artifact of unread.slice(0, MAX_OTHERS)) {
      await readOnce(artifact);
      yield;
    }
  }

  const reading = readNearestFirst();
  /** Called again, it goes on where it stopped. */
  return async (isEnough) => {
    const isKnown = (): boolean => isEnough(new EarlierState(states().map(({ document }) => document)));
    try {
      while (!isKnown()) if ((await reading.next()).done) break;
    } catch (error) {
      if (error instanceof GitHubError && canReuse) throw unanswered(error, inputs);
      note('The state of earlier runs could not all be read.', error);
    }
    return { states: states(), notices: [...notices.values()] };
  };
}

/** Without the response it is unknown which files are paid for already. */
function unanswered(error: GitHubError, { comment }: Inputs): GateError {
  const pulls = comment === 'never' ? 'read' : 'write';
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
