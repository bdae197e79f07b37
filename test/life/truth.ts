import { type Asset, STRAY, type Submission } from './asset.ts';
import { DAY, now } from './clock.ts';
import { isSameGate, type Run, type Saved } from './run.ts';

/** What a run can know of a file, and what is true of it while the run lasts. */

/** What one submission of a content is. `changing`: not the same all the time. */
type Truth = 'result' | 'working' | 'retryable' | 'failed' | 'unclear' | 'missing' | 'changing';

export interface Known {
  readonly submission: Submission;
  readonly asset: Asset;
  readonly truth: Truth;
  readonly days: number;
}

/** What a run knows of a content from the states that it must have read, and by its own creation. Newest first. */
export function knownTo(run: Run, sha256: string): readonly Known[] {
  const own = run.created.flatMap((submission) => asKnown(submission, sha256, run));
  return [...own, ...knownFrom(statesOf(run), sha256, run)].toSorted(newestFirst);
}

/** The states that a run has read and, unless GitHub failed, those of its branch that it must always read. */
export function statesOf(run: Run): readonly Saved[] {
  const { event = 'push', branch } = run.options;
  const slot = event === 'push' || event === 'schedule' ? '-state-' : '-pull-';
  const ofBranch = run.listed.filter(
    ({ by, name }) => by.options.branch === branch && isSameGate(by, run) && name.includes(slot),
  );
  const last = ofBranch.at(-1);
  const newestRun = Math.max(...ofBranch.map(({ by }) => by.options.id));
  const newest = ofBranch.findLast(({ by }) => by.options.id === newestRun);
  const nearest = run.faults > 0 ? [] : [newest, last];
  return [...new Set([...run.read, ...nearest.filter((each) => each !== undefined)])];
}

/** What these states hold of a content: its newest analysis, and the submissions in which it was sent since. */
export function knownFrom(states: readonly Saved[], sha256: string, run: Run): readonly Known[] {
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

/** Whether the counts agree, and no asset of no file is called like this one or has an issue. */
function isClear({ assets }: Submission, asset: Asset, time: number): boolean {
  const others = assets.filter((each) => !each.isOfFile && each.isListed(time));
  const isSpoilt = others.some(({ name, issues }) => name === asset.name || (name === STRAY && issues.length > 0));
  return asset.miscounts(time) === 0 && !isSpoilt;
}

/** When its result could be read for the first time. */
export function readableFrom({ asset, submission }: Pick<Known, 'asset' | 'submission'>): number {
  const done = asset.phases.find(({ status, from }) => status === 'complete' && isClear(submission, asset, from));
  const isReadable = done && done.from + asset.lag <= submission.deletedAt;
  return isReadable ? done.from + asset.lag : Number.POSITIVE_INFINITY;
}
