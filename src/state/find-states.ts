import { MAX_ARTIFACT_PAGES } from '../github/api.ts';
import type { Artifact, Pull } from '../github/api-schemas.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { GateError, rerun, type Step, workflowOwner } from '../lib/cause.ts';
import { artifactName, endSlot, SLOTS, type Slot } from './gate-id.ts';
import {
  baselineOrder,
  candidates,
  chooseBaseline,
  type FoundStates,
  nearestFirst,
  nearestPlaces,
  readingOrder,
} from './history.ts';
import { type EarlierState, joinStates } from './merge.ts';
import { describeStateProblem, type SavedState } from './seal.ts';
import { readArtifact, type StateOptions } from './state-artifact.ts';

/** How many archives are read at most, besides the nearest state and the baseline. */
const MAX_OTHERS = 4;
/** Listing ends after this many artifacts of the repository's own runs. Expired artifacts are not counted. */
const MAX_OWN = 300;

/** Runs a step at the first call. Later calls get the same result. */
function once<Result>(step: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return async () => {
    result ??= step();
    return await result;
  };
}

/**
 * Finds the states that earlier runs saved in artifacts: the baseline, then the nearest state, then others until every
 * file has an analysis. The lists only preselect artifacts; the signature decides. A second search repeats no request.
 */
export function stateSearch(
  options: StateOptions,
): (isEnough?: (found: EarlierState) => boolean) => Promise<FoundStates> {
  const { api, inputs, context, binding, base, canReuse } = options;
  const lists: Record<Slot, () => Promise<readonly Artifact[]>> = {
    state: once(async () => await list('state')),
    pull: once(async () => await list('pull')),
    open: once(async () => await list('open')),
  };
  /** The states that were read, by artifact id. Undefined if the state cannot be used. */
  const read = new Map<number, SavedState | undefined>();
  /** The key is the reason for the notice, so that each reason is reported once. */
  const notices = new Map<string, string>();
  let merged: Pull | undefined;
  /** How many pages were requested, in all lists together. */
  let pages = 0;

  const readFirst = once(async () => {
    await readBaseline();
    await readNearest();
  });
  const findOthers = once(listOthers);
  return async (isEnough = () => false) => {
    const hasAll = (): boolean => isEnough(joinStates(states().map(({ document }) => document)));
    try {
      await readFirst();
      if (!hasAll()) for (const artifact of await findOthers()) if (!hasAll()) await readOnce(artifact);
    } catch (error) {
      if (error instanceof GitHubError && canReuse) throw unreadable(error, inputs);
      note('The state of earlier runs could not all be read.', error);
    }
    if (canReuse && pages >= MAX_ARTIFACT_PAGES && states().length === 0)
      throw flooded(SLOTS.map((slot) => `\`${artifactName(inputs.name, slot, binding)}\``));
    return { states: states(), notices: [...notices.values()] };
  };

  function states(): readonly SavedState[] {
    const usable = [...read.values()].filter((state) => state !== undefined);
    return nearestFirst(usable, nearestPlaces(context, merged));
  }

  /** Reads the baseline, which the run needs even if the nearest state has an analysis of every file. */
  async function readBaseline(): Promise<void> {
    if (base.branch === undefined) return;
    // A run that could not upload its state under the name `state` has saved it under `open`.
    const listed = [...(await lists.state()), ...(await lists.open())];
    for (const artifact of baselineOrder(listed, base)) {
      const state = await readOnce(artifact);
      if (state && chooseBaseline([state], base)) return;
    }
  }

  /** Lists only the artifact name under which this run will save its final state: most runs need no other state. */
  async function readNearest(): Promise<void> {
    const [nearest] = readingOrder(await candidatesOf([endSlot(binding)]), nearestPlaces(context, merged));
    if (nearest) await readOnce(nearest);
  }

  /** Lists all artifact names, and looks for the pull request that was merged or is queued. */
  async function listOthers(): Promise<readonly Artifact[]> {
    merged = await findMerged();
    const own = endSlot(binding);
    const all = await candidatesOf([own, ...SLOTS.filter((slot) => slot !== own)]);
    // If the newest state of a run cannot be used, an older state of that run may be usable.
    const usable = all.filter(({ id }) => !read.has(id) || read.get(id));
    const unread = readingOrder(usable, nearestPlaces(context, merged)).filter(({ id }) => !read.has(id));
    return unread.slice(0, MAX_OTHERS);
  }

  async function candidatesOf(slots: readonly Slot[]): Promise<readonly Artifact[]> {
    const listed: (readonly Artifact[])[] = [];
    for (const slot of slots) listed.push(await lists[slot]());
    return candidates(listed, context, merged);
  }

  async function list(slot: Slot): Promise<readonly Artifact[]> {
    if (pages >= MAX_ARTIFACT_PAGES) return [];
    const name = artifactName(inputs.name, slot, binding);
    let own = 0;
    const listed = await api.artifacts(name, (page) => {
      pages += 1;
      own += page.filter(({ isOwn, isExpired }) => isOwn && !isExpired).length;
      return own >= MAX_OWN || pages >= MAX_ARTIFACT_PAGES;
    });
    if (own >= MAX_OWN || pages >= MAX_ARTIFACT_PAGES)
      notices.set(
        name,
        `GitHub has more artifacts called ${name} than are looked at, so files that were analysed long ago may be sent and billed again. If that happens, delete old artifacts.`,
      );
    return listed.filter(({ isExpired }) => !isExpired);
  }

  async function readOnce(artifact: Artifact): Promise<SavedState | undefined> {
    const { id, name, runId } = artifact;
    if (read.has(id)) return read.get(id);
    const found = await readArtifact(artifact, options);
    const state = typeof found === 'object' ? found : undefined;
    if (typeof found === 'string')
      notices.set(found, describeStateProblem(found, `in the artifact ${name} of run ${runId}`));
    read.set(id, state);
    return state;
  }

  /** A squash merge creates a new commit, but its files were analysed in the pull request. */
  async function findMerged(): Promise<Pull | undefined> {
    const { queuedPullRequest, event, commit } = context;
    try {
      if (queuedPullRequest !== undefined) return await api.pullRequest(queuedPullRequest);
      return event === 'push' ? (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged) : undefined;
    } catch (error) {
      note('The pull request of this commit could not be found, so its files may be sent and billed again.', error);
      return undefined;
    }
  }

  /** Adds a notice about an error of GitHub. Any other error is a defect and is thrown again. */
  function note(text: string, error: unknown): void {
    if (!(error instanceof GitHubError)) throw error;
    notices.set(text, `${text} ${error.message} ${error.fix}`);
  }
}

function unreadable(error: GitHubError, { comment }: Pick<Inputs, 'comment'>): GateError {
  const pulls = comment === 'never' ? 'read' : 'write';
  const grant = `Give the job \`permissions: { contents: read, actions: read, pull-requests: ${pulls} }\`, or set \`reuse-days: 0\` to send and pay for every file in every run. Then commit and push: a re-run alone is not enough.`;
  const fix = error.trouble === 'permission' ? grant : `${error.fix} ${grant}`;
  return nothingSent(error.message, error.isOutage ? rerun(error.fix) : workflowOwner(fix), error);
}

function flooded(names: readonly string[]): GateError {
  const problem = `${MAX_ARTIFACT_PAGES} pages of artifacts with the names of this gate were listed, and none holds a state of it.`;
  const fix = `Delete the artifacts called ${names.join(', ')} that runs of forks have uploaded, or change \`name\`: under a new name, every file is sent and billed once.`;
  return nothingSent(problem, workflowOwner(fix));
}

/** Without the states it is unknown which files are paid for already, so the run ends before it sends a file. */
function nothingSent(problem: string, step: Step, cause?: unknown): GateError {
  const message = `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${problem} Nothing was sent and nothing was billed.`;
  return new GateError({ reason: 'github', message, steps: [step] }, { cause });
}
