import type { Asset, Submission } from './asset.ts';
import { wrongBaseline } from './baseline.ts';
import { DAY, now } from './clock.ts';
import type { Run, Saved, World } from './world.ts';

/** Checks the four promises after each run. It knows everything that has happened, and nothing of the code. */

const REUSE_DAYS = 89;
/** Statuses of issues that do not count. */
const CLOSED = ['RESOLVED', 'DISMISSED'];
const MUST_READ = { runs: 12 };

/** What one submission of a content is, while a run lasts. */
type Truth = 'result' | 'working' | 'retryable' | 'failed' | 'unclear' | 'missing' | 'changing';

interface Known {
  readonly submission: Submission;
  readonly asset: Asset;
  readonly truth: Truth;
  readonly days: number;
}

export function brokenPromises(run: Run, world: World): readonly string[] {
  const { verdict, reason } = run;
  const broken = [...brokenBills(run, world), ...lostPayments(run, world)];
  if (run.isDead) return broken;
  if (reason === 'internal' || !['pass', 'fail', 'error'].includes(verdict))
    broken.push(`ends with ${verdict} ${reason}`);
  if (run.options.inputs?.['fail-on-issues'] === 'new') return [...broken, ...wrongBaseline(run)];
  broken.push(...(run.isGreen ? brokenPasses(run, world) : brokenFailures(run)));
  return broken;
}

/** One creation, one bill. */
function brokenBills(run: Run, world: World): string[] {
  const broken: string[] = [];
  const created = world.service.submissions.filter(({ createdBy }) => createdBy === run);
  const mayRepeat = world.service.exchanges.some(
    (each) => each.run === run && each.fault && /^POST .*submissions$/.test(each.line),
  );
  if (created.length > (mayRepeat ? 2 : 1)) broken.push(`creates ${created.length} submissions`);
  for (const { sha256 } of created.slice(0, 1).flatMap(({ assets }) => assets)) {
    if (!run.contents.includes(sha256)) broken.push('sends a file that it does not check');
    const paid = paidFor(knownTo(run, before(run, run.hasRead), sha256), run);
    if (paid) broken.push(`sends what is paid for: ${describe(paid, run)}`);
    const listed = paidFor(knownTo(run, before(run, listedFor(run)), sha256), run);
    if (!paid && listed) broken.push(`sends what a listed state knows: ${describe(listed, run)}`);
  }
  return broken;
}

/** What existed when the run began. */
function before({ startedAt }: Run, submissions: ReadonlySet<Submission>): ReadonlySet<Submission> {
  return new Set([...submissions].filter(({ createdAt }) => createdAt < startedAt));
}

/** What the states know that were listed when the run began, if there are so few that the run must read all of them. */
function listedFor({ listed, faults }: Run): ReadonlySet<Submission> {
  const last = new Map<string, Saved>();
  for (const saved of listed) last.set(`${saved.by.options.id} ${saved.by.options.job}`, saved);
  const isTooMuch = last.size > MUST_READ.runs || faults > 0;
  return new Set(isTooMuch ? [] : [...last.values()].flatMap(({ knows }) => [...knows]));
}

/** The submission because of which a run must not send a content. */
function paidFor(known: readonly Known[], run: Run): Known | undefined {
  const { attempt = 1, inputs, id } = run.options;
  if (known.some(({ truth }) => truth === 'changing') || run.hasMissed) return undefined;
  const young = known.filter(({ days, truth }) => days < REUSE_DAYS && truth !== 'missing');
  const newest = young[0];
  // A state keeps the newest analysis and what was sent since. If the service deleted it, no older one replaces it.
  const isReplaced = (older: Known): boolean =>
    known.some(
      (each) =>
        each.truth === 'missing' &&
        each.submission.createdAt > older.submission.createdAt &&
        (older.truth === 'result' || wasReadable(each, run)),
    );
  if (inputs?.['reuse-days'] === '0') {
    const own = young.find(({ submission, truth }) => submission.createdBy?.options.id === id && truth === 'result');
    if (own && own === newest && !isReplaced(own)) return own;
    const isWaiting = newest?.truth === 'working' && newest.days < 7;
    return newest && (isWaiting || (newest.truth === 'result' && isUnread(newest, run))) ? newest : undefined;
  }
  const result = young.find((each) => each.truth === 'result' && !isReplaced(each));
  if (result) return result;
  if (attempt > 1 && (newest?.truth === 'failed' || (newest?.truth === 'working' && newest.days >= 7)))
    return undefined;
  const isOpen = newest && newest.truth !== 'result' && (attempt === 1 || newest.truth !== 'failed');
  return isOpen && !isReplaced(newest) ? newest : undefined;
}

/** What is paid for is saved. */
function lostPayments(run: Run, world: World): string[] {
  const own = world.service.exchanges.filter((each) => each.run === run);
  const lost = run.created.filter((submission) => {
    const isWaiting = own.some(({ at, line }) => at >= submission.createdAt && line.includes(submission.id));
    return (isWaiting || !run.isDead) && !run.saved.some(({ knows }) => knows.has(submission));
  });
  const isExcused = run.options.uploads !== undefined || run.faults > 0;
  return isExcused || run.isCancelled ? [] : lost.map(({ id }) => `does not save ${id.slice(0, 4)}`);
}

/** Nothing unjudged passes, and the last known issues count. */
function brokenPasses(run: Run, world: World): string[] {
  const broken: string[] = [];
  const isAccepted = run.verdict === 'error';
  if (isAccepted && run.options.inputs?.['on-service-error'] !== 'warn') broken.push('accepts an error');
  if (isAccepted && !['service', 'timeout'].includes(run.reason)) broken.push(`accepts an error of ${run.reason}`);
  if (isAccepted) broken.push(...reportedAgainst(run, world));
  for (const sha256 of run.contents) {
    const known = knownTo(run, run.knows, sha256);
    if (!isAccepted && !known.some((each) => wasReadable(each, run)))
      broken.push(`passes ${sha256.slice(0, 4)}, which was never judged`);
    const decisive = decisiveOf(known, run);
    if (!decisive) continue;
    if (decisive.truth === 'unclear' && !isAccepted)
      broken.push(`passes over an unclear analysis: ${describe(decisive, run)}`);
    const counts = !isAccepted || run.downloaded.some((saved) => hasJudged(saved, decisive));
    if (decisive.truth === 'result' && isCounting(decisive) && counts)
      broken.push(`passes a CRITICAL: ${describe(decisive, run)}`);
  }
  return broken;
}

/** The newest analysis that the run must have judged by, or that forbids to pass. */
function decisiveOf(known: readonly Known[], run: Run): Known | undefined {
  for (const each of known) {
    // In an outage a run cannot know that the service has deleted an analysis.
    if (each.truth === 'changing' || (each.truth === 'missing' && run.faults > 0)) return undefined;
    const isAside = each.truth === 'missing' || (each.days > REUSE_DAYS && each.submission.createdBy !== run);
    if (!isAside && (each.truth === 'result' || each.truth === 'unclear')) return each;
  }
  return undefined;
}

/** What the service has said against files of a run whose error is accepted. */
function reportedAgainst(run: Run, world: World): string[] {
  const broken: string[] = [];
  const read = world.service.exchanges.filter((each) => each.run === run && each.status === 200);
  const last = new Map(read.map(({ line, body }) => [line, body]));
  const newest = run.contents.map((sha256) => knownTo(run, run.knows, sha256)[0]?.submission.id);
  for (const [line, body] of last) {
    const { status, assets = [], submissionId } = Object(body);
    if (line.endsWith('/retry') || !newest.includes(String(submissionId).toLowerCase())) continue;
    if (status === 'failed') broken.push('accepts an error with a failed submission');
    if (assets.some((asset: Record<string, unknown>) => asset['errorMessage']))
      broken.push('accepts an error with a text');
  }
  return broken;
}

/** A run without any trouble ends with a verdict, and fails only because of an issue. */
function brokenFailures(run: Run): string[] {
  const { isCancelled, verdict, reason } = run;
  if (isCancelled) return [];
  const isFine = run.faults === 0 && run.options.uploads === undefined;
  const known = run.contents.map((sha256) => knownTo(run, run.knows, sha256));
  const decisive = known.map((each) => decisiveOf(each, run));
  const critical = decisive.find((each) => each?.truth === 'result' && isCounting(each));
  const isStill = known.every(([newest], index) => newest?.truth === 'result' && newest === decisive[index]);
  if (verdict === 'fail' && isFine && isStill && !decisive.some((each) => each && isEverCounting(each)))
    return ['fails without a CRITICAL'];
  if (verdict === 'error' && isFine && isStill) return [`ends with an error of ${reason} without any trouble`];
  const isStarted = !['github', 'checkout', 'bad-input'].includes(reason);
  const wasJudged = critical && run.downloaded.some((saved) => hasJudged(saved, critical));
  if (verdict === 'error' && wasJudged && isStarted)
    return [`forgets a last known CRITICAL: ${describe(critical, run)}`];
  return [];
}

/** Whether a state was saved at the end of a run that has judged by this analysis. */
function hasJudged({ by, at, knows }: Saved, { submission, asset }: Known): boolean {
  const isFinal =
    by.endedAt !== undefined && by.saved.at(-1)?.at === at && (by.verdict === 'pass' || by.verdict === 'fail');
  if (!isFinal || !knows.has(submission) || by.faults > 0 || !by.contents.includes(asset.sha256)) return false;
  const known = knownTo(by, by.knows, asset.sha256);
  return decisiveOf(known, by)?.submission === submission && by.options.inputs?.['reuse-days'] !== '0';
}

/** Newest first. */
function knownTo(run: Run, knows: ReadonlySet<Submission>, sha256: string): readonly Known[] {
  const found = [...knows].flatMap((submission): Known[] => {
    const asset = submission.assets.find((each) => each.sha256 === sha256);
    if (!asset || submission.key !== run.key) return [];
    return [
      { submission, asset, truth: truthOf(submission, asset, run), days: (run.startedAt - submission.createdAt) / DAY },
    ];
  });
  return found.toSorted((a, b) => b.submission.createdAt - a.submission.createdAt);
}

function truthOf(submission: Submission, asset: Asset, { startedAt, endedAt = now() }: Run): Truth {
  const from = Math.max(startedAt, submission.createdAt);
  const isOwn = submission.createdAt >= startedAt;
  const moments = [
    ...(isOwn ? [] : [from]),
    endedAt,
    ...asset.phases.map((each) => each.from + asset.lag),
    submission.deletedAt,
  ];
  const inside = moments.filter((each) => each >= from && each <= endedAt && !isOwn);
  const truths = new Set((isOwn ? [endedAt] : inside).map((time) => truthAt(submission, asset, time)));
  const [truth = 'changing'] = truths;
  return truths.size === 1 ? truth : 'changing';
}

function truthAt({ deletedAt, isUnclear, assets }: Submission, asset: Asset, time: number): Truth {
  if (deletedAt <= time) return 'missing';
  // A submission with a status that nobody knows never ends, so the page does not say what its other files are.
  const others = assets.filter((each) => each !== asset).map((each) => each.at(time).status);
  if (others.some((status) => !['processing', 'complete', 'failed'].includes(status))) return 'changing';
  const { status, from } = asset.at(time);
  if (status === 'processing' || (status === 'complete' && time < from + asset.lag)) return 'working';
  if (status === 'failed') return asset.course.retry ? 'retryable' : 'failed';
  const { miscounts = 0, hasTwin } = asset.course;
  if (status === 'complete' && miscounts === 0 && !hasTwin && !isUnclear) return 'result';
  // Before a submission has ended, nothing can contradict its files.
  return others.includes('processing') ? 'working' : 'unclear';
}

/** Whether a result could be read at some time until the end of the run. */
function wasReadable({ asset, submission }: Known, { endedAt = now() }: Run): boolean {
  const { miscounts = 0, hasTwin } = asset.course;
  const done = asset.phases.find(({ status }) => status === 'complete');
  const isReadable = done && done.from + asset.lag <= Math.min(endedAt, submission.deletedAt);
  return Boolean(isReadable && miscounts === 0 && !hasTwin && !submission.isUnclear);
}

/** Whether no run that has ended can have read the result. */
function isUnread({ asset, submission }: Known, run: Run): boolean {
  const done = asset.phases.find(({ status }) => status === 'complete');
  const readers = run.earlier.filter((each) => each.knows.has(submission));
  return done !== undefined && readers.every(({ endedAt = now() }) => endedAt < done.from + asset.lag);
}

/** An open CRITICAL issue that nobody has ever closed. */
function isCounting({ asset }: Known): boolean {
  return asset.issues.some(
    ({ severity, status, wasReviewed }) => severity === 'CRITICAL' && !CLOSED.includes(status) && !wasReviewed,
  );
}

function isEverCounting({ asset }: Known): boolean {
  return asset.issues.some(
    ({ severity, status, wasReviewed }) => severity === 'CRITICAL' && (wasReviewed || !CLOSED.includes(status)),
  );
}

function describe({ submission, truth, days }: Known, run: Run): string {
  const { id, attempt = 1 } = submission.createdBy?.options ?? { id: 0 };
  return `${submission.id.slice(0, 4)} of run ${id}.${attempt}, ${days.toFixed(1)} days old, ${truth} (run ${run.options.id})`;
}
