import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Pull } from '../../src/github/api.ts';
import type { Artifact } from '../../src/github/artifacts.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { contentsToSend, makePlan, type Plan } from '../../src/plan/plan.ts';
import { type Base, baseOf, isBaseline } from '../../src/state/baseline.ts';
import type { OpenRecord, StateDocument } from '../../src/state/document.ts';
import { openSearch } from '../../src/state/find-states.ts';
import { artifactName, endSlot, type Slot } from '../../src/state/gate-id.ts';
import { type EarlierState, joinStates, mergeState } from '../../src/state/merge.ts';
import { type Binding, type SavedState, seal, signingKey } from '../../src/state/seal.ts';
import { result } from '../builders/analyses.ts';
import { archiveOf, artifactApi, listed, pull } from '../builders/github.ts';
import { file, sha } from '../builders/media.ts';
import { aReport } from '../builders/reports.ts';
import { basis, binding, NOW } from '../builders/states.ts';

/**
 * Random histories of a repository whose runs overlap. Each run searches for states, plans and saves with the code of
 * the action. GitHub is a list in memory, and a reference knows every state in it.
 */

/** What happens in a repository, and how often. */
const EVENTS = {
  'push to main': 2,
  'push to a pull request': 5,
  'push to many pull requests': 1,
  'squash merge': 4,
  'merge queue': 1,
  'run again': 3,
  'a run goes on': 14,
  'a run is cancelled': 2,
  'a stranger uploads': 1,
  'an artifact expires': 1,
};

const Event = fc.record({
  kind: fc.oneof(...Object.entries(EVENTS).map(([kind, weight]) => ({ arbitrary: fc.constant(kind), weight }))),
  /** Chooses the run, the pull request or the artifact. */
  pick: fc.nat({ max: 1_000 }),
  flag: fc.boolean(),
});
type Event = typeof Event extends fc.Arbitrary<infer Value> ? Value : never;

const Histories = fc.record({
  events: fc.array(Event, { minLength: 3, maxLength: 40 }),
  order: fc.constantFrom('newest first' as const, 'oldest first' as const, 'shuffled' as const),
  pageSize: fc.constantFrom(4, 100),
  ending: fc.constantFrom('squash merges', 'merge queue', 're-runs'),
  /** At the end, every second or third run is cancelled after its creation, or none. */
  cancelled: fc.constantFrom(2, 3, 100),
});
type History = typeof Histories extends fc.Arbitrary<infer Value> ? Value : never;

/** The orders in which GitHub may list artifacts, by their ids. */
const RANKS = {
  'oldest first': (id: number) => id,
  'newest first': (id: number) => -id,
  shuffled: (id: number) => (id * 37) % 101,
};

/**
 * So many archives of a gate are read: the last of each run, and those of the first round, which has listed one page and
 * cannot know what a run has saved since. While they are enough, nothing that is paid for may be sent again.
 */
const MAX_ARCHIVES = 12;
const KEY = signingKey('the key of the gate');
const PULLS = 12;
const NEW = { ...aReport().policy, failOnIssues: 'new' } as const;

function nameOf(slot: Slot): string {
  return artifactName('gate', slot, binding());
}

interface Run {
  readonly context: RunContext;
  readonly tree: ReadonlySet<string>;
  readonly documents: readonly StateDocument[];
  readonly plan: Plan;
  hasSubmission: boolean;
}

/** A run, and what its search has found. */
interface Searched extends Pick<Run, 'context' | 'tree' | 'plan'> {
  readonly base: Base | undefined;
  readonly baseline: SavedState | undefined;
  /** How many archives of the first round were not the last of their run. */
  readonly spentTwice: number;
}

interface Stored {
  readonly artifact: Artifact;
  readonly archive: () => Uint8Array;
  /** Undefined if a stranger has uploaded the artifact. */
  readonly state: SavedState | undefined;
}

interface Branch {
  readonly tree: Set<string>;
  commit: string;
}

/** Plays this many histories. No run may send again what a state knows, or compare with another state than the best. */
export async function expectNoMistakes(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(Histories, async ({ events, ending, cancelled, ...list }) => {
    const world = new World(list);
    for (const event of events) await world.happen(event);
    await world.end(ending, cancelled);
    expect(world.mistakes).toEqual([]);
  });
  await fc.assert(property, { numRuns });
}

/** The run that a baseline is of. */
function runOf(state: SavedState | undefined): string | undefined {
  return state && [state.binding.runId, state.binding.commit].join(' ');
}

class World {
  readonly mistakes: string[] = [];
  readonly #list: Pick<History, 'order' | 'pageSize'>;
  readonly #stored: Stored[] = [];
  readonly #branches = new Map<string, Branch>([['main', { tree: new Set(['first']), commit: hash('sha1', '') }]]);
  /** The number of the pull request that each commit has merged. */
  readonly #merged = new Map<string, number>();
  readonly #active: Run[] = [];
  readonly #ended: Run[] = [];
  #lastNumber = 0;
  #lastRun = 0;

  constructor(list: Pick<History, 'order' | 'pageSize'>) {
    this.#list = list;
  }

  async happen({ kind, pick, flag }: Event): Promise<void> {
    const number = 1 + (pick % PULLS);
    const run = this.#active[pick % this.#active.length];
    const ended = this.#ended[pick % this.#ended.length];
    const stored = this.#stored[pick % this.#stored.length];
    if (kind === 'push to main') {
      this.#commit('main', [this.#newContent()]);
      await this.#push();
    }
    if (kind === 'push to a pull request') await this.#pull(number);
    if (kind === 'push to many pull requests') for (let each = 1; each <= number; each++) await this.#pull(each);
    if (kind === 'squash merge') {
      this.#squash(number);
      // Of several merges, a concurrency group runs only the last one.
      if (flag) await this.#push();
    }
    if (kind === 'merge queue') await this.#queue(flag);
    if (kind === 'run again' && ended) await this.#runAgain(ended);
    if (kind === 'a run goes on' && run) this.#goOn(run);
    if (kind === 'a run is cancelled' && run) this.#end(run);
    if (kind === 'a stranger uploads') this.#uploadAsStranger(flag);
    if (kind === 'an artifact expires' && stored)
      this.#stored[this.#stored.indexOf(stored)] = { ...stored, artifact: { ...stored.artifact, isExpired: true } };
  }

  /** Ends all runs. Then one more has to know what all of them have paid for. */
  async end(ending: History['ending'], cancelled: number): Promise<void> {
    for (const [index, run] of [...this.#active].entries()) {
      if (!run.hasSubmission) this.#goOn(run);
      if (index % cancelled === 1) this.#end(run);
    }
    this.#goOnToTheEnd();
    if (ending === 'squash merges') for (let number = 1; number <= PULLS; number++) this.#squash(number);
    if (ending === 're-runs') {
      for (const run of this.#ended.slice(0, 3)) await this.#runAgain(run);
      this.#goOnToTheEnd();
    }
    if (ending === 'merge queue') await this.#queue(true);
    else await this.#push();
  }

  #goOnToTheEnd(): void {
    for (let [run] = this.#active; run; [run] = this.#active) this.#goOn(run);
  }

  #branch(name: string): Branch {
    const { tree, commit } = this.#branches.get('main') ?? { tree: new Set(), commit: '' };
    const branch = this.#branches.get(name) ?? { tree: new Set(tree), commit };
    this.#branches.set(name, branch);
    return branch;
  }

  #newContent(): string {
    return `content ${(this.#lastNumber += 1)}`;
  }

  #commit(name: string, contents: Iterable<string>): void {
    const branch = this.#branch(name);
    for (const content of contents) branch.tree.add(content);
    branch.commit = hash('sha1', `${(this.#lastNumber += 1)}`);
  }

  #squash(number: number): void {
    const pull = this.#branches.get(`pull-${number}`);
    if (!pull) return;
    this.#commit('main', pull.tree);
    this.#merged.set(this.#branch('main').commit, number);
    this.#branches.delete(`pull-${number}`);
  }

  async #push(): Promise<void> {
    const { tree, commit } = this.#branch('main');
    await this.#begin({ event: 'push', branch: 'main', commit, eventCommit: commit }, tree);
  }

  async #runAgain(run: Run): Promise<void> {
    this.#ended.splice(this.#ended.indexOf(run), 1);
    await this.#begin({ ...run.context, runAttempt: run.context.runAttempt + 1 }, run.tree);
  }

  async #pull(number: number): Promise<void> {
    this.#commit(`pull-${number}`, [this.#newContent()]);
    const { branch, headSha: eventCommit, baseBranch, baseCommit } = this.#pullRequest(number);
    const merge = new Set([...this.#branch('main').tree, ...this.#branch(branch).tree]);
    await this.#begin({ event: 'pull_request', branch, eventCommit, baseBranch, baseCommit }, merge);
  }

  /** All groups start together. Each holds its own pull request and those in front of it. */
  async #queue(isLanded: boolean): Promise<void> {
    const main = this.#branch('main');
    let { commit } = main;
    const tree = new Set(main.tree);
    for (let number = 1; number <= PULLS; number++) {
      const pull = this.#branches.get(`pull-${number}`);
      if (!pull) continue;
      for (const content of pull.tree) tree.add(content);
      const changes = { event: 'merge_group', branch: `queue/${number}-${commit}`, queuedPullRequest: number };
      const base = { baseBranch: 'main', baseCommit: commit };
      commit = hash('sha1', `${(this.#lastNumber += 1)}`);
      await this.#begin({ ...changes, ...base, commit, eventCommit: commit }, tree);
    }
    if (!isLanded) return;
    this.#commit('main', tree);
    main.commit = commit;
    await this.#push();
  }

  async #begin(changes: Partial<RunContext>, contents: ReadonlySet<string>): Promise<void> {
    const run = { ...readContext({}), defaultBranch: 'main', runId: `${(this.#lastRun += 1)}` };
    const context: RunContext = { ...run, ...changes };
    const base = baseOf(this.#bindingOf(context, 'state'), context, { policy: NEW, stateFile: undefined });
    const tree = new Set(contents);
    const files = [...tree].map((content) => file(content, content));
    const planFrom = (earlierState: EarlierState): Plan =>
      makePlan(basis(files, {}, { earlierState, isRerun: context.runAttempt > 1 }));
    const read: number[] = [];
    const search = openSearch({
      binding: this.#bindingOf(context, 'open'),
      keys: [KEY],
      inputs: { name: 'gate', comment: 'never' },
      context,
      api: this.#api(read),
      base,
      canReuse: true,
    });
    const nearest = await search.nearest();
    const spentTwice = read.filter((id) => this.#isReplaced(id)).length;
    const documentsOf = (found: typeof nearest) => found.states.map(({ document }) => document);
    const isEnough = contentsToSend(planFrom(joinStates(documentsOf(nearest)))).length === 0;
    const documents = documentsOf(isEnough ? nearest : await search.rest());
    const plan = planFrom(joinStates(documents));
    this.#active.push({ context, tree, documents, plan, hasSubmission: false });
    this.#compare({ context, tree, plan, spentTwice, base, baseline: nearest.baseline });
  }

  /** Whether the run of an artifact has saved another one since. */
  #isReplaced(id: number): boolean {
    const by = this.#stored.find(({ artifact }) => artifact.id === id)?.artifact.runId;
    return this.#stored.some(({ artifact }) => artifact.runId === by && artifact.id > id);
  }

  /** Compares a run with what it could know. */
  #compare({ context, tree, plan, spentTwice, base, baseline }: Searched): void {
    const live = this.#stored.filter(({ artifact: { isOwn, isExpired } }) => isOwn && !isExpired);
    const saved = live.flatMap(({ state }) => state ?? []);
    // The run of a stranger counts: one of its archives is read.
    const runs = new Set(live.map(({ artifact }) => artifact.runId));
    if (runs.size + spentTwice > MAX_ARCHIVES) return;
    const title = `Run ${context.runId}.${context.runAttempt} (${context.event} of ${context.branch})`;
    const records = saved.flatMap(({ document }) => document.contents);
    for (const { sha256 } of contentsToSend(plan)) {
      const paid = records.find((record) => record.sha256 === sha256);
      const content = [...tree].find((each) => sha(each) === sha256);
      if (paid) this.mistakes.push(`${title} sends ${content} again, which was sent as ${paid.submissionId}.`);
    }
    const possible = saved.filter((state) => base && isBaseline(state, base));
    const newestFirst = possible.toSorted(({ binding: a }, { binding: b }) => Number(b.runId) - Number(a.runId));
    const best = newestFirst.find(({ binding: { commit } }) => commit === base?.commit) ?? newestFirst[0];
    // A list is read only until the base is in it, so a later page may have a newer run of the base branch.
    if (runOf(baseline) !== runOf(best) && this.#list.pageSize === 100)
      this.mistakes.push(`${title} compares with ${runOf(baseline)}, not with ${runOf(best)}.`);
  }

  #goOn(run: Run): void {
    const isNew = !run.hasSubmission && contentsToSend(run.plan).length > 0;
    run.hasSubmission ||= isNew;
    if (isNew) return this.#save(run, 'open');
    if (run.hasSubmission || run.plan.contents.length > 0) this.#save(run, 'state');
    this.#end(run);
  }

  #end(run: Run): void {
    if (this.#active.includes(run)) this.#ended.push(...this.#active.splice(this.#active.indexOf(run), 1));
  }

  /** Saves under its name, joined with what this run has saved before. What has the name is overwritten. */
  #save(run: Run, kind: Binding['kind']): void {
    const { runId, branch, eventCommit: commit } = run.context;
    const bound = this.#bindingOf(run.context, kind);
    const name = nameOf(kind === 'open' ? 'open' : endSlot(bound));
    const own = this.#stored.filter(({ artifact, state }) => state && artifact.runId === runId);
    const others = own.flatMap(({ state }) => state?.document ?? []);
    const document = mergeState(joinStates([...run.documents, ...others]), this.#resultsOf(run, kind));
    for (const each of own) if (each.artifact.name === name) this.#stored.splice(this.#stored.indexOf(each), 1);
    this.#upload({ name, runId, branch, commit }, seal(document, bound, KEY), {
      binding: bound,
      document,
      isOwn: true,
    });
  }

  #resultsOf({ context, plan, hasSubmission }: Run, kind: Binding['kind']) {
    const date = new Date(NOW.getTime() + 1_000 * this.#lastNumber);
    const submissionId = `of ${context.runId}.${context.runAttempt}`;
    const analyses = plan.contents.flatMap(({ content, source }) => {
      if (kind === 'open') return [];
      return result(content, { submissionId: source.kind === 'sent' ? submissionId : source.record.submissionId });
    });
    const sent = contentsToSend(plan).map(({ sha256, name }): OpenRecord => {
      return { kind: 'open', at: date.toISOString(), sha256, name, category: 'image', submissionId, sidekicks: '' };
    });
    const contents = plan.contents.map(({ content }) => ({ content, counted: undefined }));
    return { analyses, sent: hasSubmission ? sent : [], foundPaths: [], contents, reuseDays: 90, now: date };
  }

  #bindingOf({ event, branch, eventCommit: commit, runId, runAttempt }: RunContext, kind: Binding['kind']): Binding {
    return binding({ event, branch, commit, runId, runAttempt, kind });
  }

  #upload(by: Partial<Artifact>, text: string, state?: SavedState): void {
    this.#lastNumber += 1;
    const archive = archiveOf(text);
    this.#stored.push({ artifact: listed(0, { ...by, id: this.#lastNumber }), archive: () => archive, state });
  }

  /** Uploads nonsense and a copy of a state in a run of this repository or of a fork. */
  #uploadAsStranger(isOwn: boolean): void {
    const copy = seal({ contents: [], paths: [] }, binding({ runId: '1' }), KEY);
    const forged = seal({ contents: [], paths: [] }, binding({ runId: '9000' }), signingKey('of a stranger'));
    for (const text of [copy, forged, ...Array<string>(6).fill('x')])
      this.#upload({ name: nameOf('pull'), runId: '9000', branch: 'main', isOwn }, text);
  }

  #pullRequest(number: number): Pull {
    const branch = `pull-${number}`;
    const [headSha = '', baseCommit = ''] = [branch, 'main'].map((name) => this.#branches.get(name)?.commit ?? '');
    return pull({ number, branch, headSha, baseCommit, isMerged: true });
  }

  /** @param read the ids of the archives that a run has read */
  #api(read: number[]) {
    const { order, pageSize } = this.#list;
    const api = artifactApi(() => this.#stored, { pageSize, repeated: 1, rankOf: RANKS[order] });
    return {
      ...api,
      artifactArchive: async (artifact: Pick<Artifact, 'id'>) => {
        read.push(artifact.id);
        return await api.artifactArchive(artifact);
      },
      pullRequest: async (number: number): Promise<Pull> => this.#pullRequest(number),
      pullRequestsOf: async (commit: string): Promise<readonly Pull[]> => {
        const number = this.#merged.get(commit);
        return number === undefined ? [] : [this.#pullRequest(number)];
      },
    };
  }
}
