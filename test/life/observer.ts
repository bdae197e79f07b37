import type { Submission } from './asset.ts';
import { baselineOf, CLOSED, wrongBaseline } from './baseline.ts';
import { now } from './clock.ts';
import type { Run, Saved } from './run.ts';
import { type Known, knownFrom, knownTo, readableFrom, statesOf } from './truth.ts';
import type { World } from './world.ts';

/** Checks the four promises after each run. It knows everything that has happened, and nothing of the code. */

const REUSE_DAYS = 89;
/** While no more runs and gates have saved, all of their states must be read before a file is sent. */
const MAX_STATES = 12;

export function brokenPromises(run: Run, world: World): readonly string[] {
  const { verdict, reason } = run;
  const broken = [...brokenBills(run, world), ...lostPayments(run, world), ...strangeStates(run, world)];
  // Two merged removals may leave a workspace without media: nothing is to be judged there.
  if (run.isDead || run.contents.length === 0) return broken;
  if (reason === 'internal' || !['pass', 'fail', 'error'].includes(verdict))
    broken.push(`ends with ${verdict} ${reason}`);
  if (!run.isCancelled && verdict !== 'fail') broken.push(...forgottenIssues(run));
  broken.push(...wrongBaseline(run));
  return [...broken, ...(run.isGreen ? brokenPasses(run, world) : brokenFailures(run))];
}

/** One creation, one bill. */
function brokenBills(run: Run, world: World): string[] {
  const broken: string[] = [];
  const created = world.service.submissions.filter(({ createdBy }) => createdBy === run);
  // A creation that was carried out may be repeated only after these responses.
  const mayRepeat = exchangesOf(run, world).some(
    ({ line, fault }) => fault && line === 'POST /submissions' && [500, 502, 404, 'page'].includes(fault.how),
  );
  if (created.length > (mayRepeat ? 2 : 1)) broken.push(`creates ${created.length} submissions`);
  for (const { sha256 } of created.slice(0, 1).flatMap(({ assets }) => assets.filter(({ isOfFile }) => isOfFile))) {
    if (!run.contents.includes(sha256)) broken.push('sends a file that it does not check');
    const paid = paidFor(knownFrom(run.read, sha256, run), run);
    if (paid) broken.push(`sends what is paid for: ${describe(paid)}`);
    const listed = paidFor(knownFrom(listedFor(run), sha256, run), run);
    if (!paid && listed) broken.push(`sends what a listed state knows: ${describe(listed)}`);
  }
  return broken;
}

/** The states that were listed when the run began, if there are so few that the run must read all of them. */
function listedFor(run: Run): readonly Saved[] {
  const last = new Map<string, Saved>();
  for (const saved of run.listed.filter((each) => isReadable(each, run)))
    last.set(`${saved.by.options.id} ${saved.by.options.job}`, saved);
  // With `reuse-days: 0`, a state that GitHub does not give is passed over.
  const mayPassOver = run.options.inputs?.['reuse-days'] === '0' && run.faults > 0;
  return last.size > MAX_STATES || mayPassOver ? [] : [...last.values()];
}

/** States of forks are for runs of the same pull request only, and for what was merged of it. */
function isReadable({ by }: Saved, { options }: Run): boolean {
  return by.options.from !== 'fork' || by.options.id === options.id || by.options.branch === options.branch;
}

function strangeStates(run: Run, { pulls, pullsOf }: World): string[] {
  const { commit, pull = 0 } = run.options;
  const merged = [...(pullsOf[commit] ?? []), pull].map((number) => pulls[number]?.headRef);
  const strange = run.downloaded.filter((each) => !isReadable(each, run) && !merged.includes(each.by.options.branch));
  return strange.map(({ by }) => `reads a state of the fork's run ${by.options.id}`);
}

/** The submission because of which a run must not send a content. @param known newest first, of earlier runs */
function paidFor(known: readonly Known[], run: Run): Known | undefined {
  const { attempt = 1, inputs, id } = run.options;
  if (known.some(({ truth }) => truth === 'changing') || run.hasMissed) return undefined;
  const present = known.filter(({ days, truth }) => days < REUSE_DAYS && truth !== 'missing');
  const [newest] = present;
  if (inputs?.['reuse-days'] === '0') {
    const isSame = newest?.truth === 'result' && newest.submission.createdBy?.options.id === id;
    const isYoung = newest !== undefined && newest.days < 7;
    // At its deadline, an earlier run may have read a file of a submission that has not ended.
    const isWaiting = newest?.truth === 'working' && isYoung && isUnread(newest, run);
    const isNew = newest?.truth === 'result' && isUnread(newest, run) && (isYoung || run.faults === 0);
    const isOwn = isSame && (isYoung || run.faults === 0);
    return isOwn || isWaiting || isNew ? newest : undefined;
  }
  const isGivenUp = newest?.truth === 'failed' || (newest?.truth === 'working' && newest.days >= 7);
  return present.find(({ truth }) => truth === 'result') ?? (attempt > 1 && isGivenUp ? undefined : newest);
}

/** What is paid for is saved. */
function lostPayments(run: Run, world: World): string[] {
  if (run.options.hasBlockedUploads) return [];
  const hasEnded = !run.isDead && !run.isCancelled;
  const own = exchangesOf(run, world);
  const lost = run.created.filter((submission) => {
    const { id, createdBy } = submission;
    if (run.saved.some(({ knows }) => knows.has(submission))) return false;
    // The state is on disk before the run asks for what it has created. It learns of a moved retry while it waits.
    return hasEnded || (createdBy && own.some(({ line }) => line.toLowerCase().startsWith(`get /submissions/${id}`)));
  });
  return lost.map(({ id }) => `does not save ${id.slice(0, 4)}`);
}

/** Nothing unjudged passes. */
function brokenPasses(run: Run, world: World): string[] {
  const isAccepted = run.verdict === 'error';
  if (isAccepted) {
    const isWarned = run.options.inputs?.['on-service-error'] === 'warn';
    const isOutage = isWarned && ['service', 'timeout'].includes(run.reason);
    return [...(isOutage ? [] : [`accepts an error of ${run.reason}`]), ...acceptedFailures(run, world)];
  }
  return run.contents.flatMap((sha256) => {
    const known = knownTo(run, sha256);
    const decisive = decisiveOf(known, run);
    const { endedAt = now() } = run;
    if (!known.some((each) => readableFrom(each) <= endedAt))
      return `passes ${sha256.slice(0, 4)}, which was never judged`;
    // In an outage, the last known issues count.
    const newest = known.find((each) => ['result', 'changing'].includes(each.truth) || isJudged(each, run));
    // A run beside this one may have sent the file since, and its analysis counts.
    const isSentSince = run.downloaded.some(({ knows }) => [...knows].some((each) => holdsNewer(sha256, each, run)));
    if (newest?.truth === 'missing' && run.faults === 0 && !isSentSince)
      return `passes over a missing analysis: ${describe(newest)}`;
    if (decisive?.truth === 'unclear') return `passes over an unclear analysis: ${describe(decisive)}`;
    return decisive && isCounting(decisive, run) ? `passes a CRITICAL: ${describe(decisive)}` : [];
  });
}

/** Whether a submission that is newer than the run's begin holds a content. */
function holdsNewer(sha256: string, { assets, createdAt }: Submission, { startedAt }: Run): boolean {
  return createdAt >= startedAt && assets.some((asset) => asset.sha256 === sha256);
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

/** The last known issues count until something newer is read, whatever their age, and whatever the service says now. */
function forgottenIssues(run: Run): string[] {
  if (['github', 'checkout', 'bad-input'].includes(run.reason)) return [];
  return run.contents.flatMap((sha256) => {
    for (const each of knownTo(run, sha256)) {
      if (isJudged(each, run)) return isCounting(each, run) ? `forgets a last known CRITICAL: ${describe(each)}` : [];
      if (readableFrom(each) <= (run.endedAt ?? now())) return [];
    }
    return [];
  });
}

/** The service has said that a file failed, and the error of the run is accepted. */
function acceptedFailures(run: Run, world: World): string[] {
  const read = exchangesOf(run, world).flatMap(({ line, status }) => (status === 200 ? line.toLowerCase() : []));
  return run.contents.flatMap((sha256) => {
    const [newest] = knownTo(run, sha256);
    const hasFailed = newest?.truth === 'failed' || newest?.truth === 'retryable';
    return hasFailed && read.includes(`get /submissions/${newest.submission.id}`) ? `accepts ${describe(newest)}` : [];
  });
}

/** A run without any trouble ends with a verdict, fails only because of an issue, and does what it can before. */
function brokenFailures(run: Run): string[] {
  const { verdict, reason, startedAt, endedAt = now() } = run;
  if (run.isCancelled || run.faults > 0 || run.options.hasBlockedUploads) return [];
  const known = run.contents.map((sha256) => knownTo(run, sha256));
  const decisive = known.map((each) => decisiveOf(each, run));
  if (known.every(([newest], index) => newest?.truth === 'result' && newest === decisive[index])) {
    if (verdict === 'error') return [`ends with an error of ${reason} without any trouble`];
    const isEverCounting = decisive.some((each) => each && hasCritical(each, true));
    return verdict === 'fail' && !isEverCounting ? ['fails without a CRITICAL'] : [];
  }
  const waitMinutes = Number(run.options.inputs?.['wait-timeout-minutes'] ?? 30);
  if (reason === 'timeout' && endedAt - startedAt < waitMinutes * 60) return ['gives up before its deadline'];
  return [];
}

/** Whether the run has read a state of one that has judged by this analysis. */
function isJudged(known: Known, run: Run): boolean {
  return statesOf(run).some((saved) => hasJudged(saved, known, run));
}

/** Whether the state was saved at the end of a run of the same workspace that has judged by this analysis. */
function hasJudged({ by, at, knows }: Saved, { submission, asset }: Known, run: Run): boolean {
  const isFinal =
    by.endedAt !== undefined && by.saved.at(-1)?.at === at && (by.verdict === 'pass' || by.verdict === 'fail');
  if (!isFinal || by.key !== run.key || !knows.has(submission) || by.faults > 0) return false;
  if (!by.contents.includes(asset.sha256)) return false;
  // A run with `reuse-days: 0` judges only by what it has sent itself.
  const isOfBefore = by.options.inputs?.['reuse-days'] === '0' && submission.createdBy !== by;
  const decisive = decisiveOf(knownTo(by, asset.sha256), by);
  return !isOfBefore && decisive?.truth === 'result' && decisive.submission === submission;
}

/** Whether no run that has ended can have read the result. */
function isUnread(known: Known, run: Run): boolean {
  const readers = run.earlier.filter((each) => each.knows.has(known.submission));
  return readers.every(({ endedAt = now() }) => endedAt < readableFrom(known));
}

/** Whether an issue must stop the check: an open CRITICAL that nobody has ever closed, and that may not be known. */
function isCounting(known: Known, run: Run): boolean {
  const isCompared = run.options.inputs?.['fail-on-issues'] === 'new' && baselineOf(run) !== undefined;
  return !isCompared && hasCritical(known);
}

function hasCritical({ asset }: Known, wasClosed = false): boolean {
  return asset.issues.some(
    ({ severity, status, wasReviewed = false }) =>
      severity === 'CRITICAL' && (wasReviewed ? wasClosed : !CLOSED.includes(status)),
  );
}

function exchangesOf(run: Run, { service }: World): World['service']['exchanges'] {
  return service.exchanges.filter((each) => each.run === run);
}

function describe({ submission, truth, days }: Known): string {
  const { id, attempt = 1 } = submission.createdBy?.options ?? { id: 0 };
  return `${submission.id.slice(0, 4)} of run ${id}.${attempt}, ${days.toFixed(1)} days old, ${truth}`;
}
