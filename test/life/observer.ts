import { type Asset, isStrayed, type Submission } from './asset.ts';
import { baselineOf, wrongBaseline } from './baseline.ts';
import { DAY, now } from './clock.ts';
import type { Run, Saved, World } from './world.ts';

/** Checks the four promises after each run. It knows everything that has happened, and nothing of the code. */

const REUSE_DAYS = 89;
/** Statuses of issues that do not count. */
const CLOSED = ['RESOLVED', 'DISMISSED'];
/** While no more runs and gates have saved, all of their states must be read before a file is sent. */
const MAX_STATES = 12;

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
  const broken = [...brokenBills(run, world), ...lostPayments(run, world), ...strangeStates(run, world)];
  // Two merged removals may leave a workspace without media: nothing is to be judged there.
  if (run.isDead || run.contents.length === 0) return broken;
  if (reason === 'internal' || !['pass', 'fail', 'error'].includes(verdict))
    broken.push(`ends with ${verdict} ${reason}`);
  if (!run.isCancelled && verdict !== 'fail') broken.push(...forgottenIssues(run, world));
  broken.push(...wrongBaseline(run, world));
  return [...broken, ...(run.isGreen ? brokenPasses(run, world) : brokenFailures(run, world))];
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
  for (const { sha256 } of created.slice(0, 1).flatMap(({ assets }) => assets)) {
    if (!run.contents.includes(sha256)) broken.push('sends a file that it does not check');
    const paid = paidFor(knownFrom(run.downloaded, sha256, run), run);
    if (paid) broken.push(`sends what is paid for: ${describe(paid)}`);
    const listed = paidFor(knownFrom(listedFor(run), sha256, run), run);
    if (!paid && listed) broken.push(`sends what a listed state knows: ${describe(listed)}`);
  }
  const retried = exchangesOf(run, world).flatMap(({ line, status }) => {
    const [, assetId = ''] = /assets\/([^/]+)\/retry$/.exec(line) ?? [];
    return status === 202 ? (world.service.assets.find(({ id }) => id === assetId.toLowerCase())?.sha256 ?? []) : [];
  });
  if (run.contents.some((sha256) => retried.filter((each) => each === sha256).length > 2))
    broken.push('retries a file more than twice');
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
  if (run.options.uploads !== undefined) return [];
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
    return [...(isOutage ? [] : [`accepts an error of ${run.reason}`]), ...reportedAgainst(run, world)];
  }
  return run.contents.flatMap((sha256) => {
    const known = knownTo(run, sha256);
    const decisive = decisiveOf(known, run);
    const { endedAt = now() } = run;
    if (!known.some((each) => readableFrom(each) <= endedAt))
      return `passes ${sha256.slice(0, 4)}, which was never judged`;
    if (decisive?.truth === 'unclear') return `passes over an unclear analysis: ${describe(decisive)}`;
    return decisive && isCounting(decisive, run, world) ? `passes a CRITICAL: ${describe(decisive)}` : [];
  });
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
function forgottenIssues(run: Run, world: World): string[] {
  if (['github', 'checkout', 'bad-input'].includes(run.reason)) return [];
  return run.contents.flatMap((sha256) => {
    for (const each of knownTo(run, sha256)) {
      if (run.downloaded.some((saved) => hasJudged(saved, each, run)))
        return isCounting(each, run, world) ? `forgets a last known CRITICAL: ${describe(each)}` : [];
      if (readableFrom(each) <= (run.endedAt ?? now())) return [];
    }
    return [];
  });
}

/** What the service has said against files of a run whose error is accepted. */
function reportedAgainst(run: Run, world: World): string[] {
  const newest = run.contents.flatMap((sha256) => knownTo(run, sha256).slice(0, 1));
  const last = new Map(
    exchangesOf(run, world).flatMap(({ line, status, body }) => (status === 200 ? [[line, body]] : [])),
  );
  return newest.flatMap((each) => {
    const { submission, asset } = each;
    const said = [...last].flatMap(([line, body]) => {
      const { submissionId, status, assets = [] } = Object(body);
      return line.endsWith('/retry') || String(submissionId).toLowerCase() !== submission.id ? [] : { status, assets };
    });
    const entries: Readonly<Record<string, unknown>>[] = said.flatMap(({ assets }) => assets);
    const own = entries.filter(({ assetId }) => String(assetId).toLowerCase() === asset.id);
    const isAnalysed = !isUnread(each, run);
    const isRead = run.report?.contents.some(({ sha256, outcome }) => sha256 === asset.sha256 && outcome === 'result');
    const known = isAnalysed ? asset.issues.length : 0;
    const about = isAnalysed ? own : entries;
    return [
      ...(!isAnalysed && said.some(({ status }) => status === 'failed')
        ? ['accepts an error with a failed submission']
        : []),
      ...(about.some(({ errorMessage }) => errorMessage) ? ['accepts an error with a text'] : []),
      ...(!isRead && own.some(({ issueCount }) => Number(issueCount) > known)
        ? ['accepts an error with a count of issues']
        : []),
    ];
  });
}

/** A run without any trouble ends with a verdict, fails only because of an issue, and does what it can before. */
function brokenFailures(run: Run, world: World): string[] {
  const { verdict, reason, startedAt, endedAt = now() } = run;
  if (run.isCancelled || run.faults > 0 || run.options.uploads !== undefined) return [];
  const known = run.contents.map((sha256) => knownTo(run, sha256));
  const decisive = known.map((each) => decisiveOf(each, run));
  if (known.every(([newest], index) => newest?.truth === 'result' && newest === decisive[index])) {
    if (verdict === 'error') return [`ends with an error of ${reason} without any trouble`];
    const isEverCounting = !world.waives(run) && decisive.some((each) => each && hasCritical(each, true));
    return verdict === 'fail' && !isEverCounting ? ['fails without a CRITICAL'] : [];
  }
  const waitMinutes = Number(run.options.inputs?.['wait-timeout-minutes'] ?? 30);
  if (reason === 'timeout' && endedAt - startedAt < waitMinutes * 60) return ['gives up before its deadline'];
  const retried = exchangesOf(run, world).map(({ line }) => line.toLowerCase());
  return known.flatMap(([newest], index) => {
    if (newest?.truth !== 'retryable' || decisive[index] || verdict !== 'error') return [];
    const { submission, asset } = newest;
    const isLate = submission.assets.some(({ phases }) =>
      phases.some(({ from }) => from > endedAt - 60 && from < endedAt),
    );
    const same = world.service.assets.filter(({ sha256 }) => sha256 === asset.sha256);
    const isRetried = same.some(({ id }) => retried.some((line) => line.endsWith(`${id}/retry`)));
    return isRetried || isLate ? [] : `does not retry ${describe(newest)}`;
  });
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

/** What a run knows of a content from the states that it has read, and by its own creation. Newest first. */
function knownTo(run: Run, sha256: string): readonly Known[] {
  const own = run.created.flatMap((submission) => asKnown(submission, sha256, run));
  return [...own, ...knownFrom(run.downloaded, sha256, run)].toSorted(newestFirst);
}

/** What these states hold of a content: its newest analysis, and the submissions in which it was sent since. */
function knownFrom(states: readonly Saved[], sha256: string, run: Run): readonly Known[] {
  let newestAnalysis = 0;
  const held = states.flatMap(({ knows, by, at }) => {
    const sent = [...knows].filter(({ assets }) => assets.some((asset) => asset.sha256 === sha256));
    const analysed = sent.filter((submission) => {
      return submission.key === by.key && asKnown(submission, sha256, by).some((each) => readableFrom(each) <= at);
    });
    const newest = Math.max(0, ...analysed.map(({ createdAt }) => createdAt));
    if (by.key === run.key) newestAnalysis = Math.max(newestAnalysis, newest);
    return sent.filter(({ createdAt }) => createdAt >= newest);
  });
  const needed = [...new Set(held)].filter(({ createdAt }) => createdAt >= newestAnalysis && createdAt < run.startedAt);
  return needed.flatMap((submission) => asKnown(submission, sha256, run)).toSorted(newestFirst);
}

function newestFirst(a: Known, b: Known): number {
  return b.submission.createdAt - a.submission.createdAt;
}

/** Nothing if the submission is of another workspace. */
function asKnown(submission: Submission, sha256: string, run: Run): readonly Known[] {
  const asset = submission.assets.find((each) => each.sha256 === sha256);
  if (!asset || submission.key !== run.key) return [];
  const days = (run.startedAt - submission.createdAt) / DAY;
  return [{ submission, asset, truth: truthOf(submission, asset, run), days }];
}

function truthOf(submission: Submission, asset: Asset, { startedAt, endedAt = now() }: Run): Truth {
  if (submission.createdAt >= startedAt) return truthAt(submission, asset, endedAt);
  const changes = [
    ...submission.assets.flatMap(({ phases }) => phases.map(({ from }) => from + asset.lag)),
    submission.deletedAt,
  ];
  const moments = [startedAt, endedAt, ...changes.filter((each) => each >= startedAt && each <= endedAt)];
  const truths = new Set(moments.map((time) => truthAt(submission, asset, time)));
  const [truth = 'changing'] = truths;
  return truths.size === 1 ? truth : 'changing';
}

function truthAt(submission: Submission, asset: Asset, time: number): Truth {
  if (submission.deletedAt <= time) return 'missing';
  const others = submission.assets.filter((each) => each !== asset).map((each) => each.at(time).status);
  // A submission with a status that nobody knows never ends, so the page does not say what its other files are.
  if (others.some((status) => !['processing', 'complete', 'failed'].includes(status))) return 'changing';
  // Only once a submission has ended, the status of an asset decides, and something can contradict its files.
  if (others.includes('processing')) return 'working';
  const { status, from } = asset.at(time);
  if (status === 'processing' || (status === 'complete' && time < from + asset.lag)) return 'working';
  if (status === 'failed') return asset.course.retry ? 'retryable' : 'failed';
  return status === 'complete' && isClear(submission, asset, time) ? 'result' : 'unclear';
}

function isClear(submission: Submission, asset: Asset, time: number): boolean {
  const { miscounts = 0, hasTwin } = asset.flawsAt(time);
  return miscounts === 0 && !hasTwin && !isStrayed(submission, time);
}

/** When its result could be read for the first time. */
function readableFrom({ asset, submission }: Pick<Known, 'asset' | 'submission'>): number {
  const done = asset.phases.find(({ status, from }) => status === 'complete' && isClear(submission, asset, from));
  const isReadable = done && done.from + asset.lag <= submission.deletedAt;
  return isReadable ? done.from + asset.lag : Number.POSITIVE_INFINITY;
}

/** Whether no run that has ended can have read the result. */
function isUnread(known: Known, run: Run): boolean {
  const readers = run.earlier.filter((each) => each.knows.has(known.submission));
  return readers.every(({ endedAt = now() }) => endedAt < readableFrom(known));
}

/** Whether an issue must stop the check: an open CRITICAL that nobody has ever closed, and that may be neither known nor waived. */
function isCounting(known: Known, run: Run, world: World): boolean {
  const isCompared = run.options.inputs?.['fail-on-issues'] === 'new' && baselineOf(run) !== undefined;
  return !isCompared && !world.waives(run) && hasCritical(known);
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
