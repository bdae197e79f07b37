import { hash } from 'node:crypto';
import { now } from './clock.ts';

/** What happens to the submissions and assets of the service over time. All times are in seconds. */

export interface Issue {
  readonly id: string;
  readonly ruleCode: string;
  severity: string;
  status: string;
  /** Somebody has changed the status. */
  wasReviewed?: boolean;
}

/** What the service does with one asset. */
export interface Course {
  /** Default: at once. */
  readonly takes?: number;
  /** Default: complete. Any word is possible; only the first two end the analysis. */
  readonly ends?: 'complete' | 'failed' | 'queued' | 'archived';
  /** Severities of what is found. */
  readonly finds?: readonly string[];
  /** How many issues all counts are ahead of the lists; `null`: no count anywhere. */
  readonly miscounts?: number | null;
  /** What an accepted retry does. Undefined: a failure cannot be retried. */
  readonly retry?: {
    /** How long nothing shows that the retry was accepted. */
    readonly shows?: number;
    readonly takes?: number;
    readonly ends: 'complete' | 'failed';
    /** Retries are refused, although the list says that they are possible. */
    readonly isRefused?: boolean;
    /** The retry runs in a submission of its own, which the 202 names. */
    readonly isElsewhere?: boolean;
  };
  /** The service lists a second asset of the same name and version. */
  readonly hasTwin?: boolean;
  /** The service lists an asset of no file, with these issues. */
  readonly strayFinds?: readonly string[];
}

/** The name of an asset that no file has sent. */
export const STRAY = 'poster.jpg';

interface Phase {
  readonly from: number;
  readonly status: string;
  readonly retries: number;
}

export class Asset {
  readonly id = newId();
  readonly group: string;
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
  readonly course: Course;
  readonly issues: readonly Issue[];
  /** Seconds until results show after an analysis has ended. */
  readonly lag: number;
  /** Oldest first. */
  readonly phases: Phase[];
  /** Until then, counts are wrong, and assets are listed that no file has sent. */
  healedAt = Number.POSITIVE_INFINITY;

  constructor(
    { name, sha256, course, lag }: Pick<Asset, 'name' | 'sha256' | 'course' | 'lag'>,
    previous: Asset | undefined,
  ) {
    const { takes = 0, ends = 'complete', finds = [] } = course;
    const begun = { from: now(), status: 'processing', retries: 0 };
    this.group = previous?.group ?? this.id;
    this.version = (previous?.version ?? 0) + 1;
    [this.name, this.sha256, this.course, this.lag] = [name, sha256, course, lag];
    this.phases = [begun, { ...begun, from: now() + takes, status: ends }];
    this.issues = finds.map((severity, index) => ({ id: newId(), ruleCode: `R-${index}`, severity, status: 'OPEN' }));
  }

  at(time: number): Phase {
    const phase = this.phases.findLast(({ from }) => from <= time);
    if (!phase) throw new Error('An asset is read before it exists.');
    return phase;
  }

  /** Whether it stands for a file. Other assets have no content. */
  get isOfFile(): boolean {
    return this.sha256 !== '';
  }

  isListed(time = now()): boolean {
    return this.isOfFile || time < this.healedAt;
  }

  miscounts(time = now()): number | null {
    return time < this.healedAt ? (this.course.miscounts ?? 0) : 0;
  }

  /** Whether it makes files unclear. */
  get isFlawed(): boolean {
    const isOdd = !['processing', 'complete', 'failed'].includes(this.status);
    return isOdd || this.miscounts() !== 0 || (!this.isOfFile && this.isListed());
  }

  /** From now on it is clear. What was complete before can be read from now on. */
  heal(): void {
    this.healedAt = now();
    if (!['processing', 'failed'].includes(this.status))
      this.phases.push({ from: now(), status: 'complete', retries: 0 });
  }

  get status(): string {
    return this.at(now()).status;
  }

  /** Whether an accepted retry has not ended, or does not show yet. */
  get isRetrying(): boolean {
    return this.phases.some(({ from, retries }) => retries > 0 && from > now());
  }
}

/** A run that sends requests. */
export interface Caller {
  readonly options: { readonly id: number; readonly attempt?: number };
}

export interface Submission {
  readonly id: string;
  /** The key of its workspace. */
  readonly key: string;
  readonly createdAt: number;
  readonly assets: readonly Asset[];
  /** Undefined if a retry has made it. */
  readonly createdBy: Caller | undefined;
  /** When somebody deleted it. */
  deletedAt: number;
}

let lastId = 0;

/** In each world, ids begin from the start. */
export function restartIds(): void {
  lastId = 0;
}

export function newId(): string {
  return hash('sha256', String((lastId += 1))).slice(0, 32);
}
