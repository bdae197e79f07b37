import { hash } from 'node:crypto';
import { png } from '../harness/media.ts';
import type { Asset, Submission } from './asset.ts';
import { DAY, now, pass } from './clock.ts';
import { decide, type Outcome, type Past, type RunKind } from './reference.ts';

import { type Run, World } from './world.ts';

/** Lives of one file through the front door, each compared with the reference. */

/** A case: what is past, oldest last, and the run that finds it. */
export interface Case {
  readonly pasts: readonly Past[];
  readonly kind: RunKind;
}

const OPEN: readonly Outcome[] = ['result', 'working', 'unread', 'unclear', 'retryable', 'failed', 'missing'];
const ANALYSED: readonly Outcome[] = ['result', 'last-known', 'unclear', 'missing'];
const DAYS = [1, 8, 100];
const KINDS: readonly RunKind[] = [
  { attempt: 1, reuseDays: 90 },
  { attempt: 2, reuseDays: 90 },
  { attempt: 1, reuseDays: 0 },
  { attempt: 2, reuseDays: 0 },
];

/** Every combination of one or two submissions, their outcomes, their ages, and the kind of run. */
export function allCases(): readonly Case[] {
  const open = OPEN.map((outcome) => ({ kind: 'open', outcome }) as const);
  const analysed = ANALYSED.map((outcome) => ({ kind: 'analysed', outcome }) as const);
  const isOwn = true;
  const one = aged([...open, ...analysed]).map((past) => [past]);
  const two = aged(open).flatMap((past) => {
    const older = aged([...open, ...analysed]).filter(({ days }) => days > past.days);
    return older.map((each) => [past, each]);
  });
  const all = [...one, ...two].flatMap((pasts) => KINDS.map((kind) => ({ pasts, kind })));
  // A re-run of a run with `reuse-days: 0` is one of the run that has sent the newest submission.
  const own = all.map(({ pasts: [newest, ...older], kind }) => {
    const isOfOwn = kind.attempt > 1 && kind.reuseDays === 0;
    return { kind, pasts: newest ? [isOfOwn ? { ...newest, isOwn } : newest, ...older] : [] };
  });
  return own;
}

function aged(pasts: readonly Omit<Past, 'days'>[]): readonly Past[] {
  return pasts.flatMap((past) => DAYS.map((days) => ({ ...past, days })));
}

const FILE = new Map([['a.png', png('a')]]);
const MAIN = { branch: 'main', commit: hash('sha1', 'main'), tree: FILE };
/** How many MINOR issues the analysis of each submission has, so that they can be told apart. */
const ISSUES = [3, 2];

/** Lives through a case. Returns what the reference expects and what has happened, each as a line. */
export async function play({ pasts, kind }: Case): Promise<readonly [expected: string, happened: string, run: Run]> {
  await using world = new World();
  const { service } = world;
  const submissions: Submission[] = [];
  const end = now() + 200 * DAY;
  for (const [nth, { kind, days }] of pasts.toReversed().entries()) {
    await pass(end - days * DAY - now());
    // Of a file that was not analysed, a run with `reuse-days: 0` sends only an unclear one once more.
    for (const [index, { assets }] of submissions.entries())
      if (pasts[pasts.length - nth + index]?.kind === 'open') become(assets[0], 'unclear');
    const finds = Array<string>(ISSUES[pasts.length - 1 - nth] ?? 0).fill('MINOR');
    service.courseOf = () => ({ takes: kind === 'open' ? Number.MAX_SAFE_INTEGER : 0, finds });
    const run = await world.run({ ...MAIN, id: 1 + nth, inputs: { 'wait-timeout-minutes': '1', 'reuse-days': '0' } });
    submissions.unshift(...run.created);
    if (submissions.length <= nth)
      return ['nothing', `a run that should have sent the file did not: ${run.reason} ${run.lines.join(' | ')}`, run];
  }
  await pass(end - now());
  for (const [index, { outcome }] of pasts.entries()) {
    const submission = submissions[index];
    if (submission && outcome === 'missing') submission.deletedAt = now();
    if (submission && (outcome === 'unread' || outcome === 'last-known'))
      service.faults.push({ on: new RegExp(submission.id, 'i'), how: 503 });
    become(submission?.assets[0], outcome);
  }
  service.courseOf = () => ({ finds: ['INFO'] });
  const { attempt, reuseDays } = kind;
  const id = pasts[0]?.isOwn ? pasts.length : 10;
  const inputs = { 'wait-timeout-minutes': '10', 'reuse-days': String(reuseDays) };
  const run = await world.run({ ...MAIN, id, attempt, inputs });
  return [expectation(decide(pasts, kind), pasts), happening(run), run];
}

function become(asset: Asset | undefined, outcome: Outcome): void {
  if (!asset) return;
  const statuses: Partial<Record<Outcome, string>> = { working: 'processing', retryable: 'failed', failed: 'failed' };
  asset.phases.length = 1;
  asset.phases.push({ from: now(), status: statuses[outcome] ?? 'complete', retries: 0 });
  const retry = outcome === 'retryable' ? { ends: 'failed', isRefused: true } : undefined;
  Object.assign(asset.course, { miscounts: outcome === 'unclear' ? 1 : 0, retry });
}

function expectation(decision: ReturnType<typeof decide>, pasts: readonly Past[]): string {
  if (decision.source === 'sent') return 'sent';
  if ('reason' in decision) return decision.reason;
  return `judged by ${ISSUES[pasts.indexOf(decision.judgedBy)]} issues`;
}

function happening({ created, verdict, reason, outputs }: Run): string {
  if (created.length > 0) return 'sent';
  return verdict === 'error' ? reason : `judged by ${outputs.get('minor-count')} issues`;
}

/** A case as a sentence. */
export function describeCase({ pasts, kind }: Case): string {
  const each = pasts.map(({ kind, outcome, days }) => `${kind} ${days} days ago, now ${outcome}`);
  return `attempt ${kind.attempt}, reuse-days ${kind.reuseDays}: ${each.join('; before that ')}`;
}
