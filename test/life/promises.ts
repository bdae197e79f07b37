import type { Workspace } from '../../emulator/emulator.ts';
import type { Asset, Submission } from '../../emulator/model.ts';
import type { RepositoryRun } from '../harness/repository.ts';
import { isCritical, isSick, type Media, type RepositoryLife, type RunOfLife } from './repository-life.ts';
import type { Weather } from './weather.ts';

/** A run that has ended, or was stopped. */
export interface Lived {
  readonly run: RunOfLife;
  readonly weather: Weather;
  readonly done: RepositoryRun;
  /** Contents that the run must know from earlier runs. */
  readonly known: ReadonlySet<string>;
  /** The billed submissions that the run created. */
  readonly created: readonly Submission[];
  readonly hasSaved: boolean;
  /** False if another run was active at the same time. */
  readonly isAlone: boolean;
}

/** Why a content may be billed again; each is named in docs/state.md. */
type Reason = 'deleted at the service' | 'its analysis failed' | 'no response to its creation' | 'state not saved';

/** Tracks what the runs of one repository must know, and finds the promises that a run has broken. */
export class Promises {
  readonly #life: RepositoryLife;
  readonly #service: Workspace;
  /** For each branch, the contents whose analysis is in the state of its newest run. */
  readonly #settled = new Map<string, Set<string>>();
  /** For each branch, the contents that a run paid for and did not finish, with the number of runs since. */
  readonly #unfinished = new Map<string, Map<string, number>>();
  readonly #reasons = new Map<string, Reason>();
  /** Contents whose analysis failed. Runs show that until a re-run, even if the service could analyse them now. */
  readonly #failed = new Set<string>();
  /** Submissions whose run did not read them or saved nothing. Other runs need not know them until one reads them. */
  readonly #unheard = new Set<string>();
  /** When the newest deleted analysis of a content was created. A state need not have kept an older one. */
  readonly #deletedAt = new Map<string, string>();
  /** Runs that may have left an artifact which blocks its name. */
  readonly #troubled = new Set<number>();

  constructor(life: RepositoryLife, service: Workspace) {
    this.#life = life;
    this.#service = service;
  }

  /** The contents that a run must find in the states of earlier runs. */
  knownTo({ branch, merged }: RunOfLife): ReadonlySet<string> {
    const own = [branch, ...(merged === undefined ? [] : [merged])];
    return new Set([
      ...[...own, 'main'].flatMap((each) => [...(this.#settled.get(each) ?? [])]),
      ...own.flatMap((each) => [...(this.#unfinished.get(each)?.keys() ?? [])]),
    ]);
  }

  forget({ submissionId, createdAt, assets }: Submission): void {
    this.#service.forget(submissionId);
    const isHeardOf = !this.#unheard.has(submissionId);
    for (const { blob, status } of assets) {
      const isNewest = createdAt > (this.#deletedAt.get(blob.sha256) ?? '');
      if (isHeardOf && isNewest && status === 'complete') this.#deletedAt.set(blob.sha256, createdAt);
      // No run misses a submission that no run has read, so there is no warning.
      if (isHeardOf) this.#reasons.set(blob.sha256, 'deleted at the service');
      else if (!this.#reasons.has(blob.sha256)) this.#reasons.set(blob.sha256, 'state not saved');
    }
  }

  /** Returns the promises that a run has broken. */
  broken(lived: Lived): readonly string[] {
    // Later runs know a submission that this run has read.
    for (const submission of this.#service.submissions) {
      if (isRead(submission, lived)) this.#unheard.delete(submission.submissionId);
      for (const { blob, status } of submission.assets) if (status === 'failed') this.#failed.add(blob.sha256);
    }
    const broken = this.#brokenBills(lived);
    if (!isKilled(lived)) broken.push(...this.#brokenVerdict(lived));
    else if (!lived.weather.stop) broken.push('The run died.');
    return broken;
  }

  #brokenVerdict({ run, weather, done: { outputs, text }, created }: Lived): string[] {
    const { verdict = '', reason } = outputs;
    const media = [...new Set(run.tree.values())];
    const unsure = media.filter((each) => this.#isUnsure(each, run));
    // A status that this run could not read, or whose analysis was deleted, is the last known one.
    const unread = weather.isHarsh ? media : unsure;
    const isUnread = unread.some((each) => each.wasReviewed) && text.includes('last known');
    const critical = media.filter(isCritical);
    const failing = critical.filter((each) => !unsure.includes(each));
    const mayFail = critical.some((each) => !isSick(each) || this.#isAnalysed(each.sha256));
    const broken: string[] = [];
    if (verdict === 'pass' && failing.length > 0 && !isUnread)
      broken.push(`It passes, and has a CRITICAL issue: ${namesOf(failing)}.`);
    if (verdict === 'fail' && !mayFail && !isUnread) broken.push('It fails without a CRITICAL issue.');
    const needsStates = !run.isNightly && reason !== 'cancelled';
    if (needsStates && weather.hidesStates && (reason !== 'github' || created.length > 0))
      broken.push('It goes on without the states of earlier runs.');
    if (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'error') broken.push(`It ends with ${verdict}.`);
    if (weather.isHarsh || weather.stop) return broken;
    if (verdict === 'error' && (unsure.length === 0 || failing.length > 0))
      broken.push(`It ends with an error and no fault: ${reason}.`);
    if (verdict === 'pass' && media.some(isSick)) broken.push('It passes with a file that was not analysed.');
    const unknown = media.filter(({ sha256 }) => !this.#isAnalysed(sha256));
    if (verdict === 'pass' && failing.length === 0 && unknown.length > 0)
      broken.push(`It passes, and the service has no analysis of ${namesOf(unknown)}.`);
    if (unsure.length === 0 && outputs['critical-count'] !== String(critical.length))
      broken.push(`It counts ${outputs['critical-count']} CRITICAL issues; there are ${critical.length}.`);
    return broken;
  }

  /**
   * Whether a content may end unjudged: its analysis fails, has failed or hangs, and the analysis before it was
   * deleted, if there was one. A nightly run waits for the newest analysis, even if an older one is complete.
   */
  #isUnsure(media: Media, { isNightly }: RunOfLife): boolean {
    const own = assetsOf(this.#service.submissions).filter(({ blob }) => blob.sha256 === media.sha256);
    if (isNightly) return own.some(({ status }) => status !== 'complete');
    const mayEndUnjudged = isSick(media) || own.some(({ pending }) => pending) || this.#failed.has(media.sha256);
    return mayEndUnjudged && !this.#isAnalysed(media.sha256, this.#deletedAt.get(media.sha256));
  }

  /** Whether a submission that runs know, created after this time, has a complete analysis of the content. */
  #isAnalysed(sha256: string, after = ''): boolean {
    const later = this.#service.submissions.filter(({ createdAt }) => createdAt > after);
    const heardOf = later.filter(({ submissionId }) => !this.#unheard.has(submissionId));
    return assetsOf(heardOf).some(({ blob, status }) => blob.sha256 === sha256 && status === 'complete');
  }

  /** An unfinished upload of an earlier attempt counts as well, because it blocks its name. */
  #mayLoseState({ run, weather }: Lived): boolean {
    return weather.losesState || weather.stop !== undefined || this.#troubled.has(run.id);
  }

  #brokenBills(lived: Lived): string[] {
    const { run, weather, done, created, hasSaved, known, isAlone } = lived;
    const broken: string[] = [];
    const sent = assetsOf(created).map(({ blob }) => blob.sha256);
    const wanted = new Set([...run.tree.values()].map(({ sha256 }) => sha256));
    const isRepeated = weather.service?.some(({ on, when }) => on === 'submissions/create' && when === 'after-work');
    if (created.length > (isRepeated ? 2 : 1)) broken.push(`It creates ${created.length} submissions.`);
    if (new Set(sent).size * created.length < sent.length) broken.push('It sends a content twice in one submission.');
    if (sent.some((sha256) => !wanted.has(sha256))) broken.push('It sends a file that is not in the commit.');
    const output = done.outputs['assets-submitted'];
    if (output !== undefined && isAlone && created.length === 1 && !weather.isHarsh && output !== String(sent.length))
      broken.push(`It says that ${output} assets are billed, not ${sent.length}.`);
    const isWaiting = created.some((submission) => isRead(submission, lived));
    if (isWaiting && !hasSaved && !this.#mayLoseState(lived)) broken.push('It has paid, and left no state.');
    if (/\bstate\b/.test(done.warnings) && !this.#mayLoseState(lived)) broken.push('It cannot save its state.');
    for (const sha256 of new Set(run.isNightly ? [] : sent)) {
      const name = this.#life.media.find((media) => media.sha256 === sha256)?.name;
      const reason = this.#reasons.get(sha256);
      // A failure is remembered: only a re-run sends the file again.
      const isExcused = reason === 'its analysis failed' ? run.attempt > 1 : reason !== undefined;
      if (known.has(sha256) && !isExcused) broken.push(`It bills ${name} again.`);
      if (known.has(sha256) && reason === 'deleted at the service' && !weather.isHarsh && !weather.stop)
        if (!/again/.test(done.warnings)) broken.push(`It bills ${name} again without a warning.`);
    }
    return broken;
  }

  /** Records what later runs must know. */
  remember(lived: Lived): void {
    const { run, weather, done, created, hasSaved } = lived;
    const { branch, tree, attempt } = run;
    if (this.#mayLoseState(lived)) this.#troubled.add(run.id);
    const unread = created.filter((submission) => !isRead(submission, lived));
    for (const { submissionId } of hasSaved ? unread : created) this.#unheard.add(submissionId);
    const sent = assetsOf(created).map(({ blob }) => blob.sha256);
    for (const sha256 of sent) if (this.#reasons.get(sha256) !== 'its analysis failed') this.#reasons.delete(sha256);
    for (const media of tree.values()) {
      if (weather.analyses && !this.#isAnalysed(media.sha256)) media.course = weather.analyses;
      const mayFail = media.course === 'fails' || media.course === 'fails once';
      if (mayFail && !this.#reasons.has(media.sha256)) this.#reasons.set(media.sha256, 'its analysis failed');
    }
    const lost = weather.service?.some(({ on, when }) => on === 'submissions/create' && when);
    if (lost) for (const sha256 of sent) this.#reasons.set(sha256, 'no response to its creation');
    if (!hasSaved) {
      // A re-run has replaced what the attempt before it saved.
      const unsaved = attempt > 1 && weather.losesState ? [...tree.values()].map(({ sha256 }) => sha256) : sent;
      for (const sha256 of unsaved) this.#reasons.set(sha256, 'state not saved');
      return;
    }
    // Only the newest run of a branch counts.
    const newest = this.#life.runs.findLast((each) => each.branch === branch);
    if (newest?.id !== run.id) return;
    const unfinished = this.#unfinished.get(branch) ?? new Map<string, number>();
    const isWhole = !isKilled(lived) && !weather.stop && !weather.isHarsh && done.outputs['verdict'] !== 'error';
    const judged = [...tree.values()].filter((media) => !isSick(media)).map(({ sha256 }) => sha256);
    for (const [sha256, runs] of unfinished)
      if (isWhole || runs > 0) unfinished.delete(sha256);
      else unfinished.set(sha256, runs + 1);
    if (!isWhole) for (const sha256 of sent) unfinished.set(sha256, 0);
    this.#unfinished.set(branch, unfinished);
    if (!isWhole) return;
    this.#settled.set(branch, new Set([...(this.#settled.get(branch) ?? []), ...judged]));
  }
}

function namesOf(media: readonly Media[]): string {
  return media.map(({ name }) => name).join(', ');
}

function assetsOf(submissions: readonly Submission[]): readonly Asset[] {
  return submissions.flatMap(({ assets }) => assets);
}

function isRead({ submissionId }: Submission, { done }: Lived): boolean {
  return done.requests.some(({ path }) => path.includes(submissionId));
}

function isKilled({ done: { exitCode, outputs } }: Lived): boolean {
  return exitCode === null || outputs['verdict'] === undefined;
}
