import { hash } from 'node:crypto';
import { FORK_ID } from '../harness/events.ts';
import type { ModelPull } from '../harness/github-model.ts';
import { png } from '../harness/media.ts';
import type { Random } from './random.ts';
import type { RunOptions, Tree } from './run.ts';
import type { World } from './world.ts';

const PATHS = ['hero.png', 'logo.png', 'media/a.png', 'shop/banner.png'];

interface Branch {
  readonly name: string;
  /** The number of its pull request. Main has none. */
  readonly pull: number | undefined;
  readonly from: 'branch' | 'fork';
  /** Its commits as the files that they have changed since main. */
  tree: Map<string, Buffer | undefined>;
  commit: string;
}

type Wanted = Pick<RunOptions, 'event' | 'branch' | 'commit' | 'pull' | 'base' | 'from' | 'tree'>;

/** A repository whose files change as people change them. */
export class Repository {
  readonly #random: Random;
  readonly #world: World;
  readonly #main: Branch = { name: 'main', pull: undefined, from: 'branch', tree: new Map(), commit: '' };
  #pulls: Branch[] = [];
  #contents: Buffer[] = [];
  #numbers = 0;

  constructor(random: Random, world: World) {
    [this.#random, this.#world] = [random, world];
    this.#commit(this.#main, new Map(PATHS.slice(0, random.upTo(2)).map((path) => [path, this.#newContent()])));
  }

  push(): Wanted {
    this.#edit(this.#main);
    return this.main();
  }

  /** A run of main as it is. */
  main(event: 'push' | 'schedule' = 'push'): Wanted {
    return { event, branch: 'main', commit: this.#main.commit, tree: this.#files(this.#main) };
  }

  pushToPull(): Wanted {
    if (this.#pulls.length === 0 || (this.#pulls.length < 3 && this.#random.chance(0.3))) {
      const pull = this.#next();
      const from = this.#random.chance(0.3) ? 'fork' : 'branch';
      this.#pulls.push({ name: `topic-${pull}`, pull, from, tree: new Map(), commit: '' });
    }
    const branch = this.#random.pick(this.#pulls);
    this.#edit(branch);
    return this.#ofPull(branch, 'pull_request');
  }

  /** A merge queue builds the merge of a pull request. */
  queue(): Wanted | undefined {
    const [branch] = this.#pulls;
    return branch && this.#ofPull(branch, 'merge_group');
  }

  /** Squashes a pull request into main. */
  merge(): Wanted | undefined {
    const branch = this.#pulls.shift();
    if (!branch?.pull) return undefined;
    this.#commit(this.#main, new Map(this.#files(branch)));
    this.#world.pulls[branch.pull] = { ...pullOf(branch), mergedAt: new Date().toISOString() };
    this.#world.pullsOf[this.#main.commit] = [branch.pull];
    return this.main();
  }

  #ofPull(branch: Branch, event: 'pull_request' | 'merge_group'): Wanted {
    const { name, pull = 0, commit, from } = branch;
    const base = this.#main.commit;
    this.#world.pulls[pull] = pullOf(branch);
    const common = { event, pull, base, tree: this.#files(branch) };
    if (event === 'pull_request') return { ...common, from, branch: name, commit };
    const queue = `gh-readonly-queue/main/pr-${pull}-${base}`;
    return { ...common, branch: queue, commit: hash('sha1', base + commit) };
  }

  /** The files of a branch, merged with main. */
  #files(branch: Branch): Tree {
    const merged = new Map([...this.#main.tree, ...branch.tree]);
    return new Map([...merged].flatMap(([path, bytes]) => (bytes ? [[path, bytes]] : [])));
  }

  #edit(branch: Branch): void {
    const { pick } = this.#random;
    const tree = new Map(branch.tree);
    const path = pick(PATHS);
    const kind = pick(['new', 'new', 'new', 'old', 'old', 'none', 'none', 'removed']);
    if (kind === 'new') tree.set(path, this.#newContent());
    if (kind === 'old') tree.set(path, pick(this.#contents));
    const files = [...this.#files(branch).keys()];
    if (kind === 'removed' && files.length > 1) tree.set(pick(files), undefined);
    this.#commit(branch, tree);
  }

  #commit(branch: Branch, tree: Branch['tree']): void {
    branch.tree = tree;
    branch.commit = hash('sha1', String(this.#next()));
  }

  #newContent(): Buffer {
    const content = png(`content ${this.#next()}`);
    this.#contents.push(content);
    return content;
  }

  #next(): number {
    return (this.#numbers += 1);
  }
}

function pullOf({ commit: headSha, name: headRef, from }: Branch): ModelPull {
  const head = from === 'fork' ? { headRepositoryId: FORK_ID, headLabel: `mallory:${headRef}` } : {};
  return { headSha, headRef, baseRef: 'main', ...head };
}
