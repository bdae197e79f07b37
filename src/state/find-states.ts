import { type UnzipFileInfo, unzipSync } from 'fflate';
import { type GitHubApi, MAX_PAGES } from '../github/api.ts';
import type { Artifact, Pull } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/parse.ts';
import { GateError, rerun, type Step, workflowOwner } from '../lib/cause.ts';
import { formatList } from '../lib/format.ts';
import {
  type Base,
  foundStates,
  MAX_ARCHIVES,
  nextBaseline,
  nextToRead,
  type SearchedArtifacts,
} from './choose-states.ts';
import { artifactName, endSlot, SLOTS, type Slot } from './gate-id.ts';
import { type EarlierState, joinStates } from './merge.ts';
import { MAX_STATE_BYTES, type SavedState, type SealOptions, StateProblem, unseal } from './seal.ts';

/** Limits how many artifacts of the repository's own runs are listed under one name. Expired ones are not counted. */
const MAX_OWN = 300;
/** Limits how many states are read besides those for the baseline. Artifacts without a usable state are not counted. */
const MAX_STATES = 4;

export const STATE_FILE = 'state.json';

export interface StateOptions extends SealOptions {
  readonly inputs: Pick<Inputs, 'name' | 'comment' | 'reuseDays'>;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
  readonly runner: Runner;
  readonly base: Base;
  /** False for `reuse-days: 0` and dry runs. If true, the run ends if a request for states fails. */
  readonly canReuse: boolean;
}

/** The usable states, nearest first, and why others may be missing. */
export interface FoundStates {
  readonly states: readonly SavedState[];
  /** Which states could not be found or used, why, and what to do. */
  readonly notices: readonly string[];
  /** Why states may exist that were not found. These texts are reported only if the run sends a file. */
  readonly gaps?: readonly string[];
}

/**
 * Returns a search for the baseline, then the nearest state, then others until `isEnough`. The lists of artifacts only
 * preselect; the signature decides. A second call of the search repeats no request.
 */
export function stateSearch(
  options: StateOptions,
): (isEnough?: (found: EarlierState) => boolean) => Promise<FoundStates> {
  const { inputs, context, binding, base, canReuse } = options;
  const nameOf = (slot: Slot): string => artifactName(inputs.name, slot, binding);
  /** By the reason for each notice, so that a reason is reported once. */
  const notices = new Map<string, string>();
  const read = new Map<number, SavedState | undefined>();
  let searched: SearchedArtifacts = { context, base, branchRunName: nameOf('state'), listed: [], read };
  const unlisted = new Set(SLOTS);
  /** How many pages of all lists were read. */
  let pages = 0;
  /** How many states were found besides those that were read in search of the baseline. */
  let usable = 0;
  let merging: Promise<Pull | undefined> | undefined;
  let expired: Artifact | undefined;
  let deleted: Artifact | undefined;

  async function list(slots: readonly Slot[]): Promise<void> {
    for (const slot of slots) {
      if (!unlisted.delete(slot) || pages >= MAX_PAGES) continue;
      let own = 0;
      const found = await options.api.artifacts(nameOf(slot), (page) => {
        pages += 1;
        own += page.filter(({ isOwn, isExpired }) => isOwn && !isExpired).length;
        return own >= MAX_OWN || pages >= MAX_PAGES;
      });
      expired ??= found.find(({ isOwn, isExpired }) => isOwn && isExpired);
      const present = found.filter(({ isExpired }) => !isExpired);
      const tooLarge = present.find(({ isOwn, size }) => isOwn && size > MAX_STATE_BYTES);
      if (tooLarge) notices.set('unreadable', new StateProblem('unreadable', tooLarge).notice);
      const possible = present.filter(({ size }) => size <= MAX_STATE_BYTES);
      searched = { ...searched, listed: [...searched.listed, ...possible].toSorted((a, b) => b.id - a.id) };
    }
  }

  async function readNext(artifact: Artifact): Promise<SavedState | undefined> {
    const found = await readArtifact(artifact, options);
    if (found === undefined) deleted ??= artifact;
    if (found instanceof StateProblem) notices.set(found.kind, found.notice);
    const state = found instanceof StateProblem ? undefined : found;
    read.set(artifact.id, state);
    return state;
  }

  /** @returns whether an artifact was left to read */
  async function readNearest(): Promise<boolean> {
    const next = usable < MAX_STATES ? nextToRead(searched) : undefined;
    if (next && (await readNext(next))) usable += 1;
    return next !== undefined;
  }

  /** Reading one more state costs requests, so `isEnough` is asked after the nearest state and after each further one. */
  async function readUntil(isEnough: () => boolean): Promise<void> {
    // The baseline may be in any slot: a run that could not upload its state in the slot `state` has used another one.
    await list(base.branch === undefined ? [endSlot(binding)] : SLOTS);
    let next: Artifact | undefined;
    while ((next = nextBaseline(searched))) await readNext(next);
    if (usable === 0) await readNearest();
    if (isEnough()) return;
    searched = { ...searched, merged: await (merging ??= findMerged(options, notices)) };
    await list(SLOTS);
    while (await readNearest()) if (isEnough()) return;
  }

  return async (isEnough = () => false) => {
    const hasAll = (): boolean => isEnough(joinStates(foundStates(searched).map(({ document }) => document)));
    try {
      await readUntil(hasAll);
    } catch (error) {
      if (error instanceof GitHubError && canReuse) throw unreadable(error, inputs);
      addNotice(notices, 'The state of earlier runs could not all be read.', error);
    }
    const states = foundStates(searched);
    if (canReuse && pages >= MAX_PAGES && states.length === 0)
      throw flooded(SLOTS.map((slot) => `\`${nameOf(slot)}\``));
    const missing = deleted ?? (states.length === 0 ? expired : undefined);
    const unusable = searched.listed.filter(({ id }) => read.has(id) && !read.get(id));
    const gaps = [
      ...(missing ? [describeMissing(missing)] : []),
      ...(read.size < MAX_ARCHIVES ? [] : [describeCrowd(unusable)]),
    ];
    return { states, notices: [...notices.values()], gaps };
  };
}

/** The state in an artifact. Undefined if the artifact was deleted or has expired. */
export async function readArtifact(
  artifact: Artifact,
  options: Pick<StateOptions, 'api' | keyof SealOptions>,
): Promise<SavedState | StateProblem | undefined> {
  const archive = await options.api.artifactArchive(artifact);
  return archive && unseal(stateIn(archive), artifact, options);
}

/**
 * Unpacks `state.json` in memory. Undefined if the archive is damaged, too large, or has any other entry: entries may
 * share their bytes, so unpacking a small archive of many entries would take minutes.
 */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  const entries: UnzipFileInfo[] = [];
  try {
    unzipSync(archive, {
      filter: (entry) => {
        if (entries.push(entry) > 1) throw new Error('The archive has a second entry.');
        return false;
      },
    });
    const [{ name, originalSize } = { name: '', originalSize: 0 }] = entries;
    return name === STATE_FILE && originalSize <= MAX_STATE_BYTES ? unzipSync(archive)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the pull request that a push merged, or the last one of a merge group: its runs analysed the same files. */
async function findMerged(
  { api, context: { queuedPullRequest, event, commit } }: StateOptions,
  notices: Map<string, string>,
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

/** Adds a notice about an error of GitHub. Any other error is a defect and is thrown again. */
function addNotice(notices: Map<string, string>, text: string, error: unknown): void {
  if (!(error instanceof GitHubError)) throw error;
  notices.set(text, `${text} ${error.message} ${error.fix}`);
}

function describeMissing({ name, runId }: Artifact): string {
  return `The artifact ${name} of run ${runId}, which held a state, was deleted or has expired. Its files may be sent and billed again.`;
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
