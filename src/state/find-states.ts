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
import { readArtifact } from './read-artifact.ts';
import { type EarlierState, joinStates } from './records.ts';
import { MAX_STATE_BYTES, type SavedState, type SealOptions, StateProblem } from './seal.ts';

/** Limits how many artifacts of the repository's own runs are listed under one name. Expired ones are not counted. */
const MAX_OWN = 300;
/** Limits how many states are read besides those for the baseline. Artifacts without a usable state are not counted. */
const MAX_STATES = 4;

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
 * Searches for the baseline, then the nearest state, then others. The lists of artifacts only preselect; the signature
 * decides.
 */
export class StateSearch {
  readonly #options: StateOptions;
  /** The notices by their reason, so that each reason is reported once. */
  readonly #notices = new Map<string, string>();
  readonly #read = new Map<number, SavedState | undefined>();
  #searched: SearchedArtifacts;
  readonly #unlisted = new Set(SLOTS);
  /** How many pages of all lists were read. */
  #pages = 0;
  /** How many states were found besides those that were read in search of the baseline. */
  #usable = 0;
  #merging: Promise<Pull | undefined> | undefined;
  #expired: Artifact | undefined;
  #deleted: Artifact | undefined;

  constructor(options: StateOptions) {
    this.#options = options;
    const { context, base } = options;
    this.#searched = { context, base, branchRunName: this.#nameOf('state'), listed: [], read: this.#read };
  }

  /** Reads states until there are enough. A second call repeats no request. */
  async find(isEnough: (found: EarlierState) => boolean = () => false): Promise<FoundStates> {
    const { inputs, canReuse } = this.#options;
    try {
      await this.#readUntil(() => isEnough(joinStates(foundStates(this.#searched).map(({ document }) => document))));
    } catch (error) {
      if (error instanceof GitHubError && canReuse) throw unreadable(error, inputs);
      addNotice(this.#notices, 'The state of earlier runs could not all be read.', error);
    }
    const states = foundStates(this.#searched);
    if (canReuse && this.#pages >= MAX_PAGES && states.length === 0)
      throw flooded(SLOTS.map((slot) => `\`${this.#nameOf(slot)}\``));
    const missing = this.#deleted ?? (states.length === 0 ? this.#expired : undefined);
    const unusable = this.#searched.listed.filter(({ id }) => this.#read.has(id) && !this.#read.get(id));
    const gaps = [
      ...(missing ? [describeMissing(missing)] : []),
      ...(this.#read.size < MAX_ARCHIVES ? [] : [describeCrowd(unusable)]),
    ];
    return { states, notices: [...this.#notices.values()], gaps };
  }

  /** Reading one more state costs requests, so `isEnough` is asked after the nearest state and after each further one. */
  async #readUntil(isEnough: () => boolean): Promise<void> {
    const { base, binding } = this.#options;
    // The baseline may be in any slot: a run that could not upload its state in the slot `state` has used another one.
    await this.#list(base.branch === undefined ? [endSlot(binding)] : SLOTS);
    let next: Artifact | undefined;
    while ((next = nextBaseline(this.#searched))) await this.#readState(next);
    if (this.#usable === 0) await this.#readNearest();
    if (isEnough()) return;
    this.#merging ??= findMerged(this.#options, this.#notices);
    this.#searched = { ...this.#searched, merged: await this.#merging };
    await this.#list(SLOTS);
    while (await this.#readNearest()) if (isEnough()) return;
  }

  async #list(slots: readonly Slot[]): Promise<void> {
    for (const slot of slots) {
      if (!this.#unlisted.delete(slot) || this.#pages >= MAX_PAGES) continue;
      let own = 0;
      const found = await this.#options.api.artifacts(this.#nameOf(slot), (page) => {
        this.#pages += 1;
        own += page.filter(({ isOwn, isExpired }) => isOwn && !isExpired).length;
        return own >= MAX_OWN || this.#pages >= MAX_PAGES;
      });
      this.#expired ??= found.find(({ isOwn, isExpired }) => isOwn && isExpired);
      const present = found.filter(({ isExpired }) => !isExpired);
      const tooLarge = present.find(({ isOwn, size }) => isOwn && size > MAX_STATE_BYTES);
      if (tooLarge) this.#notices.set('unreadable', new StateProblem('unreadable', tooLarge).notice);
      const possible = present.filter(({ size }) => size <= MAX_STATE_BYTES);
      const listed = [...this.#searched.listed, ...possible].toSorted((a, b) => b.id - a.id);
      this.#searched = { ...this.#searched, listed };
    }
  }

  /** @returns whether an artifact was left to read */
  async #readNearest(): Promise<boolean> {
    const next = this.#usable < MAX_STATES ? nextToRead(this.#searched) : undefined;
    if (next && (await this.#readState(next))) this.#usable += 1;
    return next !== undefined;
  }

  async #readState(artifact: Artifact): Promise<SavedState | undefined> {
    const found = await readArtifact(artifact, this.#options);
    if (found === undefined) this.#deleted ??= artifact;
    if (found instanceof StateProblem) this.#notices.set(found.kind, found.notice);
    const state = found instanceof StateProblem ? undefined : found;
    this.#read.set(artifact.id, state);
    return state;
  }

  #nameOf(slot: Slot): string {
    return artifactName(this.#options.inputs.name, slot, this.#options.binding);
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
