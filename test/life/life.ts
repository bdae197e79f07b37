import type { Course, Submission } from './asset.ts';
import { DAY, later, MINUTE, now, pass, until } from './clock.ts';
import { brokenPromises } from './observer.ts';
import { type Random, seeded } from './random.ts';
import { Repository } from './repository.ts';
import type { Fault, Manners } from './service.ts';
import { type Run, type RunOptions, type Saved, WAIVERS, World } from './world.ts';

/** Random lives of a repository. Most are short, because the most expensive histories have four steps. */

/** What may happen, and how often. The three most frequent ones are what expensive histories need. */
const EVENTS = {
  'push to main': 4,
  'push to a pull request': 4,
  'merge a pull request': 3,
  'merge queue': 1,
  'weekly run': 5,
  'run again': 6,
  'another gate': 3,
  'a submission is deleted': 3,
  'an analysis ends at last': 3,
  'a service heals': 2,
  'an issue is reviewed': 2,
  'days pass': 3,
  'an artifact expires': 1,
  'two runs at once': 2,
  'the job is renamed': 1,
};
const ITEM_NAMES = ['issues', 'data', 'items'];

/** Lives one life. Returns what has happened, and which promises were broken. */
export async function live(
  seed: number,
): Promise<{ readonly diary: readonly string[]; readonly broken: readonly string[] }> {
  const random = seeded(seed);
  const order = random.pick(['newest first', 'oldest first', 'shuffled'] as const);
  await using world = new World({ reusesNames: random.chance(0.5), order });
  const life = new Life(random, world);
  const steps = random.chance(0.7) ? 3 + random.upTo(5) : 10 + random.upTo(15);
  for (let step = 0; step < steps && life.broken.length === 0; step++) await life.step();
  return life;
}

class Life {
  readonly diary: string[] = [];
  readonly broken: string[] = [];
  readonly #random: Random;
  readonly #world: World;
  readonly #repository: Repository;
  readonly #events: readonly string[];
  /** Whether this life has weather at all: without it, a verdict can be foreseen. */
  readonly #isCalm: boolean;
  /** Whether only new issues count. */
  readonly #isOfNew: boolean;
  /** Whether a file of waivers is named. */
  readonly #hasWaivers: boolean;
  readonly #keys: readonly string[];
  #lastRun = 0;
  #job = 'gate';

  constructor(random: Random, world: World) {
    [this.#random, this.#world, this.#repository] = [random, world, new Repository(random, world)];
    this.#events = Object.entries(EVENTS).flatMap(([event, weight]) => Array<string>(weight).fill(event));
    this.#isCalm = random.chance(0.3);
    this.#isOfNew = random.chance(0.25);
    this.#hasWaivers = random.chance(0.25);
    this.#keys = random.chance(0.25) ? ['1', '2'] : ['1', '1'];
    world.service.manners = random.chance(0.4) ? mannersOf(random) : {};
    world.service.courseOf = () => courseOf(random);
    this.diary.push(`manners ${Object.keys(world.service.manners).join()}`);
  }

  async step(): Promise<void> {
    const { pick, chance, upTo } = this.#random;
    const repository = this.#repository;
    const { runs, saved, service } = this.#world;
    const event = runs.length === 0 ? 'push to main' : pick(this.#events);
    const submissions = service.submissions.filter(({ deletedAt }) => deletedAt > now());
    if (chance(0.5)) await pass(upTo(30) * MINUTE);
    if (event === 'push to main') await this.#run(event, repository.push());
    if (event === 'push to a pull request') await this.#run(event, repository.pushToPull());
    if (event === 'merge a pull request') await this.#run(event, repository.merge());
    if (event === 'merge queue') await this.#run(event, repository.queue());
    if (event === 'weekly run') await this.#run(event, repository.main('schedule'), { 'reuse-days': '0' });
    if (event === 'another gate') await this.#run(event, { ...repository.main(), ...this.#otherGate() });
    if (event === 'run again') {
      const { options } = chance(0.5) ? (runs.at(-1) ?? pick(runs)) : pick(runs);
      const attempt = Math.max(
        ...runs.filter((each) => each.options.id === options.id).map((each) => each.options.attempt ?? 1),
      );
      await this.#run(event, { ...options, attempt: attempt + 1 }, options.inputs);
    }
    if (event === 'two runs at once') {
      const both = [repository.pushToPull(), repository.push()];
      // Not in the same second: the newest of two submissions counts.
      const started = both.map((wanted, index) => this.#start(wanted, {}, index * upTo(60)));
      await this.#end(event, started);
    }
    if (event === 'the job is renamed') this.#job = `gate-${this.#lastRun}`;
    if (event === 'a submission is deleted' && submissions.length > 0) this.#delete(pick(submissions));
    if (event === 'an analysis ends at last') this.#finish();
    if (event === 'a service heals') this.#heal();
    if (event === 'an issue is reviewed') this.#review();
    if (event === 'days pass') await this.#wait(pick([1, 6, 8, 8, 40, 95]));
    if (event === 'an artifact expires' && saved.length > 0) this.#expire(pick(saved));
  }

  #otherGate(): Partial<RunOptions> {
    const key = `sk_live_${(this.#keys[1] ?? '').repeat(64)}`;
    return { job: 'second', ...(this.#keys[1] !== this.#keys[0] && { key }) };
  }

  async #run(event: string, wanted: Partial<RunOptions> | undefined, inputs: RunOptions['inputs'] = {}): Promise<void> {
    if (wanted) await this.#end(event, [this.#start(wanted, inputs)]);
  }

  async #start(wanted: Partial<RunOptions>, inputs: RunOptions['inputs'] = {}, delay = 0): Promise<Run> {
    const options = this.#optionsOf(wanted, inputs);
    await later(delay);
    return await this.#world.start(options);
  }

  #optionsOf(wanted: Partial<RunOptions>, inputs: RunOptions['inputs']): RunOptions {
    const { chance, upTo, pick } = this.#random;
    const id = wanted.id ?? (this.#lastRun += 1);
    const hasFaults = !this.#isCalm && chance(0.25);
    const isWarning = chance(hasFaults ? 0.6 : 0.2);
    const { stop: _, uploads: _uploads, ...kept } = wanted;
    const options = {
      id,
      branch: '',
      commit: '',
      tree: new Map(),
      job: this.#job,
      ...kept,
      inputs: {
        ...inputs,
        'wait-timeout-minutes': String(pick([1, 5, 30])),
        'on-service-error': isWarning ? 'warn' : 'error',
        ...(this.#isOfNew && { 'fail-on-issues': 'new' }),
        ...(this.#hasWaivers && { 'waivers-file': WAIVERS }),
      },
    };
    if (this.#isCalm) return options;
    if (hasFaults) this.#world.service.faults = faultsOf(this.#random);
    if (chance(0.05))
      this.#world.faults = [{ on: /artifacts|storage/, how: 503, ...(chance(0.5) && { times: upTo(3) }) }];
    const how = pick(['cancelled', 'killed', 'lost'] as const);
    const stop = chance(0.12) ? { how, after: upTo(12) } : undefined;
    const uploads = chance(0.04) ? pick(['fail', 'block'] as const) : undefined;
    return { ...options, stop, uploads };
  }

  async #end(event: string, started: readonly Promise<Run>[]): Promise<void> {
    const faults = [...this.#world.service.faults, ...this.#world.faults];
    const runs = await until(Promise.all(started));
    for (const run of runs) this.diary.push(describeRun(event, run, faults));
    for (const run of runs) {
      const broken = brokenPromises(run, this.#world).map((promise) => `Run ${run.options.id} ${promise}`);
      this.broken.push(...broken, ...(broken.length > 0 ? run.lines : []));
    }
    [this.#world.service.faults, this.#world.faults] = [[], []];
  }

  #delete(submission: Submission): void {
    submission.deletedAt = now();
    this.diary.push(`${submission.id.slice(0, 4)} is deleted`);
  }

  #expire(saved: Saved): void {
    this.#world.expire(saved);
    this.diary.push(`${saved.name} of run ${saved.by.options.id} expires`);
  }

  async #wait(days: number): Promise<void> {
    this.diary.push(`${days} days pass`);
    await pass(days * DAY);
  }

  /** Ends all analyses that would go on for ever. */
  #finish(): void {
    for (const { assets } of this.#world.service.submissions)
      for (const { phases } of assets)
        if ((phases.at(-1)?.from ?? 0) > now() + DAY) {
          phases.splice(-1, 1, { from: now(), status: 'complete', retries: phases.at(-1)?.retries ?? 0 });
          this.diary.push('a hanging analysis ends');
        }
  }

  /** From now on, what could not be read is clear. */
  #heal(): void {
    const flawed = this.#world.service.submissions.filter(({ assets }) =>
      assets.some((asset) => {
        const { miscounts = 0, hasTwin, hasStray } = asset.flawsAt(now());
        const isOdd = !['processing', 'complete', 'failed'].includes(asset.status);
        return isOdd || miscounts !== 0 || hasTwin || hasStray;
      }),
    );
    for (const { id, assets } of flawed) {
      for (const asset of assets) asset.heal();
      this.diary.push(`${id.slice(0, 4)} becomes clear`);
    }
  }

  #review(): void {
    const issues = this.#world.service.assets.flatMap((asset) => asset.issues);
    if (issues.length === 0) return;
    const issue = this.#random.pick(issues);
    [issue.status, issue.wasReviewed] = [issue.status === 'OPEN' ? 'DISMISSED' : 'OPEN', true];
    this.diary.push(`issue ${issue.id.slice(0, 4)} is ${issue.status}`);
  }
}

/** The course of one analysis. The same bytes may have another one each time that they are sent. */
function courseOf({ chance, pick, upTo }: Random): Course {
  const finds = chance(0.35) ? ['CRITICAL'] : chance(0.2) ? ['MINOR', 'MAJOR'] : [];
  const usual = { takes: pick([0, 5, 20, 100, 200]), finds };
  if (chance(0.65)) return usual;
  const retry = {
    shows: pick([0, 1, 10, 140, 300]),
    takes: pick([0, 20, 100]),
    ends: pick(['complete', 'complete', 'failed'] as const),
    isRefused: chance(0.1),
    isElsewhere: chance(0.15),
  };
  return pick<Course>([
    { ...usual, takes: 1e9 },
    { ...usual, takes: 1e9 },
    { ...usual, ends: 'failed' },
    { ...usual, ends: 'failed' },
    { ...usual, ends: 'failed', retry },
    { ...usual, ends: 'failed', retry },
    { ...usual, ends: pick(['queued', 'archived']) },
    { ...usual, miscounts: upTo(2) },
    { ...usual, miscounts: null },
    { ...usual, hasTwin: true },
    { ...usual, hasStray: true },
  ]);
}

/** One or two ways in which this service differs from the plainest one. */
function mannersOf({ chance, pick }: Random): Manners {
  const one = (): Manners =>
    pick<Manners>([
      { filename: (name) => name.toUpperCase() },
      { filename: (name) => `folder/${name}` },
      { filename: (name) => name.replaceAll('-', '_').replace(/\.png$/, '') },
      { list: (items) => items },
      { list: (items) => ({ [pick(ITEM_NAMES)]: items, total: items.length }) },
      { list: (items) => ({ links: { next: null }, page: { items } }) },
      { list: (items) => [...items, ...items] },
      { counts: 'list' },
      { counts: 'asset' },
      { isShuffled: true },
      { hasUpperCaseIds: true },
      { omitsNulls: true },
      { hasStrays: true },
      { runningStatus: 'uploading' },
      { runningStatus: 'submitted' },
      { lag: 5 },
      { linking: pick([404, 422] as const) },
      { creationTakes: 200 },
    ]);
  return { ...one(), ...(chance(0.5) && one()) };
}

/** Everything, all reads, reads of submissions, assets or issues, uploads, creations, retries. */
const ENDPOINTS = [
  /./,
  /^GET/,
  /^GET \/submissions\/[^/]+$/,
  /^GET .*\/assets\/[^/]+$/,
  /\/issues$/,
  /uploads/,
  /^POST \/submissions$/,
  /\/retry$/,
];

/** One or two faults of the service, for some seconds, for some requests, or as long as the run lasts. */
function faultsOf({ chance, pick, upTo }: Random): Fault[] {
  const one = (): Fault => {
    const on = pick(ENDPOINTS);
    const how = pick([503, 503, 500, 502, 429, 404, 'page', 'refused', 'reset', 'reset', 'silence'] as const);
    const limit = pick(['none', 'seconds', 'times'] as const);
    return {
      on,
      how,
      ...(limit === 'seconds' && { until: now() + (how === 404 ? 15 : upTo(200)) }),
      ...(limit === 'times' && { times: upTo(3) }),
      ...(how === 429 && { retryAfter: upTo(90) }),
      isAfterwards: how !== 429 && how !== 'refused' && chance(0.3),
    };
  };
  return chance(0.5) ? [one()] : [one(), one()];
}

function describeRun(event: string, run: Run, faults: readonly Fault[]): string {
  const { id, attempt = 1, branch, stop, uploads, inputs = {}, job } = run.options;
  const weather = faults.map(
    ({ on, how, until: end, times, isAfterwards }) =>
      `${on} ${how}${isAfterwards ? ' afterwards' : ''}${end ? ' for some time' : ''}${times === undefined ? '' : ' some times'}`,
  );
  const details = [
    event,
    job && `job ${job}`,
    ...Object.entries(inputs).map((each) => each.join(' ')),
    stop && `${stop.how} after ${stop.after}`,
    uploads && `uploads ${uploads}`,
    ...weather,
  ];
  const files = run.contents.map((sha256) => sha256.slice(0, 4)).join(' ');
  const sent = run.created.map(
    (each) =>
      `${each.id.slice(0, 4)} (${each.assets.map(({ sha256, course }) => `${sha256.slice(0, 4)} ${JSON.stringify(course)}`).join(', ')})`,
  );
  const end = run.isDead ? 'dead' : `${run.verdict} ${run.reason}${run.isGreen ? ' green' : ''}`;
  return `run ${id}.${attempt} of ${branch} [${files}]: ${details.filter(Boolean).join(', ')} → ${end}${sent.length > 0 ? `, sent ${sent.join('; ')}` : ''}`;
}
