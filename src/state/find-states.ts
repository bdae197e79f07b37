import { MAX_PAGES } from '../github/api.ts';
import type { Artifact, Pull } from '../github/api-schemas.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { GateError, rerun, type Step, workflowOwner } from '../lib/cause.ts';
import { formatList } from '../lib/format.ts';
import { artifactName, endSlot, SLOTS, type Slot } from './gate-id.ts';
import {
  candidates,
  type FoundStates,
  MAX_ARCHIVES,
  nearestFirst,
  nearestPlaces,
  nextBaseline,
  nextToRead,
  type ReadStates,
  type SearchedArtifacts,
  trunkStates,
} from './history.ts';
import { artifactLists, type Notices } from './list-artifacts.ts';
import { type EarlierState, joinStates } from './merge.ts';
import { describeStateProblem, type SavedState } from './seal.ts';
import { readArtifact, type StateOptions } from './state-artifact.ts';

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
  const { inputs, context, binding, base, canReuse } = options;
  const notices: Notices = new Map();
  const lists = artifactLists(options, notices);
  const archives = archiveReader(options, notices);
  let merged: Pull | undefined;
  let ofBaseline = 0;

  const states = (): readonly SavedState[] => nearestFirst(archives.usable(), nearestPlaces(context, merged));
  const search = async (slots: readonly Slot[]): Promise<SearchedArtifacts> => ({
    listed: candidates(await lists.of(slots), context, merged),
    trunk: slots.includes('state') ? trunkStates(await lists.of(['state']), context) : [],
    places: nearestPlaces(context, merged),
    ofBaseline,
  });
  /** Most runs need no other states than these. */
  const readFirst = once(async () => {
    if (base.branch !== undefined) {
      // A run that could not upload its state under the name `state` has saved it under another name.
      const listed = await lists.of(SLOTS);
      while (await archives.read(nextBaseline(listed, archives.states, base)));
      ofBaseline = states().length;
    }
    await archives.read(nextToRead(await search([endSlot(binding)]), archives.states));
  });
  const findMerged = once(async () => {
    merged = await mergedPull(options, notices);
  });
  return async (isEnough = () => false) => {
    const hasAll = (): boolean => isEnough(joinStates(states().map(({ document }) => document)));
    try {
      await readFirst();
      if (!hasAll()) {
        await findMerged();
        const all = await search(SLOTS);
        while (!hasAll() && (await archives.read(nextToRead(all, archives.states))));
      }
    } catch (error) {
      if (error instanceof GitHubError && canReuse) throw unreadable(error, inputs);
      addNotice(notices, 'The state of earlier runs could not all be read.', error);
    }
    const found = states();
    if (canReuse && lists.isCutOff() && found.length === 0)
      throw flooded(SLOTS.map((slot) => `\`${artifactName(inputs.name, slot, binding)}\``));
    const lost = archives.deleted() ?? (found.length === 0 ? lists.expired() : undefined);
    const crowded = archives.states.size < MAX_ARCHIVES ? undefined : describeCrowd(archives.unusable);
    return { states: found, notices: [...notices.values()], lost: lost && describeLost(lost), crowded };
  };
}

/** Downloads artifacts, and keeps what they hold. */
function archiveReader(options: StateOptions, notices: Notices) {
  const states = new Map<number, SavedState | undefined>();
  const unusable: Artifact[] = [];
  let deleted: Artifact | undefined;
  return {
    /** Returns false without an artifact to read. */
    read: async (artifact: Artifact | undefined): Promise<boolean> => {
      if (!artifact) return false;
      const found = await readArtifact(artifact, options);
      if (found === undefined) deleted ??= artifact;
      if (typeof found === 'string') {
        unusable.push(artifact);
        notices.set(found, describeStateProblem(found, artifact));
      }
      states.set(artifact.id, typeof found === 'object' ? found : undefined);
      return true;
    },
    states: states satisfies ReadStates,
    usable: () => [...states.values()].filter((state) => state !== undefined),
    unusable,
    deleted: () => deleted,
  };
}

/** Adds a notice about an error of GitHub. Any other error is a defect and is thrown again. */
function addNotice(notices: Notices, text: string, error: unknown): void {
  if (!(error instanceof GitHubError)) throw error;
  notices.set(text, `${text} ${error.message} ${error.fix}`);
}

/** A squash merge creates a new commit, but its files were analysed in the pull request. */
async function mergedPull(
  { api, context: { queuedPullRequest, event, commit } }: StateOptions,
  notices: Notices,
): Promise<Pull | undefined> {
  try {
    if (queuedPullRequest !== undefined) return await api.pullRequest(queuedPullRequest);
    return event === 'push' ? (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged) : undefined;
  } catch (error) {
    if (error instanceof GitHubError && error.isOutage) throw error;
    const text = 'The pull request of this commit could not be found, so its files may be sent and billed again.';
    addNotice(notices, text, error);
    return undefined;
  }
}

function describeLost({ name, runId, isExpired }: Artifact): string {
  const outcome = isExpired ? 'has expired' : 'was deleted';
  return `The artifact ${name} of run ${runId}, which held a state, ${outcome}. Its files may be sent and billed again.`;
}

function describeCrowd(unusable: readonly Artifact[]): string {
  const runs = formatList([...new Set(unusable.map(({ runId }) => runId))]);
  return `${MAX_ARCHIVES} artifacts with the names of this gate were read, and no more are read. Those of the runs ${runs} are no states of this gate, so files that were analysed before may be sent and billed again. Delete them, or change \`name\`.`;
}

function unreadable(error: GitHubError, { comment }: Pick<Inputs, 'comment'>): GateError {
  const pulls = comment === 'never' ? 'read' : 'write';
  const grant = `Give the job \`permissions: { contents: read, actions: read, pull-requests: ${pulls} }\`, or set \`reuse-days: 0\` to send and pay for every file in every run. Then commit and push: a re-run alone is not enough.`;
  const fix = error.trouble === 'permission' ? grant : `${error.fix} ${grant}`;
  return nothingSent(error.message, error.isOutage ? rerun(error.fix) : workflowOwner(fix), error);
}

function flooded(names: readonly string[]): GateError {
  const problem = `${MAX_PAGES} pages of artifacts with the names of this gate were listed, and none holds a state of it.`;
  const fix = `Delete the artifacts called ${names.join(', ')} that runs of forks have uploaded, or change \`name\`: under a new name, every file is sent and billed once.`;
  return nothingSent(problem, workflowOwner(fix));
}

/** Without the states it is unknown which files are paid for already, so the run ends before it sends a file. */
function nothingSent(problem: string, step: Step, cause?: unknown): GateError {
  const message = `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${problem} Nothing was sent and nothing was billed.`;
  return new GateError({ reason: 'github', message, steps: [step] }, { cause });
}
