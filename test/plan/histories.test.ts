import { expect } from 'vitest';
import type { ContentRecord } from '../../src/state/document.ts';
import { issue } from '../builders/analyses.ts';
import { it } from '../builders/fake-time.ts';
import { LIMITED, type Reply, response, type Said, steps } from '../builders/service.ts';
import { analysed, daysAgo, open } from '../builders/states.ts';
import { type Run, runOnce } from './one-run.ts';

const CRITICAL = issue({ id: 'i1' });
const RETRYABLE = { errorMessage: 'Dark.', isRetryable: true };
const FINAL = { errorMessage: 'Dark.' };
const CLEAN: Said = { listed: { A: { issueCount: 0 } } };
const CRITICAL_NOW: Said = { listed: { A: { issueCount: 1 } }, 'A/issues': [CRITICAL] };
const WORKING: Said = { status: 'processing', listed: { A: {} }, A: 'processing' };
const BROKEN: Said = { status: 'failed', listed: { A: FINAL }, A: 'failed' };
const REFUSED: Said = { status: 'failed', listed: { A: RETRYABLE }, A: 'failed', 'A/retry': 409 };
const GONE: Said = { status: 404 };
const DOWN: Said = { status: 503 };
const PAGE = { ...response(403), text: '<html><h1>Forbidden</h1></html>' };

const S = open('s', ['A']);
const KNOWN = [analysed('A', { submissionId: 's' })];
const KNOWN_CRITICAL = [analysed('A', { submissionId: 's', issues: [CRITICAL] })];
const NEWER = open('n', ['A'], { at: daysAgo(0.5) });
const OLD = open('s', ['A'], { at: daysAgo(9) });

/** The files are judged by what the service says about earlier submissions; `files` and the verdict under `warn`. */
// biome-ignore format: a table
it.for<[string, readonly ContentRecord[], Readonly<Record<string, Said>>, files: string, verdict: string, Run?]>([
  ['a complete asset without a count, and an empty list', S, { s: { listed: { A: {} }, 'A/issues': [] } },
    'awaited unclear', 'error results red'],
  ['a result that came after the run, with reuse-days: 0', S, { s: CLEAN }, 'awaited result', 'pass green',
    { reuseDays: 0 }],
  ['a file that failed in the newest submission, while an older one has a result', [...S, ...NEWER],
    { s: CLEAN, n: BROKEN }, 'awaited result', 'pass green'],
  ['the newest analysis is missing beside an open submission that works', [...KNOWN, ...NEWER],
    { s: GONE, n: WORKING }, 'awaited working', 'error timeout green'],
  ['a retry runs, and the record is nine days old', OLD, { s: { ...WORKING, listed: { A: { retryCount: 1 } } } },
    'awaited working', 'error timeout green'],
  ['a status that the contract does not have', S, { s: { ...WORKING, status: 'paused' } }, 'awaited unclear',
    'error results red'],
  ['an unclear file while the service is out', S, { s: { status: 'failed', listed: { A: {} }, A: 503 } },
    'awaited unread', 'error service red'],
  ['a missing asset that the list calls complete', S, { s: { ...CLEAN, A: 404 } }, 'awaited unclear',
    'error results red'],
  ['an empty list for an analysed file', KNOWN, { s: { listed: {} } }, 'reused unclear', 'error results red'],
  ['an asset of a strange name beside a file that was analysed before', KNOWN,
    { s: { listed: { A: { issueCount: 0 }, x: { issueCount: 1 } }, x: { filename: 'poster.jpg' } } },
    'reused result', 'pass green'],
  ['an asset of a strange name beside a file without a result', S,
    { s: { listed: { A: { issueCount: 0 }, x: { issueCount: 1 } }, x: { filename: 'poster.jpg' } } },
    'awaited unclear', 'error results red'],
  ['a firewall before every read', S, { s: { status: PAGE } }, 'awaited unread', 'error service green'],
  ['an outage', S, { s: DOWN }, 'awaited unread', 'error service green'],
  ['an outage, and no issue is known', KNOWN, { s: DOWN }, 'reused last-known', 'pass green'],
  ['an outage, and a CRITICAL is known', KNOWN_CRITICAL, { s: DOWN }, 'reused last-known', 'fail issues red'],
  ['an outage of a newer submission, and a CRITICAL is known', [...KNOWN_CRITICAL, ...NEWER], { s: CLEAN, n: DOWN },
    'awaited unread', 'fail issues red'],
  ['a known CRITICAL that is dismissed now', KNOWN_CRITICAL,
    { s: { listed: { A: { issueCount: 1 } }, 'A/issues': [{ ...CRITICAL, status: 'DISMISSED' }] } },
    'reused result', 'pass green'],
  ['an issue that was re-opened', KNOWN, { s: CRITICAL_NOW }, 'reused result', 'fail issues red'],
  ['an issue of a newer submission that lacks a fact', [...KNOWN, ...NEWER],
    { s: CLEAN, n: { listed: { A: { issueCount: 2 } }, 'A/issues': [CRITICAL] } }, 'awaited unclear', 'fail issues red'],
  ['an issue of a newer submission in which the file failed', [...KNOWN, ...NEWER],
    { s: CLEAN, n: { ...BROKEN, A: { status: 'failed', issues: [CRITICAL] } } }, 'reused result', 'fail issues red'],
  ['a rate limit in a newer submission', [...KNOWN, ...NEWER], { s: CLEAN, n: { status: LIMITED } }, 'awaited unread',
    'error service green'],
  ['with reuse-days: 0, an older result beside a newer analysis that goes on', [...S, ...NEWER],
    { s: CLEAN, n: WORKING }, 'awaited working', 'error timeout green', { reuseDays: 0 }],
  ['nothing of the asset of a sandbox', KNOWN, { s: { listed: { A: {} }, A: 404 } }, 'reused result', 'pass green',
    { mode: 'sandbox' }],
])('%s', async ([, records, says, files, verdict, run]) => {
  expect(await runOnce(records, says, run)).toMatchObject({ files, verdict, bills: 0 });
});

it('what another API key has sent is sent again only if the service refuses to show it', async () => {
  const ofOther = open('s', ['A'], { isOfOtherKey: true });
  expect(await runOnce(ofOther, { s: { status: 403 }, created: CLEAN })).toMatchObject({
    bills: 1,
    verdict: 'pass green',
  });
  expect(await runOnce(ofOther, { s: DOWN })).toMatchObject({ bills: 0, files: 'awaited unread' });
  expect(await runOnce(S, { s: { status: 403 } })).toMatchObject({ bills: 0, files: 'awaited unread' });
});

it('the same bytes were analysed twice: the older, clean analysis never hides the newer one', async () => {
  const older = analysed('A', { submissionId: 'o', at: daysAgo(2) });
  const both = [older, ...KNOWN_CRITICAL];
  for (const said of [{ listed: {} }, DOWN]) {
    const { verdict, bills, saved } = await runOnce(both, { o: CLEAN, s: said });
    expect([verdict, bills]).toEqual(['fail issues red', 0]);
    expect((await runOnce(saved, { o: CLEAN, s: CRITICAL_NOW })).verdict).toBe('fail issues red');
  }
  const gone = await runOnce(both, { o: CLEAN, s: GONE, created: WORKING });
  expect([gone.verdict, gone.bills]).toEqual(['fail issues red', 1]);
});

/** The retry is accepted at once and shows after so many seconds. It ends after another minute. */
function retriedAfter(seconds: number): Said {
  return {
    status: steps('failed', [seconds, 'processing'], [seconds + 60, 'complete']),
    listed: steps<Record<string, object>>({ A: RETRYABLE }, [seconds, { A: { retryCount: 1, issueCount: 0 } }]),
    A: steps('failed', [seconds, 'processing'], [seconds + 60, 'complete']),
    'A/retry': steps<Reply>({ submissionId: 's' }, [1, 409]),
  };
}

it.for([140, 300])('after a cancel, a retry that shows only after %i s bills nothing in a re-run', async (seconds) => {
  const hidden: Said = { ...REFUSED, listed: { A: { ...RETRYABLE, retryCount: 0 } } };
  const again = await runOnce(S, { s: hidden }, { isRerun: true });
  expect(again).toMatchObject({ files: 'awaited retryable', verdict: 'error asset-failed red', bills: 0 });
  const last = await runOnce(again.saved, { s: { ...retriedAfter(seconds), 'A/retry': 409 } }, { isRerun: true });
  expect(last.bills).toBe(0);
  expect((await runOnce(last.saved, { s: CLEAN }, { isRerun: true })).verdict).toBe('pass green');
});

it('a retry that goes on in another submission is awaited there, and in the next run', async () => {
  const says: Record<string, Said> = { s: { ...REFUSED, 'A/retry': { submissionId: 't' } }, t: WORKING };
  const first = await runOnce(S, says);
  expect(first).toMatchObject({ files: 'awaited working', verdict: 'error timeout red', bills: 0 });
  expect(first.saved.map(({ submissionId }) => submissionId)).toEqual(['t', 's']);
  const second = await runOnce(first.saved, { ...says, t: CRITICAL_NOW }, { isRerun: true });
  expect(second).toMatchObject({ verdict: 'fail issues red', bills: 0 });
  expect(second.saved).toMatchObject([{ kind: 'analysed', submissionId: 't' }]);
});

it('one asset of twenty that gets no response in every run does not keep the others from being read', async () => {
  const seeds = Array.from({ length: 20 }, (_, index) => `F${index}`);
  const listed = Object.fromEntries(seeds.map((seed) => [seed, { issueCount: 0 }]));
  const first = await runOnce(open('s', seeds), { s: { listed, F7: 500 } }, { seeds });
  expect(first.files.split(', ').filter((each) => each !== 'awaited result')).toEqual(['awaited unread']);
  const second = await runOnce(first.saved, { s: { listed, F7: 500 } }, { seeds });
  expect([first.verdict, second.verdict, first.bills + second.bills]).toEqual([
    'error service green',
    'error service green',
    0,
  ]);
  // The files that have a result now are not read again.
  expect(second.asked.filter((path) => path.startsWith('s/') && path !== 's/F7')).toEqual([]);
});

it('an empty list for 500 analysed files sends nothing, and reads none of them', async () => {
  const seeds = Array.from({ length: 500 }, (_, index) => `F${index}`);
  const records = seeds.map((seed) => analysed(seed, { submissionId: 's' }));
  const { bills, asked, verdict } = await runOnce(records, { s: { listed: {} } }, { seeds });
  expect([bills, verdict, new Set(asked).size]).toEqual([0, 'error results red', 1]);
});

const isUrgent = (seed: string): boolean => seed === 'F999';
const issueOf = (seed: string) => issue({ id: `i-${seed}`, severity: isUrgent(seed) ? 'CRITICAL' : 'MINOR' });

it('1,000 reused files with issues under 60 reads a minute end within five minutes, urgent ones first', async () => {
  const seeds = Array.from({ length: 1_000 }, (_, index) => `F${index}`);
  const records = seeds.map((seed) => analysed(seed, { submissionId: 's', issues: [issueOf(seed)] }));
  const listed = Object.fromEntries(seeds.map((seed) => [seed, { issueCount: 1 }]));
  let inMinute = 0;
  let minute = -1;
  const limited =
    (seed: string) =>
    (seconds: number): Reply => {
      if (Math.floor(seconds / 60) !== minute) {
        minute = Math.floor(seconds / 60);
        inMinute = 0;
      }
      inMinute += 1;
      if (inMinute > 60) return response(429, {}, String(60 - Math.floor(seconds % 60)));
      return response(200, [{ ...issueOf(seed), ...(isUrgent(seed) && { status: 'DISMISSED' }) }]);
    };
  const lists = Object.fromEntries(seeds.map((seed) => [`${seed}/issues`, limited(seed)]));
  const { minutes, verdict, files, bills, contents } = await runOnce(records, { s: { listed, ...lists } }, { seeds });
  expect([verdict, bills]).toEqual(['pass green', 0]);
  expect(minutes).toBeLessThanOrEqual(5.2);
  const outcomes = Map.groupBy(files.split(', '), (each) => each);
  expect(outcomes.get('reused result')?.length).toBeGreaterThan(200);
  expect(outcomes.get('reused last-known')?.length).toBeGreaterThan(500);
  // The report says why the last known issues of these files count.
  const lastKnown = contents.filter(({ outcome }) => outcome === 'last-known');
  const reasons = new Set(lastKnown.map(({ analysis }) => analysis?.cause?.reason));
  expect([...reasons]).toEqual(['timeout']);
  const dismissed = contents.flatMap(({ issues }) => issues).filter(({ standing }) => standing === 'ignored');
  expect(dismissed.map(({ id }) => id)).toEqual(['i-F999']);
});
