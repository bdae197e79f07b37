import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'vitest';
import { SLOTS } from '../../src/state/gate-id.ts';
import { brokenDisk } from '../harness/broken-disk.ts';
import { finishAnalyses } from '../harness/earlier-run.ts';
import { it } from '../harness/fixtures.ts';
import type { Fault } from '../harness/github-model.ts';
import { retryAsNewAsset } from '../harness/manners.ts';
import { nameOf, type Repository, type RepositoryRun } from '../harness/repository.ts';
import { writeFiles } from '../harness/workspace.ts';
import { type Lived, Promises } from './promises.ts';
import { type Random, seeded } from './random.ts';
import { isSick, RepositoryLife, type RunOfLife, review } from './repository-life.ts';
import { badNight, FINE, makeWeather, type Weather } from './weather.ts';

const FORK_ID = 1;
/** Runs in the life of one repository. */
const RUNS = 20;
/** A minute takes one and a half seconds. */
const CLOCK_FACTOR = 40;
/** The first seed, and the number of runs in all lives. */
const { LIFE_SEED = '1', LIFE_RUNS = '60' } = process.env;
const SEEDS = Array.from({ length: Math.ceil(Number(LIFE_RUNS) / RUNS) }, (_, index) => Number(LIFE_SEED) + index);

describe.concurrent('a life: random days of a repository break no promise', () => {
  const title = `LIFE_SEED=%i LIFE_RUNS=${RUNS}`;
  it.for(SEEDS)(title, { timeout: 3_600_000 }, async (seed, { startRepository, makeFolder }) => {
    const life = new RepositoryLife(seeded(seed));
    const now: Surroundings = { weather: FINE, faults: [] };
    const repository = await startRepository({
      clockFactor: CLOCK_FACTOR,
      // Another order may hide a state in lists of several pages (docs/state.md), which have tests of their own.
      model: { pulls: life.pulls, pullsOf: life.pullsOf, faults: now.faults, artifactOrder: 'newest first' },
      trouble: (step, nth) => now.weather.artifacts?.(step, nth),
    });
    if (life.retriesReplace) repository.service.handler = retryAsNewAsset.handler?.(repository.service);
    const world = new World(life, repository, now, await makeFolder());
    await world.liveDay('the first run', [life.newRun(life.main)], FINE);
    while (life.runs.length < RUNS) await world.liveRandomDay();
  });
});

class World {
  readonly #life: RepositoryLife;
  readonly #random: Random;
  readonly #folder: string;
  readonly #repository: Repository;
  readonly #promises: Promises;
  readonly #now: Surroundings;
  readonly #diary: string[] = [];
  /** True if the last run gave no verdict about the media. */
  #hasFailed = false;

  constructor(life: RepositoryLife, repository: Repository, now: Surroundings, folder: string) {
    this.#life = life;
    this.#random = life.random;
    this.#folder = folder;
    this.#repository = repository;
    this.#now = now;
    this.#promises = new Promises(life, repository.service);
  }

  async liveRandomDay(): Promise<void> {
    const notes = this.#changeService();
    const last = this.#life.runs.at(-1);
    // People often re-run what failed.
    if (last && this.#random.chance(this.#hasFailed ? 0.4 : 0.1)) {
      const again = { ...last, attempt: last.attempt + 1 };
      this.#life.runs.splice(-1, 1, again);
      return await this.liveDay(['once more', ...notes].join(', '), [again], makeWeather(this.#random));
    }
    const { text, branch, merged } = this.#life.change();
    const isNightly = branch === this.#life.main && this.#random.chance(0.2);
    const run = this.#life.newRun(branch, { merged, isNightly });
    const isWithAnother = this.#random.chance(0.1);
    const others = isWithAnother ? [this.#life.newRun(this.#random.pick([...this.#life.branches.values()]))] : [];
    const isBadNight = isNightly && this.#random.chance(0.5);
    const usual = isBadNight ? badNight(this.#random) : makeWeather(this.#random);
    const weather = isWithAnother && !isBadNight ? FINE : usual;
    await this.liveDay([text, ...notes].join(', '), [run, ...others], weather);
    if (isBadNight) await this.liveDay('the morning after', [this.#life.newRun(this.#life.main)], FINE);
  }

  /** Runs of a fork upload junk and copies of states under the artifact names of the gate. */
  #uploadFromFork(): void {
    const { artifacts } = this.#repository;
    const copies = Object.values(artifacts.archives);
    const names = ['main', ...this.#life.branches.keys()];
    const count = this.#random.upTo(150);
    for (let id = 1; id <= count; id++) {
      const content = this.#random.chance(0.5) ? Buffer.from('x') : this.#random.pick(copies);
      const run = { id: 1_000 + id, head_repository_id: FORK_ID, head_branch: this.#random.pick(names) };
      artifacts.plant(nameOf(this.#random.pick(SLOTS)), content, run);
    }
  }

  /** Reviews, finishes or deletes analyses at random, and returns what happened. */
  #changeService(): readonly string[] {
    const { service } = this.#repository;
    const notes: string[] = [];
    const inUse = [...this.#life.branches.values()].flatMap(({ tree }) => [...tree.values()]);
    const withIssues = inUse.filter(({ issues }) => issues.length > 0);
    if (withIssues.length > 0 && this.#random.chance(0.3)) {
      const media = this.#random.pick(withIssues);
      review(media, service);
      notes.push(`${media.name} is ${media.issues[0]?.status}`);
    }
    if (this.#random.chance(0.5)) {
      for (const media of this.#life.media.filter(isSick)) {
        media.course = 'quick';
        notes.push(`${media.name} can be analysed`);
      }
      finishAnalyses(service);
    }
    if (this.#random.chance(0.1)) {
      this.#uploadFromFork();
      notes.push('a fork uploads artifacts');
    }
    if (service.submissions.length > 0 && this.#random.chance(0.08)) {
      this.#promises.forget(this.#random.pick(service.submissions));
      notes.push('a submission is deleted');
    }
    return notes;
  }

  /** Starts the runs at the same time, and throws if one of them breaks a promise. */
  async liveDay(text: string, runs: readonly RunOfLife[], weather: Weather): Promise<void> {
    const { service, artifacts } = this.#repository;
    this.#diary.push(`${runs.map(describeRun).join(' and ')}: ${[text, ...weather.text].join('; ')}`);
    this.#now.weather = weather;
    this.#now.faults.splice(0, Number.POSITIVE_INFINITY, ...(weather.github ?? []));
    service.load(this.#life.scenario(weather));
    const before = { submissions: new Set(service.submissions), artifacts: new Set<object>(artifacts.artifacts) };
    const known = runs.map((run) => this.#promises.knownTo(run));
    const starting = Promise.all(runs.map(async (run) => await this.#start(run, weather)));
    const ended = await starting.catch((error: unknown) => {
      throw new Error([...this.#diary, String(error)].join('\n'));
    });
    this.#now.faults.splice(0);

    const lived = runs.flatMap((run, index): Lived[] => {
      const done = ended[index];
      if (!done) return [];
      const isAlone = runs.length === 1;
      const created = service.submissions.filter((each) => {
        if (before.submissions.has(each) || each.creditsSpent === 0) return false;
        if (each.metadata) return JSON.stringify(each.metadata).includes(`/runs/${run.id}`);
        // A creation that was refused with its metadata is sent again without it.
        return isAlone || each.submissionId === done.outputs['submission-id'];
      });
      const isNew = (each: object): boolean => !before.artifacts.has(each) && Object(each).workflow_run?.id === run.id;
      const hasSaved = artifacts.artifacts.some(isNew);
      const { verdict = 'killed', reason = '' } = done.outputs;
      this.#hasFailed = verdict !== 'pass' && verdict !== 'fail';
      const billed = created.flatMap(({ assets }) => assets).length;
      this.#diary.push(`   ${run.id}: ${verdict} ${reason}, ${billed} billed${hasSaved ? '' : ', nothing saved'}`);
      return [{ run, weather, done, created, hasSaved, known: known[index] ?? new Set(), isAlone }];
    });
    const broken = lived.flatMap((each) =>
      this.#promises.broken(each).map((promise) => `Run ${each.run.id}: ${promise}\n\n${each.done.text}`),
    );
    for (const each of lived) this.#promises.remember(each);
    if (broken.length > 0) throw new Error([...this.#diary, ...broken].join('\n'));
  }

  async #start(run: RunOfLife, weather: Weather): Promise<RepositoryRun> {
    const { stop, disk, jumps } = weather;
    const { id, attempt, branch, commit, number, base, tree, isNightly } = run;
    const { service } = this.#repository;
    const workspace = await mkdtemp(path.join(this.#folder, 'checkout-'));
    const temp = await mkdtemp(path.join(this.#folder, 'temp-'));
    await writeFiles(workspace, Object.fromEntries([...tree].map(([name, { bytes }]) => [name, bytes])));
    const requestsBefore = service.requests.length;
    let lines = 0;
    const options: Parameters<Repository['push']>[0] = {
      branch,
      commit,
      runId: String(id),
      attempt,
      workspace,
      temp,
      env: envWith(disk, temp),
      jumps,
      inputs: {
        'wait-timeout-minutes': '1',
        ...(isNightly && { 'reuse-days': '0' }),
      },
      onStart: (kill) => {
        if (stop?.of === 'requests')
          void service
            .waitFor(() => service.requests.length >= requestsBefore + stop.after)
            .then(() => kill(stop.signal));
      },
      onLine: (_, kill) => {
        lines += 1;
        if (stop?.of === 'lines' && lines === stop.after) kill(stop.signal);
      },
    };
    const done =
      number === undefined
        ? await this.#repository.push(options)
        : await this.#repository.pull({ ...options, number, ...(base && { base }) });
    if (stop && !stop.isLost) {
      // The post step runs on the real clock, so no fault may delay it.
      this.#now.weather = FINE;
      await done.post();
    }
    return done;
  }
}

/** The faults of the moment. The servers read them at every request. */
interface Surroundings {
  weather: Weather;
  readonly faults: Fault[];
}

/** Both temporary folders lie in `temp`, where the invariants look for the state. */
function envWith(disk: Weather['disk'], temp: string) {
  const folders = { RUNNER_TEMP: path.join(temp, 'runner'), TMPDIR: path.join(temp, 'system') };
  return { ...folders, ...(disk && brokenDisk(folders.RUNNER_TEMP, disk.code, disk.after)) };
}

function describeRun({ id, attempt, branch, isNightly }: RunOfLife): string {
  const details = [attempt > 1 && `attempt ${attempt}`, isNightly && 'nightly'].filter(Boolean);
  return [`run ${id} of ${branch}`, ...details].join(', ');
}
