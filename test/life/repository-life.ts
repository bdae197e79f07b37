import { createHash } from 'node:crypto';
import type { Scenario, Workspace } from '../../emulator/emulator.ts';
import { uploadName } from '../../src/media/content.ts';
import type { ModelPull } from '../harness/github-model.ts';
import { png } from '../harness/media.ts';
import type { Random } from './random.ts';

const COURSES = {
  quick: {},
  slow: { reads: 2 },
  'fails once': { fails: { times: 1 } },
  fails: { fails: { isRetryable: false } },
  hangs: { reads: 1_000_000 },
} as const;
const RULES = ['AD-17', 'AD-18'] as const;
const PATHS = ['hero.png', 'logo.png', 'media/a.png', 'media/b.png', 'media/c.png', 'shop/banner.png'] as const;
const MAX_PULLS = 3;

/** The bytes of a file, and what the service finds in them. */
export interface Media {
  readonly name: string;
  readonly bytes: Buffer;
  readonly sha256: string;
  /** The part of the hash that the name of the upload contains. */
  readonly digits: string;
  readonly issues: readonly { readonly ruleCode: string; readonly severity: string; status: string }[];
  course: keyof typeof COURSES;
  /** Somebody has changed a status, so earlier runs may have read another one. */
  wasReviewed: boolean;
}

/** The faults of the service on one day, and the course of every analysis, if the day decides it. */
export interface DayAtService {
  readonly service?: NonNullable<Scenario['faults']>;
  readonly analyses?: 'fails' | 'hangs';
}

/** The files of a commit, by path. */
type Tree = ReadonlyMap<string, Media>;

interface Branch {
  readonly name: string;
  /** The number of the branch's pull request. Main has none. */
  readonly number: number | undefined;
  /** The files of main when the branch was made. */
  readonly fork: Tree;
  tree: Tree;
  commit: string;
}

/** One run of the workflow; a re-run has the same id. */
export interface RunOfLife {
  readonly id: number;
  readonly attempt: number;
  readonly branch: string;
  readonly number: number | undefined;
  readonly commit: string;
  /** The commit of main that a pull request is merged into. */
  readonly base: string | undefined;
  /** The files that the run checks. */
  readonly tree: Tree;
  /** The branch whose merge is checked. */
  readonly merged: string | undefined;
  readonly isNightly: boolean;
}

/** A repository and its media, which change at random as people would change them. */
export class RepositoryLife {
  readonly random: Random;
  readonly media: Media[] = [];
  readonly main: Branch = { name: 'main', number: undefined, fork: new Map(), tree: new Map(), commit: '' };
  readonly branches = new Map([['main', this.main]]);
  /** Pull requests as GitHub reports them, by number and by commit. */
  readonly pulls: Record<number, ModelPull> = {};
  readonly pullsOf: Record<string, number[]> = {};
  readonly runs: RunOfLife[] = [];
  /** Every content that was ever at a path. */
  readonly #pastOf = new Map<string, Set<string>>();
  /** Whether a retry gives an asset another id. */
  /** A retry gives the asset a new id. */
  readonly retriesReplace: boolean;
  #numbers = 0;

  constructor(random: Random) {
    this.random = random;
    this.retriesReplace = random.chance(0.5);
    this.#commit(this.main, new Map(PATHS.slice(0, 4).map((path) => [path, this.#newMedia()])));
  }

  /** Changes the repository. Returns what happened and the branch whose workflow starts. */
  change(): { text: string; branch: Branch; merged?: string } {
    const { random, main } = this;
    const others = [...this.branches.values()].filter((branch) => branch !== main);
    if (others.length > 0 && random.chance(0.15)) {
      const branch = random.pick(others);
      this.#commit(main, this.#treeOf(branch));
      this.branches.delete(branch.name);
      const number = branch.number ?? 0;
      const mergedAt = new Date().toISOString();
      this.pulls[number] = { headSha: branch.commit, headRef: branch.name, baseRef: 'main', mergedAt };
      this.pullsOf[main.commit] = [number];
      return { text: `merge ${branch.name}`, branch: main, merged: branch.name };
    }
    if (others.length === 0 || (others.length < MAX_PULLS && random.chance(0.25))) {
      const number = this.#next();
      const made = { name: `topic-${number}`, number, fork: main.tree, tree: main.tree, commit: main.commit };
      this.branches.set(made.name, made);
      return { text: `${this.#edit(made)} in the new ${made.name}`, branch: made };
    }
    const branch = random.chance(0.4) ? main : random.pick(others);
    return { text: `${this.#edit(branch)} in ${branch.name}`, branch };
  }

  /** The files that a run checks out. For a pull request they are those of its merge with main. */
  #treeOf({ fork, tree, number }: Branch): Tree {
    if (number === undefined) return tree;
    const merged = new Map(this.main.tree);
    for (const path of new Set([...fork.keys(), ...tree.keys()])) {
      const now = tree.get(path);
      if (now === fork.get(path)) continue;
      if (now) merged.set(path, now);
      else merged.delete(path);
    }
    return merged.size > 0 ? merged : tree;
  }

  newRun(branch: Branch, options: Partial<RunOfLife> = {}): RunOfLife {
    const { name, number, commit } = branch;
    const run: RunOfLife = {
      id: 100 + this.runs.length,
      attempt: 1,
      branch: name,
      number,
      commit,
      base: number === undefined ? undefined : this.main.commit,
      tree: this.#treeOf(branch),
      merged: undefined,
      isNightly: false,
      ...options,
    };
    this.runs.push(run);
    this.#remember(run.tree);
    return run;
  }

  /** The issues and the course of each analysis, and the faults of the service. */
  scenario({ service = [], analyses }: DayAtService): Scenario {
    return {
      files: this.media.map(({ digits, issues, course }) => {
        return { match: digits, issues: issues.map((issue) => ({ ...issue })), ...COURSES[analyses ?? course] };
      }),
      faults: [...service],
    };
  }

  #next(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  #newMedia(): Media {
    const { random } = this;
    const name = `media ${this.#next()}`;
    const bytes = png(name);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const sent = uploadName('', { sha256, repositoryId: '4711', extension: 'png' });
    const severity = random.chance(0.5) ? 'CRITICAL' : 'MAJOR';
    const issues = random.chance(0.6) ? [] : [{ ruleCode: random.pick(RULES), severity, status: 'OPEN' }];
    const odd = random.pick(['slow', 'slow', 'fails once', 'fails once', 'fails', 'hangs'] as const);
    const media: Media = {
      name,
      bytes,
      sha256,
      digits: /[0-9a-f]{32}/.exec(sent)?.[0] ?? '',
      issues,
      course: random.chance(0.75) ? 'quick' : odd,
      wasReviewed: false,
    };
    this.media.push(media);
    return media;
  }

  #edit(branch: Branch): string {
    const { random } = this;
    const tree = new Map(branch.tree);
    const path = random.pick([...tree.keys()]);
    const other = random.pick(PATHS);
    const media = tree.get(path);
    const past = [...(this.#pastOf.get(path) ?? [])];
    const kind = random.pick(['edit', 'edit', 'edit', 'add', 'rename', 'copy', 'remove', 'revert', 'touch'] as const);
    if (kind === 'edit') tree.set(path, this.#newMedia());
    if (kind === 'add') tree.set(other, this.#newMedia());
    if (kind === 'rename' && tree.size > 1) tree.delete(path);
    if ((kind === 'rename' || kind === 'copy') && media) tree.set(other, media);
    if (kind === 'remove' && tree.size > 2) tree.delete(path);
    if (kind === 'revert') {
      const sha256 = random.pick(past);
      tree.set(path, this.media.find((each) => each.sha256 === sha256) ?? this.#newMedia());
    }
    this.#commit(branch, tree);
    return kind === 'rename' || kind === 'copy' ? `${kind} ${path} to ${other}` : `${kind} ${path}`;
  }

  #commit(branch: Branch, tree: Tree): void {
    branch.tree = tree;
    branch.commit = createHash('sha1').update(`${this.#next()}`).digest('hex');
    this.#remember(tree);
  }

  #remember(tree: Tree): void {
    for (const [path, { sha256 }] of tree) this.#pastOf.set(path, (this.#pastOf.get(path) ?? new Set()).add(sha256));
  }
}

/** A person changes the status of an issue at the service. */
export function review(media: Media, { submissions }: Workspace): void {
  const status = media.issues[0]?.status === 'OPEN' ? 'DISMISSED' : 'OPEN';
  media.wasReviewed = true;
  const analysed = submissions.flatMap(({ assets }) => assets).filter(({ blob }) => blob.sha256 === media.sha256);
  for (const issue of [...media.issues, ...analysed.flatMap(({ issues }) => issues)]) issue.status = status;
}

export function isCritical({ issues }: Media): boolean {
  return issues.some(({ severity, status }) => severity === 'CRITICAL' && status === 'OPEN');
}

export function isSick({ course }: Media): boolean {
  return course === 'fails' || course === 'hangs';
}
