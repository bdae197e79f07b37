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
  type SearchedArtifacts,
  trunkStates,
} from './history.ts';
import { artifactLists } from './list-artifacts.ts';
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
  /** The key is the reason for the notice, so that each reason is reported once. */
  const notices = new Map<string, string>();
  const lists = artifactLists(options, (reason, notice) => notices.set(reason, notice));
  /** The states that were read, by artifact id. Undefined if the state cannot be used. */
  const read = new Map<number, SavedState | undefined>();
  const unusable: Artifact[] = [];
  let deleted: Artifact | undefined;
  let merged: Pull | undefined;
  let ofBaseline = 0;

  const readFirst = once(async () => {
    if (base.branch !== undefined) await readBaseline();
    await readNext(await search([endSlot(binding)]));
  });
  const findMerged = once(async () => {
    merged = await mergedPull(options, note);
  });
  return async (isEnough = () => false) => {
    const hasAll = (): boolean => isEnough(joinStates(states().map(({ document }) => document)));
    try {
      // Most runs need no other states than these.
      await readFirst();
      if (!hasAll()) {
        await findMerged();
        const all = await search(SLOTS);
        while (!hasAll() && (await readNext(all)));
      }
    } catch (error) {
      if (error instanceof GitHubError && canReuse) throw unreadable(error, inputs);
      note('The state of earlier runs could not all be read.', error);
    }
    if (canReuse && lists.isCutOff() && states().length === 0)
      throw flooded(SLOTS.map((slot) => `\`${artifactName(inputs.name, slot, binding)}\``));
    const lost = deleted ?? (states().length === 0 ? lists.expired() : undefined);
    return {
      states: states(),
      notices: [...notices.values()],
      lost: lost && describeLost(lost),
      crowded: read.size < MAX_ARCHIVES ? undefined : describeCrowd(unusable),
    };
  };

  function states(): readonly SavedState[] {
    const usable = [...read.values()].filter((state) => state !== undefined);
    return nearestFirst(usable, nearestPlaces(context, merged));
  }

  async function search(slots: readonly Slot[]): Promise<SearchedArtifacts> {
    const listed = candidates(await lists.of(slots), context, merged);
    const trunk = slots.includes('state') ? trunkStates(await lists.of(['state']), context) : [];
    return { listed, trunk, places: nearestPlaces(context, merged), ofBaseline };
  }

  /** Returns false if no other state may be read. */
  async function readNext(searched: SearchedArtifacts): Promise<boolean> {
    const next = nextToRead(searched, read);
    if (next) await readNew(next);
    return next !== undefined;
  }

  async function readBaseline(): Promise<void> {
    // A run that could not upload its state under the name `state` has saved it under another name.
    const listed = await lists.of(SLOTS);
    for (let next = nextBaseline(listed, read, base); next; next = nextBaseline(listed, read, base))
      await readNew(next);
    ofBaseline = states().length;
  }

  async function readNew(artifact: Artifact): Promise<void> {
    const found = await readArtifact(artifact, options);
    if (found === undefined) deleted ??= artifact;
    if (typeof found === 'string') {
      unusable.push(artifact);
      notices.set(found, describeStateProblem(found, artifact));
    }
    read.set(artifact.id, typeof found === 'object' ? found : undefined);
  }

  /** Adds a notice about an error of GitHub. Any other error is a defect and is thrown again. */
  function note(text: string, error: unknown): void {
    if (!(error instanceof GitHubError)) throw error;
    notices.set(text, `${text} ${error.message} ${error.fix}`);
  }
}

/** A squash merge creates a new commit, but its files were analysed in the pull request. */
async function mergedPull(
  { api, context: { queuedPullRequest, event, commit } }: StateOptions,
  note: (text: string, error: unknown) => void,
): Promise<Pull | undefined> {
  try {
    if (queuedPullRequest !== undefined) return await api.pullRequest(queuedPullRequest);
    return event === 'push' ? (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged) : undefined;
  } catch (error) {
    if (error instanceof GitHubError && error.isOutage) throw error;
    note('The pull request of this commit could not be found, so its files may be sent and billed again.', error);
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
