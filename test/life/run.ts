import { hash } from 'node:crypto';
import type { Issue, Submission } from './asset.ts';
import { now } from './clock.ts';

/** The bytes of each file, by path. */
export type Tree = ReadonlyMap<string, Buffer>;

/** One attempt of a run of the workflow. */
export interface RunOptions {
  /** A re-run has the id of its first attempt. */
  readonly id: number;
  readonly attempt?: number;
  readonly tree: Tree;
  /** Default: a push to its branch. */
  readonly event?: 'push' | 'schedule' | 'pull_request' | 'merge_group';
  readonly branch: string;
  /** The head of the branch. */
  readonly commit: string;
  /** The pull request, and the commit of main that it is merged into. */
  readonly pull?: number | undefined;
  readonly base?: string | undefined;
  /** Default: its pull request is of this repository. A repository may give secrets to forks. */
  readonly from?: 'branch' | 'fork';
  readonly job: string;
  readonly key?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Something stops the run after this number of its requests to the service. `lost`: its machine is gone, too. */
  readonly stop?: { readonly how: 'cancelled' | 'killed' | 'lost'; readonly after: number } | undefined;
  /** Its uploads of artifacts take their name, and never end. */
  readonly hasBlockedUploads?: boolean;
}

/** An artifact with a state, and what the run that saved it knew. */
export interface Saved {
  readonly id: number;
  readonly name: string;
  readonly by: Run;
  readonly at: number;
  readonly knows: ReadonlySet<Submission>;
}

/** A run that was started. Its fields are what can be seen from outside. */
export class Run {
  readonly options: RunOptions;
  readonly startedAt = now();
  /** All that was listed for any run when this one began. */
  readonly listed: readonly Saved[];
  readonly earlier: readonly Run[];
  endedAt: number | undefined;
  /** States that it has downloaded. */
  readonly downloaded: Saved[] = [];
  /** Submissions of which it has received the creation. */
  readonly created: Submission[] = [];
  readonly saved: Saved[] = [];
  /** Requests that failed by a fault. */
  faults = 0;
  /** Requests to the service. */
  requests = 0;
  isDead = false;
  isCancelled = false;
  readonly outputs = new Map<string, string>();
  readonly lines: string[] = [];
  readonly failures: string[] = [];
  /** The report.json that it has written. */
  report: { readonly contents: readonly Content[] } | undefined;

  /** The service has said for more than 20 s that it does not have something which it has. */
  hasMissed = false;

  /** @param saved all that is listed now */
  constructor(options: RunOptions, saved: readonly Saved[], earlier: readonly Run[]) {
    [this.options, this.listed, this.earlier] = [options, [...saved], [...earlier]];
  }

  get key(): string {
    return this.options.key ?? KEY;
  }

  get verdict(): string {
    return this.outputs.get('verdict') ?? '';
  }

  get reason(): string {
    return this.outputs.get('reason') ?? '';
  }

  /** Whether the check is green. */
  get isGreen(): boolean {
    return this.verdict !== '' && this.failures.length === 0;
  }

  /** The states that it has downloaded before it sent a file. Others it has only joined with its own. */
  get read(): readonly Saved[] {
    return this.downloaded.filter((each) => this.listed.includes(each));
  }

  /** What the states know that it has downloaded, and what it has created. */
  get knows(): ReadonlySet<Submission> {
    return new Set([...this.downloaded.flatMap(({ knows }) => [...knows]), ...this.created]);
  }

  /** Hashes of the files that it checks. */
  get contents(): readonly string[] {
    return [...new Set([...this.options.tree.values()].map((bytes) => hash('sha256', bytes)))];
  }
}

export interface Content {
  readonly sha256: string;
  readonly paths: readonly string[];
  readonly outcome: string;
  readonly issues: readonly Issue[];
}

const KEY = `sk_live_${'0'.repeat(64)}`;

/** Only such runs have baselines of each other, and join what they save in one run. */
export function isSameGate(a: Run, b: Run): boolean {
  return a.key === b.key && a.options.job === b.options.job;
}
