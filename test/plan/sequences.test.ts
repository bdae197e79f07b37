import { expect } from 'vitest';
import { nothingFound } from '../../src/findings.ts';
import { ConnectionError } from '../../src/http/http.ts';
import type { Policy } from '../../src/inputs/parse.ts';
import { awaitedSubmissions } from '../../src/plan/plan.ts';
import { earlierAnalyses, queryEarlier } from '../../src/plan/query.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import { createReader } from '../../src/service/reader.ts';
import { analysisId, type ContentRecord } from '../../src/state/document.ts';
import { mergeState } from '../../src/state/merge.ts';
import { NO_HISTORY } from '../../src/state/store.ts';
import { judge } from '../../src/verdict/judge.ts';
import { issue } from '../builders/analyses.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { file } from '../builders/media.ts';
import { deadlineIn, LIMITED, type Reply, response, type Said, serviceOf, steps } from '../builders/service.ts';
import { analysed, basis, daysAgo, failed, NOW, open } from '../builders/states.ts';

/** What the parts of a run do together: plan, wait, judge and save, in the order of `run.ts`. */

const POLICY: Policy = {
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: ['DISMISSED'],
  onServiceError: 'warn',
};
const CRITICAL = issue({ id: 'i1' });
const RETRYABLE = { errorMessage: 'Dark.', isRetryable: true };

interface Run {
  readonly isRerun?: boolean;
  readonly seeds?: readonly string[];
  readonly reuseDays?: number;
  readonly mode?: Mode;
}

/** One run over files that earlier runs have recorded, with the submissions that the service has. */
async function runOnce(
  records: readonly ContentRecord[],
  says: Readonly<Record<string, Said>>,
  { seeds = ['A'], mode = 'live', ...rules }: Run = {},
) {
  const service = serviceOf(says, { mode });
  const files = seeds.map((seed) => file(`${seed.toLowerCase()}.png`, seed));
  const first = basis(files, { contents: [...records] }, rules);
  const { value } = await inFakeTime(async () => {
    const reader = createReader(service);
    const history = { ...NO_HISTORY, earlierState: first.earlierState };
    const { responses, plan, reused } = await queryEarlier(history, {
      reader,
      failOnSeverity: 'CRITICAL',
      basisOf: (earlierState) => ({ ...first, earlierState }),
      load: async () => NO_HISTORY,
      startDeadline: () => deadlineIn(5),
    });
    const before = [...earlierAnalyses(plan, responses, mode === 'sandbox'), ...reused];
    const submissions = awaitedSubmissions(plan, first.earlierState);
    const results = await reader.read(submissions, { deadline: deadlineIn(30), isPolled: true });
    const waited = results.flatMap(({ analyses }) => analyses);
    const again = new Set(waited.map((each) => analysisId({ ...each.content, ...each })));
    const analyses = before.filter((each) => !again.has(analysisId({ ...each.content, ...each })));
    const read = before.flatMap(({ issues }) => issues.map(({ id }) => id));
    return { plan, submissions, read, analyses: [...analyses, ...waited] };
  });
  const { contents, lost } = value.plan;
  const rest = { foundPaths: ['a.png'], comparedWith: undefined, waived: [], sidekicks: '', reuseDays: 90, now: NOW };
  return {
    saved: mergeState(first.earlierState, { ...value, contents, lost, ...rest }).contents,
    verdict: judge({ ...nothingFound(), ...value }, POLICY),
    plan: value.plan,
    sources: contents.map(({ source }) => source.kind).join(' '),
    outcomes: value.analyses.map(({ outcome }) => outcome).join(' '),
    analyses: value.analyses,
    /** The issues that were read before the wait. */
    read: value.read,
  };
}

it('a re-run awaits a failed file whose retry an earlier run has requested', async () => {
  const retried: Said = {
    status: 'failed',
    'A/retry': { submissionId: 's' },
    A: steps('failed', [1, 'processing']),
    listed: steps<Record<string, object>>({ A: RETRYABLE }, [1, { A: { retryCount: 1 } }]),
  };
  const one = await runOnce([failed('A', { submissionId: 's' })], { s: retried });
  expect(one.verdict.causes).toMatchObject([{ reason: 'results', submission: 'open' }]);
  const later: Said = { status: 'failed', listed: { A: { retryCount: 1 } }, A: 'processing' };
  expect((await runOnce(one.saved, { s: later }, { isRerun: true })).sources).toBe('awaited');
  const old = [failed('A', { submissionId: 's', at: daysAgo(30) })];
  expect((await runOnce(old, { s: later })).sources).toBe('sent');
  const complete = { ...later, status: 'complete' };
  expect((await runOnce(old, { s: complete })).sources).toBe('failed');
  expect((await runOnce(old, { s: complete }, { isRerun: true })).sources).toBe('sent');
});

const FOR_EVER: Said = { status: 'processing', listed: { A: {} }, A: 'processing' };
const REFUSED: Said = { status: 'failed', listed: { A: RETRYABLE }, A: 'failed', 'A/retry': 400 };
const MOVED: Said = { ...REFUSED, 'A/retry': { submissionId: 't' } };

it.for<[string, Said, Run]>([
  ['work that never ends', FOR_EVER, {}],
  ['work that never ends, in a re-run', FOR_EVER, { isRerun: true }],
  ['work that never ends, with reuse-days: 0', FOR_EVER, { reuseDays: 0 }],
  ['work in a failed submission', { ...FOR_EVER, status: 'failed' }, {}],
  ['a retry that is never accepted', REFUSED, {}],
  ['a retry that goes on elsewhere', MOVED, {}],
  ['a retry that is accepted and has no effect', { ...REFUSED, 'A/retry': { submissionId: 's' } }, {}],
])('after seven days a file is sent again, whatever the service says: %s', async ([, said, rules]) => {
  const at = daysAgo(30);
  expect((await runOnce([failed('A', { submissionId: 's', at })], { s: said }, rules)).sources).toBe('sent');
  expect((await runOnce(open('s', ['A'], { at }), { s: said }, rules)).sources).toBe('sent');
});

const FAILED_NOW: Said = { listed: { A: { errorMessage: 'Dark.' } }, A: 'failed' };

it.for<[string, Said, number, string]>([
  ['it has failed in a complete submission', FAILED_NOW, 8, 'failed'],
  ['it has healed', { listed: { A: { issueCount: 0 } } }, 2, 'awaited'],
])('one 404 does not bill a file that failed before: %s', async ([, said, days, expected]) => {
  const status = steps<Reply>(404, [1, 'complete']);
  const records = [failed('A', { submissionId: 's', at: daysAgo(days) })];
  expect((await runOnce(records, { s: { ...said, status } }, { isRerun: days < 7 })).sources).toBe(expected);
});

it('a page of a gateway says nothing about a submission, so no file is sent, however old its record is', async () => {
  const page = { ...response(403), text: '<html><h1>Forbidden</h1></html>' };
  const at = daysAgo(8);
  expect((await runOnce(open('s', ['A'], { at }), { s: { status: page } })).sources).toBe('awaited');
  expect((await runOnce([failed('A', { submissionId: 's', at })], { s: { status: page } })).sources).toBe('failed');
});

it.for<[string, Said]>([
  ['unfinished', { A: 'processing' }],
  ['complete, and a fact is missing', { listed: { A: { issueCount: 2 } }, 'A/issues': [CRITICAL] }],
])('a re-run awaits a file that failed before and is now %s', async ([, said]) => {
  const records = [failed('A', { submissionId: 's' })];
  expect((await runOnce(records, { s: { listed: { A: {} }, ...said } }, { isRerun: true })).sources).toBe('awaited');
});

it('an issue of a newer analysis that lacks a fact is not hidden by an older analysis without issues', async () => {
  const records = [analysed('A', { submissionId: 'old', at: daysAgo(2) }), ...open('new', ['A'])];
  const old: Said = { listed: { A: { issueCount: 0 } } };
  const lacking: Said = { listed: { A: { issueCount: 2 } }, 'A/issues': [CRITICAL] };
  expect((await runOnce(records, { old, new: lacking })).verdict).toMatchObject({ name: 'fail' });
  const unread: Said = { listed: { A: { issueCount: 2 } }, 'A/issues': LIMITED };
  expect((await runOnce(records, { old, new: unread })).verdict).toMatchObject({ name: 'error', isPassing: false });
});

// biome-ignore format: a table
it.for<[string, Said, string]>([
  ['it has failed',
    { status: 'failed', listed: { A: { errorMessage: 'Dark.' } }, A: { status: 'failed', issues: [CRITICAL] } },
    'analysed failed'],
  ['two assets have the name of the file',
    { listed: { A: { issueCount: 1 }, x: { issueCount: 1 } }, A: { issues: [CRITICAL] },
      x: { filename: 'A.png', issues: [CRITICAL] } },
    'analysed open'],
])('an issue of a later submission counts beside an older analysis without issues: %s', async ([, said, kinds]) => {
  const old = analysed('A', { submissionId: 'old', at: daysAgo(40) });
  const says = { old: { listed: { A: { issueCount: 0 } } }, new: said };
  const { sources, verdict, saved } = await runOnce([old, ...open('new', ['A'])], says);
  expect([sources, verdict.name]).toEqual(['reused', 'fail']);
  expect(saved.map(({ kind }) => kind).toSorted().join(' ')).toBe(kinds);
  expect((await runOnce(saved, says)).verdict.name).toBe('fail');
});

it('in a failed submission, an issue of none of its files keeps the record open', async () => {
  const said: Said = {
    status: 'failed',
    listed: { x: { issueCount: 1 } },
    x: { filename: 'renamed.png' },
    'x/issues': [CRITICAL],
  };
  const { analyses, saved } = await runOnce(open('s', ['A']), { s: said });
  expect(analyses).toMatchObject([{ outcome: 'unjudged', prospect: 'no result' }]);
  expect(saved).toMatchObject([{ kind: 'open' }]);
});

it('an issue of a file that was saved as failed counts, though another is missing', async () => {
  const said: Said = { listed: { A: { issueCount: 2 } }, 'A/issues': [CRITICAL] };
  const { verdict, saved } = await runOnce([failed('A', { submissionId: 's' })], { s: said });
  expect(verdict.name).toBe('fail');
  expect(saved).toMatchObject([{ kind: 'failed' }]);
});

it('an issue of a file that was saved as failed counts, though it has failed again', async () => {
  const failing: Said = { listed: { A: { errorMessage: 'Dark.' } }, A: { status: 'failed', issues: [CRITICAL] } };
  expect((await runOnce([failed('A', { submissionId: 's' })], { s: failing })).verdict.name).toBe('fail');
});

it.for([1, 8])(
  'if the service takes one retry at a time, the wait retries what the plan could not (%i days)',
  async (days) => {
    let retriedAt = Number.NEGATIVE_INFINITY;
    const retried = new Set<string>();
    const retry = (name: string) => (now: number) => {
      if (now < retriedAt + 60) return 409;
      retriedAt = now;
      retried.add(name);
      return { submissionId: 's' };
    };
    const own = (name: string) => (now: number) =>
      retried.has(name) ? (now < retriedAt + 60 ? 'processing' : 'complete') : 'failed';
    const listed = (name: string) => (retried.has(name) ? { issueCount: 0, retryCount: 1 } : RETRYABLE);
    const said: Said = {
      status: 'failed',
      listed: () => ({ A: listed('A'), B: listed('B') }),
      A: own('A'),
      B: own('B'),
      'A/retry': retry('A'),
      'B/retry': retry('B'),
    };
    const at = daysAgo(days);
    const records = [failed('A', { submissionId: 's', at }), ...open('s', ['B'], { at })];
    expect((await runOnce(records, { s: said }, { seeds: ['A', 'B'] })).outcomes).toBe('judged judged');
  },
);

it('a file that is not listed yet has not failed while the retry of another one is running', async () => {
  const said: Said = {
    status: 'failed',
    'A/retry': { submissionId: 's' },
    A: steps('failed', [1, 'processing'], [9, 'complete']),
    listed: steps<Record<string, object>>({ A: RETRYABLE }, [3, { A: { issueCount: 0 }, B: { issueCount: 0 } }]),
  };
  const { outcomes } = await runOnce(open('s', ['A', 'B']), { s: said }, { seeds: ['A', 'B'] });
  expect(outcomes).toBe('judged judged');
});

it('a sandbox passes a reused file whose asset cannot be read any more', async () => {
  const said: Said = { listed: { A: { issueCount: null } }, A: 404 };
  const { verdict } = await runOnce([analysed('A', { submissionId: 's' })], { s: said }, { mode: 'sandbox' });
  expect(verdict.name).toBe('pass');
});

it('a file that stays unfinished in a complete submission is sent by a re-run, and the message says so', async () => {
  const stuck: Said = { listed: { A: {} }, A: 'processing' };
  const { sources, saved, verdict } = await runOnce(open('s', ['A'], { at: daysAgo(8) }), { s: stuck });
  expect(sources).toBe('failed');
  expect(verdict.causes[0]?.steps[0]).toMatchObject({
    text: expect.stringContaining('It sends and bills the same bytes again.'),
  });
  expect(verdict.causes[0]?.submission).toBe(undefined);
  expect((await runOnce(saved, { s: stuck }, { isRerun: true })).sources).toBe('sent');
});

it('a file whose analysis was cancelled at the service is sent only on request, however old it is', async () => {
  const cancelled: Said = { status: 'cancelled', listed: { A: RETRYABLE }, A: 'cancelled' };
  const { sources, saved } = await runOnce(open('s', ['A']), { s: cancelled });
  expect([sources, saved[0]?.kind]).toEqual(['failed', 'failed']);
  const old = [failed('A', { submissionId: 's', at: daysAgo(30) })];
  expect((await runOnce(old, { s: cancelled })).sources).toBe('failed');
  expect((await runOnce(saved, { s: cancelled }, { isRerun: true })).sources).toBe('sent');
});

const DOWN = new ConnectionError('connection refused', 'no access');
const PAGE = { ...response(403), text: '<html><h1>Forbidden</h1></html>' };

it('what was read of a reused file counts, though a later list lacks it', async () => {
  const records = [analysed('A', { submissionId: 's' })];
  const failing: Said = {
    status: steps<Reply>('complete', [10, DOWN]),
    listed: steps<Record<string, object>>({ A: { errorMessage: 'Dark.' } }, [3, {}]),
    A: steps<Reply>('failed', [3, 404]),
  };
  expect((await runOnce(records, { s: failing })).verdict.name).toBe('error');
  const counting: Said = {
    status: steps<Reply>('processing', [1, 'complete']),
    listed: steps<Record<string, object>>({ A: { issueCount: 1 } }, [1, {}]),
    A: { issueCount: 0 },
    'A/issues': [],
  };
  expect((await runOnce(records, { s: counting })).verdict.name).toBe('error');
});

it('an issue that was read counts, though a retry brings the submission back to work', async () => {
  const said: Said = {
    status: steps('complete', [1, 'processing']),
    listed: { A: { issueCount: 1 }, B: RETRYABLE },
    'A/issues': [CRITICAL],
    B: 'failed',
    'B/retry': 504,
  };
  const records = ['A', 'B'].map((seed) => failed(seed, { submissionId: 's' }));
  expect((await runOnce(records, { s: said }, { seeds: ['A', 'B'] })).read).toContain('i1');
});

it.for([DOWN, PAGE])(
  'no file is sent because another asset of its submission could not be read (%#)',
  async (reply) => {
    const said: Said = { status: 'failed', listed: { A: { issueCount: 0 }, B: { issueCount: 0 } }, B: reply };
    const records = open('s', ['A'], { at: daysAgo(8) });
    expect((await runOnce(records, { s: said })).sources).toBe('awaited');
    expect((await runOnce(records, { s: { ...said, status: 'complete' } })).sources).toBe('awaited');
  },
);

it.for<[string, Said]>([
  ['in a complete submission', { A: 'processing' }],
  ['in one that is at work', { status: 'processing', A: 404 }],
])('a re-run awaits a young file that is at work, though a file of its submission is old: %s', async ([, said]) => {
  const records = [failed('A', { submissionId: 's' }), failed('B', { submissionId: 's', at: daysAgo(8) })];
  const says = { s: { listed: { A: {}, B: { issueCount: 0 } }, ...said } };
  expect((await runOnce(records, says, { isRerun: true, seeds: ['A', 'B'] })).plan.contents[0]?.source.kind).toBe(
    'awaited',
  );
});

it('a retry whose response was lost is awaited, though a new asset shows its effect', async () => {
  const said: Said = {
    status: 'failed',
    'A/retry': 504,
    A: 'failed',
    listed: steps<Record<string, object>>({ A: RETRYABLE }, [1, { x: { retryCount: 1 } }]),
    x: { filename: 'A.png', status: 'processing' },
  };
  const records = [failed('A', { submissionId: 's', at: daysAgo(8) })];
  expect((await runOnce(records, { s: said })).sources).toBe('awaited');
});

it('a submission with assets of other files has assets', async () => {
  const records = [...open('s', ['A']), analysed('B', { submissionId: 's' })];
  const { verdict } = await runOnce(records, { s: { listed: { B: { issueCount: 0 } } } }, { seeds: ['A', 'B'] });
  expect(verdict.causes[0]?.message).not.toContain('It has no assets');
});

it.for([open('old', ['A'], { at: daysAgo(2) }), [failed('A', { submissionId: 'old', at: daysAgo(2) })]])(
  'a newer submission that could not be read is not forgotten when an older one has the result (%#)',
  async (records) => {
    const old: Said = { listed: { A: { issueCount: 0 } } };
    const { saved } = await runOnce([...records, ...open('new', ['A'])], { old, new: { status: DOWN } });
    const kinds = saved.map(({ kind, submissionId }) => `${kind} ${submissionId}`).toSorted();
    expect(kinds).toEqual(['analysed old', 'open new']);
    const critical: Said = { listed: { A: { issueCount: 1 } }, 'A/issues': [CRITICAL] };
    expect((await runOnce(saved, { old, new: critical })).verdict.name).toBe('fail');
  },
);

it.for([{}, { isRerun: true }])(
  'a retry that is refused while another one is running is not final (%j)',
  async (rules) => {
    const said: Said = { listed: { A: { retryCount: 1 }, B: RETRYABLE }, A: 'processing', B: 'failed', 'B/retry': 409 };
    const { plan } = await runOnce(open('s', ['A', 'B']), { s: said }, { ...rules, seeds: ['A', 'B'] });
    expect(plan.contents.map(({ source }) => source.kind)).toEqual(['awaited', 'awaited']);
  },
);

it('a file that is awaited although it failed before stays in the state when a newer submission fails', async () => {
  const records = [failed('A', { submissionId: 'old', at: daysAgo(2) }), ...open('new', ['A'])];
  const says = {
    old: { listed: { A: {} }, A: 'processing' },
    new: { listed: { A: { errorMessage: 'Dark.' } }, A: { status: 'failed', issues: [CRITICAL] } },
  };
  const { sources, saved } = await runOnce(records, says);
  expect(sources).toBe('awaited');
  expect(saved.map(({ submissionId }) => submissionId).toSorted()).toEqual(['new', 'old']);
});
