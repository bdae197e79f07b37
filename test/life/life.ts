import { inspect } from 'node:util';
import { DAY, later, MINUTE, now, pass, until } from './clock.ts';
import { brokenPromises } from './observer.ts';
import { type Random, seeded } from './random.ts';
import { Repository } from './repository.ts';
import type { Run, RunOptions } from './run.ts';
import { accidentOf, courseOf, faultsOf, faultsOfGitHub, mannersOf } from './weather.ts';
import { World } from './world.ts';

/** Random lives of a repository. Most are short, because the most expensive histories have four steps. */

/** A run that somebody wants. Undefined if it is not possible now. */
type Wanted = Partial<RunOptions> | undefined;

/** Runs that may be wanted, and how often. Expensive histories need weekly runs and re-runs. */
const RUNS: Readonly<Record<string, readonly [weight: number, wanted: (life: Life) => Wanted]>> = {
  'push to main': [5, ({ repository }) => repository.push()],
  'push to a pull request': [5, ({ repository }) => repository.pushToPull()],
  'merge a pull request': [3, ({ repository }) => repository.merge()],
  'merge queue': [1, ({ repository }) => repository.queue()],
  'weekly run': [5, ({ repository }) => ({ ...repository.main('schedule'), inputs: { 'reuse-days': '0' } })],
  'run again': [6, (life) => life.again()],
};

/** What else may happen, and how often. */
const EVENTS: Readonly<Record<string, readonly [weight: number, happen: (life: Life) => Promise<void> | void]>> = {
  'two runs at once': [3, async (life) => await life.atOnce()],
  'a gate twice in one run': [1, async (life) => await life.twice()],
  'the job is renamed': [1, (life) => life.rename()],
  'a submission is deleted': [3, (life) => life.delete()],
  'an analysis ends at last': [3, (life) => life.finish()],
  'a service heals': [2, (life) => life.heal()],
  'an issue is reviewed': [2, (life) => life.review()],
  'days pass': [3, async (life) => await life.wait()],
  'an artifact expires': [1, (life) => life.expire()],
};

/** Lives one life. Returns what has happened, and which promises were broken. */
export async function live(
  seed: number,
): Promise<{ readonly diary: readonly string[]; readonly broken: readonly string[] }> {
  const random = seeded(seed);
  await using world = new World(random.chance(0.5));
  const life = new Life(random, world);
  const steps = random.chance(0.7) ? 3 + random.upTo(5) : 10 + random.upTo(15);
  await life.play(life.repository.push());
  for (let step = 1; step < steps && life.broken.length === 0; step++) await life.step();
  return life;
}

class Life {
  readonly diary: string[] = [];
  readonly broken: string[] = [];
  readonly repository: Repository;
  readonly #random: Random;
  readonly #world: World;
  /** Whether this life has weather at all: without it, a verdict can be foreseen. */
  readonly #isCalm: boolean;
  /** Whether only new issues count. */
  readonly #isOfNew: boolean;
  /** Whether the second gate has an API key of another workspace. */
  readonly #hasTwoKeys: boolean;
  #lastRun = 0;
  #job = 'gate';

  constructor(random: Random, world: World) {
    [this.#random, this.#world, this.repository] = [random, world, new Repository(random, world)];
    this.#isCalm = random.chance(0.3);
    this.#isOfNew = random.chance(0.25);
    this.#hasTwoKeys = random.chance(0.25);
    world.service.manners = random.chance(0.4) ? mannersOf(random) : {};
    world.service.courseOf = () => courseOf(random);
    this.#note('manners', world.service.manners);
  }

  async step(): Promise<void> {
    if (this.#random.chance(0.5)) await pass(this.#random.upTo(30) * MINUTE);
    const event = this.#pickIn({ ...RUNS, ...EVENTS });
    this.diary.push(event);
    await (RUNS[event] ? this.play(RUNS[event][1](this)) : EVENTS[event]?.[1](this));
  }

  /** Any two runs. A run has only one attempt at a time. */
  async atOnce(): Promise<void> {
    const [one, other] = [1, 2].map(() => RUNS[this.#pickIn(RUNS)]?.[1](this));
    await this.play(one, other?.id === undefined || other.id !== one?.id ? other : undefined);
  }

  /** Another attempt of the last run, or of any. */
  again(): Wanted {
    const { runs } = this.#world;
    const { pick, chance } = this.#random;
    const { options } = chance(0.5) ? (runs.at(-1) ?? pick(runs)) : pick(runs);
    const attempts = runs.filter((each) => each.options.id === options.id).map((each) => each.options.attempt ?? 1);
    return { ...options, attempt: Math.max(...attempts) + 1 };
  }

  /** Starts these runs, and judges them when all have ended. */
  async play(...wanted: readonly Wanted[]): Promise<void> {
    // Not in the same second: the newest of two submissions counts.
    const started = wanted.flatMap((each, index) => (each ? this.#start(each, index * this.#random.upTo(60)) : []));
    const runs = await until(Promise.all(started));
    const { service } = this.#world;
    this.#note('faults', [...service.faults, ...this.#world.faults]);
    for (const run of runs) this.#describe(run);
    for (const run of runs) {
      const broken = brokenPromises(run, this.#world).map((promise) => `Run ${run.options.id} ${promise}`);
      this.broken.push(...broken);
      if (broken.length > 0) this.diary.push(...run.lines);
    }
    [service.faults, this.#world.faults] = [[], []];
  }

  async #start(wanted: Partial<RunOptions>, delay: number): Promise<Run> {
    const options = this.#optionsOf(wanted);
    await later(delay);
    return await this.#world.start(options);
  }

  #optionsOf(wanted: Partial<RunOptions>): RunOptions {
    const random = this.#random;
    const isSecond = wanted.job === undefined && random.chance(0.15);
    const hasFaults = !this.#isCalm && random.chance(0.25);
    const isWarning = random.chance(hasFaults ? 0.6 : 0.2);
    const options = {
      id: wanted.id ?? (this.#lastRun += 1),
      branch: '',
      commit: '',
      tree: new Map(),
      job: isSecond ? 'second' : this.#job,
      ...(isSecond && this.#hasTwoKeys && { key: `sk_live_${'2'.repeat(64)}` }),
      ...wanted,
      inputs: {
        ...wanted.inputs,
        'wait-timeout-minutes': String(random.pick([1, 5, 30])),
        'on-service-error': isWarning ? 'warn' : 'error',
        ...(this.#isOfNew && { 'fail-on-issues': 'new' }),
      },
    };
    if (this.#isCalm) return options;
    if (hasFaults) this.#world.service.faults = faultsOf(random);
    this.#world.faults = faultsOfGitHub(random);
    return { ...options, ...accidentOf(random) };
  }

  /** Two steps of one run check different files, and have no `name` of their own. They have no common baseline. */
  async twice(): Promise<void> {
    if (this.#isOfNew) return;
    const { tree, ...common } = this.repository.main();
    const [first, ...others] = tree;
    const id = (this.#lastRun += 1);
    const parts = [first ? [first] : [], others].filter((part) => part.length > 0);
    await this.play(...parts.map((part) => ({ ...common, id, job: this.#job, tree: new Map(part) })));
  }

  rename(): void {
    this.#job = `gate-${this.#lastRun}`;
  }

  delete(): void {
    const present = this.#world.service.submissions.filter(({ deletedAt }) => deletedAt > now());
    if (present.length === 0) return;
    const submission = this.#random.pick(present);
    submission.deletedAt = now();
    this.#note(submission.id.slice(0, 4));
  }

  expire(): void {
    if (this.#world.saved.length === 0) return;
    const saved = this.#random.pick(this.#world.saved);
    this.#world.expire(saved);
    this.#note(saved.name, `of run ${saved.by.options.id}`);
  }

  async wait(): Promise<void> {
    const days = this.#random.pick([1, 6, 8, 8, 40, 95]);
    this.#note(days);
    await pass(days * DAY);
  }

  /** Ends all analyses that would go on for ever. */
  finish(): void {
    for (const { phases } of this.#world.service.assets)
      if ((phases.at(-1)?.from ?? 0) > now() + DAY)
        phases.splice(-1, 1, { from: now(), status: 'complete', retries: phases.at(-1)?.retries ?? 0 });
  }

  /** From now on, what could not be read is clear. */
  heal(): void {
    for (const { assets } of this.#world.service.submissions)
      if (assets.some(({ isFlawed }) => isFlawed)) for (const asset of assets) asset.heal();
  }

  review(): void {
    const issues = this.#world.service.assets.flatMap((asset) => asset.issues);
    if (issues.length === 0) return;
    const issue = this.#random.pick(issues);
    [issue.status, issue.wasReviewed] = [issue.status === 'OPEN' ? 'DISMISSED' : 'OPEN', true];
    this.#note(issue.id.slice(0, 4), issue.status);
  }

  #pickIn(table: Readonly<Record<string, readonly [weight: number, ...unknown[]]>>): string {
    return this.#random.pick(Object.entries(table).flatMap(([event, [weight]]) => Array<string>(weight).fill(event)));
  }

  #note(...facts: readonly unknown[]): void {
    const texts = facts.map((fact) => (typeof fact === 'string' ? fact : inspect(fact, { breakLength: 1e9 })));
    this.diary.push(`  ${texts.join(' ')}`);
  }

  #describe(run: Run): void {
    const { tree: _, base: _base, ...options } = run.options;
    const sent = run.created.map(({ id, assets }) => {
      return [id.slice(0, 4), ...assets.map(({ sha256, course }) => ({ file: sha256.slice(0, 4), ...course }))];
    });
    const end = run.isDead ? 'dead' : `${run.verdict} ${run.reason}${run.isGreen ? ' green' : ''}`;
    this.#note(
      `${options.id}.${options.attempt ?? 1}`,
      end,
      run.contents.map((sha256) => sha256.slice(0, 4)),
      options,
    );
    if (sent.length > 0) this.#note('sent', sent);
  }
}
