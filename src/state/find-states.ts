import type { Artifact, GitHubApi } from '../github/api.ts';
import { findMerged } from '../github/checkout.ts';
import { GitHubError } from '../github/connect.ts';
import type { Inputs } from '../inputs/parse.ts';
import { concurrently } from '../lib/async.ts';
import { GateError, rerun, type Step, workflowOwner } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Base } from './baseline.ts';
import { artifactName, endSlot, isOfBranchRun, SLOTS, type Slot } from './gate-id.ts';
import {
  foundStates,
  isBaseListed,
  isBranchListed,
  isListedFarEnough,
  lastSavedFirst,
  MAX_ARCHIVES,
  MAX_PAGES,
  MAX_STATES,
  nextForBaseline,
  nextToRead,
  type SearchRecord,
  unreadIn,
} from './reading-order.ts';
import { type EarlierState, joinStates } from './records.ts';
import { MAX_STATE_BYTES, type SavedState, StateProblem } from './seal.ts';
import { type ArtifactOptions, readArtifact } from './state-artifact.ts';

export interface StateOptions extends ArtifactOptions {
  readonly inputs: Pick<Inputs, 'name' | 'comment' | 'reuseDays'>;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
  /** Undefined if the run needs no baseline. */
  readonly base?: Base | undefined;
  /** False for `reuse-days: 0` and dry runs. If true, the run ends if a request for states fails. */
  readonly canReuse: boolean;
}

/** Why a file that an earlier run has paid for may be billed again. It is reported only if the run sends a file. */
export interface Gap {
  readonly level: 'warning' | 'info';
  readonly text: string;
}

/** The usable states, nearest first, and why others may be missing. */
export interface FoundStates {
  readonly states: readonly SavedState[];
  /** Whether another call may find more states. */
  readonly hasMore: boolean;
  /** Which states could not be found or used, why, and what to do. */
  readonly notices: readonly string[];
  readonly gaps: readonly Gap[];
}

export const NO_STATES: FoundStates = { states: [], hasMore: false, notices: [], gaps: [] };

/**
 * The search for states, in the order of docs/state.md. It pauses at each `yield`, and goes on only if a file would be
 * sent or has failed. The lists of artifacts only preselect; the signature decides.
 */
async function* search(record: SearchRecord, options: StateOptions): AsyncGenerator<void> {
  const list = async (slots: readonly Slot[], isListed: IsListed): Promise<void> => {
    for (const slot of slots) await listUntil(FIRST_PAGE, slot, record, options);
    for (const slot of slots) await listUntil(isListed, slot, record, options);
  };
  const read = async (artifacts: readonly Artifact[]): Promise<void> => await readAll(artifacts, record, options);

  // 1. The nearest state. It is enough if no file is new.
  const own = endSlot(options.binding);
  await list([own], isOfBranchRun(options.binding) ? isBranchListed : FIRST_PAGE);
  await read(nextToRead(record, 1));

  // 2. The baseline. If it decides, in any slot: a re-run, whose own slot is taken, has used another one.
  const { base } = record;
  if (base?.branch !== undefined) {
    await list(base.isDecisive ? SLOTS : [own], isBaseListed);
    while (nextForBaseline(record).length > 0) await read(nextForBaseline(record));
  }
  yield;

  // 3. The branch that most likely knows the files, if it is not listed yet: that of a merged pull request, or this one.
  const { merged, notice } = await findMerged(options.context, options.api);
  record.merged = merged;
  if (notice !== undefined) record.notices.push(notice);
  const slot = merged ? 'pull' : own;
  if (!isBranchListed(record)) {
    await list([slot], isBranchListed);
    await read(nextToRead(record, 1));
    yield;
  }

  // 4. All other states.
  await list([slot, ...SLOTS], isListedFarEnough);
  for (let count = 2; ; count = 4) {
    const next = nextToRead(record, count);
    if (next.length === 0) return;
    await read(next);
    yield;
  }
}

/** Begins a search. Each call reads on until there are enough states, or none is left. */
export function openSearch(options: StateOptions) {
  const { context, base, canReuse } = options;
  const record: SearchRecord = { context, base, pages: new Map(), listed: new Map(), read: new Map(), notices: [] };
  const steps = search(record, options);
  return async (isEnough: (found: EarlierState) => boolean): Promise<FoundStates> => {
    let hasMore = true;
    try {
      do hasMore = !(await steps.next()).done;
      while (hasMore && !isEnough(joinStates(foundStates(record).map(({ document }) => document))));
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (canReuse) throw searchFailed(error, options.inputs);
      record.notices.push(`The state of earlier runs could not all be read. ${error.message} ${error.fix}`);
      hasMore = false;
    }
    if (canReuse) assertNotFlooded(record);
    const notices = [...record.notices, ...describeProblems(record)];
    return { states: foundStates(record), hasMore, notices, gaps: describeGaps(record) };
  };
}

/** Whether the lists were read far enough. */
type IsListed = (record: SearchRecord) => boolean;
const FIRST_PAGE: IsListed = () => true;

/** Reads the first page of a list, if it was not read before. Then reads on until `isListed`. */
async function listUntil(isListed: IsListed, slot: Slot, record: SearchRecord, options: StateOptions): Promise<void> {
  let { count, hasMore } = record.pages.get(slot) ?? { count: 0, hasMore: true };
  while (count === 0 || (hasMore && count < MAX_PAGES && !isListed(record))) {
    count += 1;
    const page = await options.api.artifacts(artifactName(options.inputs.name, slot, options.binding), count);
    hasMore = page.hasMore;
    record.pages.set(slot, { count, hasMore });
    for (const artifact of page.items) record.listed.set(artifact.id, artifact);
  }
}

async function readAll(artifacts: readonly Artifact[], record: SearchRecord, options: StateOptions): Promise<void> {
  const readOne = async (artifact: Artifact) => [artifact.id, await readArtifact(artifact, options)] as const;
  for (const [id, found] of await concurrently(artifacts, artifacts.length, readOne)) record.read.set(id, found);
}

/** Why states cannot be used, and what to do; each reason once. Those that are missing are described as gaps. */
function describeProblems({ listed, read }: SearchRecord): readonly string[] {
  const present = [...listed.values()].filter(({ isOwn, isExpired }) => isOwn && !isExpired);
  const tooLarge = present.filter(({ size }) => size > MAX_STATE_BYTES);
  const all = [...tooLarge.map((each) => new StateProblem('unreadable', each)), ...read.values()];
  const problems = all.filter((found) => found instanceof StateProblem).filter(({ kind }) => kind !== 'missing');
  return [...new Map(problems.map(({ kind, notice }) => [kind, notice])).values()];
}

function describeGaps(record: SearchRecord): readonly Gap[] {
  const listed = [...record.listed.values()].toSorted(lastSavedFirst);
  const found = listed.flatMap(({ id }) => record.read.get(id) ?? []);
  const hasStates = foundStates(record).length > 0;
  const expired = hasStates ? [] : listed.filter(({ isOwn, isExpired }) => isOwn && isExpired);
  const missing = [...found, ...expired.map((artifact) => new StateProblem('missing', artifact))];
  const problems = [
    missing.find((each) => each instanceof StateProblem && each.kind === 'missing'),
    // A state of another key matters if no state that can be used was saved later.
    found.find((each) => !(each instanceof StateProblem) || each.kind === 'other-key'),
  ];
  const isUsedUp = found.length >= MAX_ARCHIVES && foundStates(record).length < MAX_STATES;
  const unusable = isUsedUp ? listed.filter(({ id }) => record.read.get(id) instanceof StateProblem) : [];
  const ofForks = isCut(record) ? listed.filter(({ isOwn }) => !isOwn) : [];
  const crowd = [...unusable, ...(ofForks.length > listed.length / 2 ? ofForks : [])];
  const unread = unreadIn(record).length;
  const warnings = [
    ...problems.flatMap((each) => (each instanceof StateProblem ? each.notice : [])),
    ...(crowd.length > 0 ? [describeCrowd(crowd)] : []),
  ];
  const text = `${plural(unread, 'saved state')} left unread: a run reads the states of at most ${MAX_STATES} runs, from at most ${MAX_ARCHIVES} archives. A file that only these states know is billed again.`;
  const usual: readonly Gap[] = unread > 0 ? [{ level: 'info', text }] : [];
  return [...warnings.map((warning) => ({ level: 'warning' as const, text: warning })), ...usual];
}

function describeCrowd(artifacts: readonly Artifact[]): string {
  const runs = formatList([...new Set(artifacts.map(({ runId }) => runId))]);
  return `A run reads at most ${MAX_ARCHIVES} archives, and lists at most ${MAX_PAGES} pages of a name. The artifacts of the runs ${runs} have used that up. They are of forks, or no states of this gate, so files that were analysed before may be sent and billed again. Delete them, or change \`name\`.`;
}

/** Whether a list has more pages than may be read. */
function isCut({ pages }: SearchRecord): boolean {
  return [...pages.values()].some(({ count, hasMore }) => hasMore && count >= MAX_PAGES);
}

/** Throws if artifacts of forks may hide every state, because none of our own is listed. */
function assertNotFlooded(record: SearchRecord): void {
  const listed = [...record.listed.values()];
  if (!isCut(record) || listed.some(({ isOwn }) => isOwn) || foundStates(record).length > 0) return;
  const names = [...new Set(listed.map(({ name }) => `\`${name}\``))].join(', ');
  const problem = `${MAX_PAGES} pages of artifacts with a name of this gate were listed, and none is of this repository.`;
  const fix = `Delete the artifacts called ${names} that runs of forks have uploaded, or change \`name\`: under a new name, every file is sent and billed once.`;
  throw nothingSent(problem, workflowOwner(fix));
}

function searchFailed(error: GitHubError, { comment }: Pick<Inputs, 'comment'>): GateError {
  const pulls = comment === 'never' ? 'read' : 'write';
  const grant = `Give the job \`permissions: { contents: read, actions: read, pull-requests: ${pulls} }\`, or set \`reuse-days: 0\` to send and pay for every file in every run. Then commit and push: a re-run alone is not enough.`;
  const fix = error.trouble === 'permission' ? grant : `${error.fix} ${grant}`;
  return nothingSent(error.message, error.isOutage ? rerun(error.fix) : workflowOwner(fix), error);
}

/** Without the states it is unknown which files are paid for already, so the run ends before it sends a file. */
function nothingSent(problem: string, step: Step, cause?: unknown): GateError {
  const message = `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${problem} Nothing was sent and nothing was billed.`;
  return new GateError({ reason: 'github', message, steps: [step] }, { cause });
}
