import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError, type Http } from '../../src/http/http.ts';
import type { Log } from '../../src/lib/log.ts';
import type { MediaFile } from '../../src/media/file.ts';
import {
  awaitUnfinished,
  type Confirmation,
  confirmPlan,
  decideReuse,
  describeLastKnown,
} from '../../src/plan/confirm.ts';
import { type AwaitedSubmission, type Losses, makePlan, NO_LOSSES, type Plan } from '../../src/plan/plan.ts';
import { readEarlier } from '../../src/plan/read-earlier.ts';
import { type Deadline, ServiceClient } from '../../src/service/client.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import type { Issue } from '../../src/service/issue.ts';
import type { AssetStatus } from '../../src/service/responses.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { assetStatus, content } from '../service/things.ts';
import { daysAgo, document, file, issue, known, NOW, open, result, rules, sha } from '../state/samples.ts';

/** Responses of the service by path: a status, a body, or an error instead of a response; a function gives the next. */
type Answers = Readonly<Record<string, unknown>>;

/** The first request gets another answer than the later ones. */
function after(first: unknown, answer: unknown): () => unknown {
  const left = [first];
  return () => left.shift() ?? answer;
}

/** Instead of an answer: meanwhile the run is stopped. */
const STOPPED = new Error('stopped');
const SILENT = new ConnectionError('connection refused', { maybeReceived: false, isLasting: true });
/** The response of a proxy or a login page in place of the service. */
const WEB_PAGE = '<!doctype html><title>Be right back</title>';
const BASE = 'https://service.example/api/integrations';

const MINUTE = 60_000;

const ignore = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Works at a service that gives these answers, and records the paths of its requests. */
async function at<T>(answers: Answers, mode: Mode, work: (client: ServiceClient, deadline: Deadline) => Promise<T>) {
  const asked: string[] = [];
  const stop = new AbortController();
  const http: Http = {
    send: async ({ url, signal }) => {
      const path = url.slice(`${BASE}/submissions/`.length);
      asked.push(path);
      const given = answers[path] ?? 404;
      const answer = typeof given === 'function' ? given() : given;
      if (answer === STOPPED) {
        stop.abort(STOPPED);
        signal.throwIfAborted();
      } else if (answer instanceof Error) throw answer;
      const [status, body] = typeof answer === 'number' ? [answer, {}] : [200, answer];
      const text = answer === WEB_PAGE ? WEB_PAGE : JSON.stringify(body);
      return { status, text, retryAfter: undefined, location: undefined };
    },
    close: async () => undefined,
  };
  const log: Log = { info: ignore, notice: ignore, warning: ignore, group: async (_, run) => await run() };
  const client = new ServiceClient({ access: { apiKey: 'k', mode, baseUrl: BASE }, http, userAgent: 'gate', log });
  const working = work(client, { signal: stop.signal, until: Date.now() + 5 * MINUTE });
  working.catch(ignore);
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  return { ...(await working), asked: asked.toSorted(), firstAsked: asked[0] };
}

async function confirmed(made: Plan, answers: Answers, mode: Mode = 'live') {
  return await at(
    answers,
    mode,
    async (client, deadline) => await readEarlier(made, { mode, failOnSeverity: 'CRITICAL', client, deadline }),
  );
}

function planFor(files: readonly MediaFile[], earlierState: EarlierState, losses: Losses = NO_LOSSES): Plan {
  return makePlan({ files, pointers: [], earlierState, losses, rules: rules() });
}

const FILES = [file('a.png', 'A'), file('b.png', 'B')];
const ISSUE = issue({ id: 'i1', status: 'OPEN' });
const DISMISSED = { ...ISSUE, status: 'DISMISSED' };
const OTHER = issue({ id: 'i2', status: 'DISMISSED' });

/** A plan that reuses one submission's analyses of A and B, of which only A had an issue. */
const REUSE = planFor(FILES, new EarlierState([document({ contents: [known('A', { issues: [ISSUE] }), known('B')] })]));

/** A plan that reuses an analysis of each of these submissions. */
function reusing(...ids: readonly string[]): Plan {
  const contents = ids.map((id) => known(id, { submissionId: id, assetId: id }));
  const files = ids.map((id) => file(`${id}.png`, id));
  return planFor(files, new EarlierState([document({ contents })]));
}

/** A plan that waits for A and B in the submission `s`. */
function awaiting(createdAt: Date): Plan {
  const state = document({ open: [open('s', ['A', 'B'], { createdAt: createdAt.toISOString() })] });
  return planFor(FILES, new EarlierState([state]));
}

function asset(assetId: string, facts: Partial<AssetStatus> = {}): Partial<AssetStatus> {
  return { assetId, issueCount: 0, ...facts };
}

function submission(submissionId: string, assets: readonly Partial<AssetStatus>[], status = 'complete') {
  return { submissionId, status, assets };
}

/** What is lost, in short: submissions, and contents with the reason. */
function lost({ losses }: Confirmation): readonly string[] {
  const names = new Map([
    [sha('A'), 'A'],
    [sha('B'), 'B'],
  ]);
  return [...losses.submissions, ...[...losses.contents].map(([sha256, why]) => `${names.get(sha256)}: ${why}`)];
}

describe('confirm what is reused', () => {
  it('reads the submission once and only the assets with issues, and returns their current statuses', async () => {
    const { asked, ...found } = await confirmed(REUSE, {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 1 }), asset('asset-B')]),
      'submission-1/assets/asset-A/issues': [{ ...ISSUE, status: 'DISMISSED' }],
    });
    const { reused, outage } = found;
    expect(asked).toEqual(['submission-1', 'submission-1/assets/asset-A/issues']);
    expect(lost(found)).toEqual([]);
    expect(outage).toBeUndefined();
    expect(reused).toMatchObject([
      {
        content: { paths: ['a.png'] },
        outcome: 'judged',
        submissionId: 'submission-1',
        assetId: 'asset-A',
        issues: [{ id: 'i1', status: 'DISMISSED' }],
        topics: [],
        retries: 0,
        causes: [],
      },
      { content: { paths: ['b.png'] }, outcome: 'judged', assetId: 'asset-B', issues: [], causes: [] },
    ]);
  });

  it('keeps the version that is known', async () => {
    const state = document({ contents: [known('A', { versionNumber: 3, versionGroupId: 'g' })] });
    const made = planFor([file('a.png', 'A')], new EarlierState([state]));
    const { reused } = await confirmed(made, { 'submission-1': submission('submission-1', [asset('asset-A')]) });
    expect(reused).toMatchObject([{ versionNumber: 3, versionGroupId: 'g', versionCount: undefined }]);
  });

  it.each<[string, readonly Partial<AssetStatus>[], readonly string[]]>([
    ['an asset that is not there', [asset('asset-B')], ['A: no longer at the service']],
    ['no asset at all', [], ['A: no longer at the service', 'B: no longer at the service']],
    ['an error type', [asset('asset-A', { errorType: 'broken' }), asset('asset-B')], ['A: earlier analysis failed']],
    ['an error message', [asset('asset-A', { errorMessage: 'bad' }), asset('asset-B')], ['A: earlier analysis failed']],
    ['an asset without issues', [asset('asset-A', { issueCount: 1 }), asset('asset-B')], []],
  ])('%s', async (_, assets, expected) => {
    const found = await confirmed(REUSE, {
      'submission-1': submission('submission-1', assets),
      'submission-1/assets/asset-A/issues': [ISSUE],
    });
    expect(lost(found)).toEqual(expected);
    expect(found.reused).toHaveLength(2 - expected.length);
  });

  it('an asset that is missing in one answer only is not lost', async () => {
    const complete = submission('submission-1', [asset('asset-A', { issueCount: 1 }), asset('asset-B')]);
    const found = await confirmed(REUSE, {
      'submission-1': after(submission('submission-1', [asset('asset-B')]), complete),
      'submission-1/assets/asset-A/issues': [ISSUE],
    });
    expect(lost(found)).toEqual([]);
  });

  it('a submission that is gone is reported as such, and its contents are neither reused nor lost one by one', async () => {
    const found = await confirmed(REUSE, {});
    expect(lost(found)).toEqual(['submission-1']);
    expect(found.reused).toEqual([]);
    expect(found.outage).toBeUndefined();
  });

  it('fewer issues than an earlier run has read are not believed without reading both lists', async () => {
    const { asked } = await confirmed(REUSE, {
      'submission-1': submission('submission-1', [asset('asset-A'), asset('asset-B')]),
      'submission-1/assets/asset-A/issues': [],
      'submission-1/assets/asset-A': {
        assetId: 'asset-A',
        filename: 'a',
        status: 'complete',
        issueCount: 0,
        issues: [],
      },
    });
    expect(asked).toEqual(['submission-1', 'submission-1/assets/asset-A', 'submission-1/assets/asset-A/issues']);
  });

  it('issues that cannot be read leave the file unjudged, with its path', async () => {
    const { reused, outage } = await confirmed(REUSE, {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 2 }), asset('asset-B')]),
      'submission-1/assets/asset-A/issues': [ISSUE],
      'submission-1/assets/asset-A': {
        assetId: 'asset-A',
        filename: 'a',
        status: 'complete',
        issueCount: 2,
        issues: [],
      },
    });
    expect(outage).toBeUndefined();
    expect(reused[0]).toMatchObject({
      outcome: 'unjudged',
      issues: [{ id: 'i1' }],
      causes: [{ reason: 'results', path: 'a.png' }],
    });
  });

  it.each<[string, string, object, readonly string[], string]>([
    ['counted at last', 'complete', { issues: [] }, ['a.png judged'], ''],
    ['running again', 'processing', { issues: [] }, [], 'a-sent.png'],
    ['failed', 'failed', { issues: [] }, [], 'a-sent.png'],
    ['in an unknown state', 'odd', {}, [], 'a-sent.png'],
    ['running again, with an issue already', 'processing', { issues: [ISSUE] }, ['a.png unjudged i1 results'], ''],
  ])('an asset that the submission does not count, and that is itself %s', async (_, status, facts, expected, name) => {
    const state = document({ contents: [known('A')] });
    const made = planFor([file('a.png', 'A')], new EarlierState([state]));
    const found = await confirmed(made, {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: null })]),
      'submission-1/assets/asset-A/issues': status === 'complete' ? [] : 404,
      'submission-1/assets/asset-A': { assetId: 'asset-A', filename: 'a-sent.png', status, issueCount: 0, ...facts },
    });
    const inShort = found.reused.map(({ content: { paths }, outcome, issues, causes }) =>
      [...paths, outcome, ...issues.map(({ id }) => id), ...causes.map(({ reason }) => reason)].join(' '),
    );
    expect(inShort).toEqual(expected);
    expect([...found.unfinished]).toEqual(name === '' ? [] : [[sha('A'), name]]);
    expect(lost(found)).toEqual([]);
  });

  it.each<[string, unknown, object]>([
    ['is to be retried in place', named('asset-A', 'a-sent.png'), { unfinished: new Map([[sha('A'), 'a-sent.png']]) }],
    [
      'is sent again if nothing gives its name',
      404,
      { losses: { contents: new Map([[sha('A'), 'earlier analysis failed']]) } },
    ],
    ['is not paid for again because the service does not answer', SILENT, { reused: [{ outcome: 'unjudged' }, {}] }],
  ])('a failed asset that can be retried %s', async (_, own, expected) => {
    const retryable = asset('asset-A', { errorType: 'broken', isRetryable: true });
    const found = await confirmed(REUSE, {
      'submission-1': submission('submission-1', [retryable, asset('asset-B')]),
      'submission-1/assets/asset-A': own,
    });
    const nothing = { losses: { submissions: new Set(), contents: new Map() }, unfinished: new Map(), reused: [{}] };
    expect(found).toMatchObject({ ...nothing, ...expected });
  });

  it('other submissions are confirmed even if one is refused', async () => {
    const found = await confirmed(reusing('there', 'gone', 'refused'), {
      there: submission('there', [asset('there')]),
      refused: 403,
    });
    expect(lost(found)).toEqual(['gone']);
    expect(found.reused).toMatchObject([
      { submissionId: 'there', outcome: 'judged', causes: [] },
      { submissionId: 'refused', outcome: 'unjudged', issues: [], causes: [{ reason: 'refused' }] },
    ]);
    expect(found.reused[1]?.topics).toEqual([]);
  });

  it('once the service is given up, no further submission is read', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const found = await confirmed(reusing(...ids), Object.fromEntries(ids.map((id) => [id, SILENT])));
    expect(found.outage).toMatchObject({ reason: 'service' });
    expect(found.reused).toHaveLength(20);
    expect(new Set(found.asked).size).toBeLessThan(20);
  });

  it('a sandbox counts no issues, so none are read', async () => {
    const sandboxed = await confirmed(
      REUSE,
      {
        'submission-1': submission('submission-1', [
          asset('asset-A', { issueCount: 0 }),
          asset('asset-B', { issueCount: null }),
        ]),
        'submission-1/assets/asset-A/issues': [],
      },
      'sandbox',
    );
    expect(sandboxed.reused[1]).toMatchObject({ outcome: 'judged', issues: [] });
  });
});

/** The last known verdict stands: everything is as it was known, and nothing is lost. */
function expectLastKnown({ losses, reused, outage }: Confirmation): void {
  expect(outage).toBeDefined();
  expect(losses).toEqual({ submissions: new Set(), contents: new Map() });
  expect(reused).toMatchObject([
    { content: { paths: ['a.png'] }, outcome: 'judged', issues: [ISSUE], topics: [], causes: [] },
    { content: { paths: ['b.png'] }, outcome: 'judged', issues: [], topics: [], causes: [] },
  ]);
  // A file without issues has nothing to read again.
  expect(reused.map(({ lastKnownAt }) => lastKnownAt)).toEqual([daysAgo(1), undefined]);
}

describe('confirm in an outage', () => {
  describe.each([
    ['no connection', SILENT],
    ['a web page', WEB_PAGE],
  ])('that shows as %s', (_, answer) => {
    it('and begins with the submission', async () => {
      expectLastKnown(await confirmed(REUSE, { 'submission-1': answer }));
    });

    it('and begins with the issues', async () => {
      expectLastKnown(
        await confirmed(REUSE, {
          'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 1 }), asset('asset-B')]),
          'submission-1/assets/asset-A/issues': answer,
          'submission-1/assets/asset-A': answer,
        }),
      );
    });
  });

  it.each<[string, readonly Issue[], readonly Issue[], readonly string[]]>([
    ['re-opened', [DISMISSED, OTHER], [{ ...DISMISSED, status: 'OPEN' }], ['i1 OPEN', 'i2 DISMISSED']],
    ['dismissed', [ISSUE, OTHER], [DISMISSED], ['i1 DISMISSED', 'i2 DISMISSED']],
  ])(
    'that begins between two lists: an issue that was read as %s counts as such',
    async (_, before, list, expected) => {
      const state = document({ contents: [known('A', { issues: [...before] })] });
      const made = planFor([file('a.png', 'A')], new EarlierState([state]));
      const { reused, outage } = await confirmed(made, {
        'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 2 })]),
        'submission-1/assets/asset-A/issues': list,
        'submission-1/assets/asset-A': SILENT,
      });
      expect(outage).toMatchObject({ reason: 'service' });
      expect(reused).toMatchObject([{ outcome: 'judged', causes: [] }]);
      expect(reused[0]?.issues.map(({ id, status }) => `${id} ${status}`)).toEqual(expected);
    },
  );

  it('leaves a file unjudged of which more issues are counted than are known', async () => {
    const state = document({ contents: [known('A', { issues: [DISMISSED] })] });
    const { reused } = await confirmed(planFor([file('a.png', 'A')], new EarlierState([state])), {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 3 })]),
      'submission-1/assets/asset-A/issues': [issue({ id: 'i3', status: 'OPEN' })],
      'submission-1/assets/asset-A': SILENT,
    });
    expect(reused).toMatchObject([{ outcome: 'unjudged', causes: [{ reason: 'service', path: 'a.png' }] }]);
    expect(reused[0]?.issues.map(({ id, status }) => `${id} ${status}`)).toEqual(['i1 DISMISSED', 'i3 OPEN']);
  });

  it.each([401, 402, 403])('a refusal is no outage: %i is thrown', async (status) => {
    await expect(confirmed(REUSE, { 'submission-1': status })).rejects.toMatchObject({ status });
  });

  it.each<[string, unknown, string]>([
    ['403', 403, 'refused'],
    ['an answer without assets', { submissionId: 'submission-2', status: 'complete' }, 'results'],
  ])('%s for one submission is no outage, and the others are read', async (_, answer, reason) => {
    const contents = [known('A', { issues: [ISSUE] }), known('B', { submissionId: 'submission-2' })];
    const made = planFor(FILES, new EarlierState([document({ contents })]));
    const found = await confirmed(made, {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 1 })]),
      'submission-1/assets/asset-A/issues': [ISSUE],
      'submission-2': answer,
    });
    expect([found.outage, lost(found)]).toEqual([undefined, []]);
    expect(found.reused).toMatchObject([
      { outcome: 'judged', issues: [{ id: 'i1' }], causes: [] },
      { outcome: 'unjudged', issues: [], causes: [{ reason, path: 'b.png' }] },
    ]);
  });

  it.each<[string, Answers]>([
    ['is gone', {}],
    ['does not answer', { other: SILENT }],
    ['has a rate limit', { other: 429 }],
  ])('a refusal of one submission ends nothing if another %s', async (_, answers) => {
    const { reused } = await confirmed(reusing('refused', 'other'), { refused: 403, ...answers });
    expect(reused[0]).toMatchObject({ submissionId: 'refused', outcome: 'unjudged', causes: [{ reason: 'refused' }] });
  });

  it.each([401, 402])('%i for the issues of one asset ends everything', async (status) => {
    const ended = confirmed(REUSE, {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 1 }), asset('asset-B')]),
      'submission-1/assets/asset-A/issues': status,
    });
    await expect(ended).rejects.toMatchObject({ status });
  });

  it.each([401, 402])('but %i for one submission ends everything', async (status) => {
    const contents = [known('A'), known('B', { submissionId: 'submission-2' })];
    const made = planFor(FILES, new EarlierState([document({ contents })]));
    const answers = { 'submission-1': submission('submission-1', [asset('asset-A')]), 'submission-2': status };
    await expect(confirmed(made, answers)).rejects.toMatchObject({ status });
  });

  it('awaited submissions are not changed', async () => {
    const found = await confirmed(awaiting(new Date()), { s: 403 });
    expect([found.outage, lost(found)]).toEqual([undefined, []]);
  });

  it('a stopped run is no outage', async () => {
    await expect(confirmed(REUSE, { 'submission-1': STOPPED })).rejects.toBe(STOPPED);
  });

  it('a defect of the action is no outage', async () => {
    await expect(confirmed(REUSE, { 'submission-1': new TypeError('ours') })).rejects.toThrow('ours');
  });
});

/** A failed asset that gives its own name. */
function named(assetId: string, filename: string): object {
  return { assetId, filename, status: 'failed' };
}

describe('confirm what is awaited', () => {
  const DAY = 86_400_000;
  const daysBack = (days: number): Date => new Date(Date.now() - days * DAY);
  const failure = { errorType: 'broken', issueCount: null };

  it.each<[string, number, object, Answers, readonly string[]]>([
    ['nothing wrong', 1, submission('s', [asset('1'), asset('2')], 'processing'), {}, []],
    [
      'an asset that failed, found by its name',
      1,
      submission('s', [asset('1', failure), asset('2')], 'processing'),
      { 's/assets/1': named('1', 'B.png') },
      ['B: earlier analysis failed'],
    ],
    [
      'an asset that failed with a message only',
      1,
      submission('s', [asset('1', { errorMessage: 'bad' })], 'failed'),
      { 's/assets/1': named('1', 'A.png') },
      ['A: earlier analysis failed'],
    ],
    [
      'one that can be retried in place',
      1,
      submission('s', [asset('1', { ...failure, isRetryable: true })]),
      { 's/assets/1': named('1', 'A.png') },
      [],
    ],
    [
      'one whose name is not ours',
      1,
      submission('s', [asset('1', failure)]),
      { 's/assets/1': named('1', 'other.png') },
      [],
    ],
    ['one that cannot be read', 1, submission('s', [asset('1', failure)]), { 's/assets/1': 404 }, []],
    [
      'one that cannot be read, and another with a name: it is the remaining file',
      1,
      submission('s', [asset('1', failure), asset('2')]),
      { 's/assets/1': 404, 's/assets/2': named('2', 'A.png') },
      ['B: earlier analysis failed'],
    ],
    [
      'one that cannot be read, and another that cannot either: it is unknown which it is',
      1,
      submission('s', [asset('1', failure), asset('2')]),
      { 's/assets/1': 404, 's/assets/2': 404 },
      [],
    ],
    [
      'two that cannot be read, and a third that may be one of the files',
      1,
      submission('s', [asset('1', failure), asset('2', failure), asset('3')]),
      {},
      [],
    ],
    [
      'two that cannot be read: they are both files',
      1,
      submission('s', [asset('1', failure), asset('2', failure)]),
      { 's/assets/1': 404, 's/assets/2': 404 },
      ['A: earlier analysis failed', 'B: earlier analysis failed'],
    ],
    [
      'one with a name, and one that cannot be read',
      1,
      submission('s', [asset('1', failure), asset('2', failure)]),
      { 's/assets/1': named('1', 'B.png'), 's/assets/2': 404 },
      ['A: earlier analysis failed', 'B: earlier analysis failed'],
    ],
    [
      'none without a name: the others need not be read',
      1,
      submission('s', [asset('1', failure), asset('2')]),
      { 's/assets/1': named('1', 'A.png'), 's/assets/2': new Error('not requested') },
      ['A: earlier analysis failed'],
    ],
    [
      'unfinished after a week',
      7.01,
      submission('s', [], 'processing'),
      {},
      ['A: earlier analysis never finished', 'B: earlier analysis never finished'],
    ],
    [
      'unfinished after a week, except one asset',
      7.01,
      submission('s', [asset('1'), asset('2')], 'processing'),
      {
        's/assets/1': { assetId: '1', filename: 'A.png', status: 'complete' },
        's/assets/2': { assetId: '2', filename: 'B.png', status: 'processing' },
      },
      ['B: earlier analysis never finished'],
    ],
    ['unfinished for less', 6.99, submission('s', [], 'processing'), {}, []],
    ['complete after a week', 7.01, submission('s', [], 'complete'), {}, []],
    ['failed after a week', 7.01, submission('s', [], 'failed'), {}, []],
  ])('%s', async (_, days, answer, answers, expected) => {
    const found = await confirmed(awaiting(daysBack(days)), { s: answer, ...answers });
    expect(lost(found)).toEqual(expected);
    expect(found.reused).toEqual([]);
    expect(found.outage).toBeUndefined();
  });

  it('a submission that is gone', async () => {
    expect(lost(await confirmed(awaiting(daysBack(1)), {}))).toEqual(['s']);
  });

  it('reused and awaited ones are each read once', async () => {
    const entry: readonly AwaitedSubmission[] = awaiting(daysBack(1)).toAwait;
    const { asked } = await confirmed(
      {
        ...REUSE,
        toAwait: [...entry, { submissionId: 'submission-1', createdAt: daysBack(1).toISOString(), contents: [] }],
      },
      {
        s: submission('s', [], 'processing'),
        'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 1 }), asset('asset-B')]),
        'submission-1/assets/asset-A/issues': [ISSUE],
      },
    );
    expect(asked).toEqual(['s', 'submission-1', 'submission-1/assets/asset-A/issues']);
  });
});

describe('which assets are read again', () => {
  const MINOR = issue({ id: 'm', severity: 'MINOR' });
  const state = document({
    contents: [known('A', { issues: [MINOR], assetId: 'a' }), known('B', { issues: [ISSUE], assetId: 'b' })],
  });
  const made = planFor(FILES, new EarlierState([state]));
  const both = submission('submission-1', [asset('a', { issueCount: 1 }), asset('b', { issueCount: 1 })]);

  it('without a rate limit all of them, and topics only if an issue changed', async () => {
    const { asked, reused } = await confirmed(made, {
      'submission-1': both,
      'submission-1/assets/a/issues': [MINOR],
      'submission-1/assets/b/issues': [ISSUE],
    });
    expect(asked).toEqual(['submission-1', 'submission-1/assets/a/issues', 'submission-1/assets/b/issues']);
    expect(reused.map(({ lastKnownAt }) => lastKnownAt)).toEqual([undefined, undefined]);
    expect(describeLastKnown(reused)).toBeUndefined();
  });

  it.each<[string, Partial<Issue>]>([
    ['status', { status: 'DISMISSED' }],
    ['severity', { severity: 'MAJOR' }],
    ['id', { id: 'i9' }],
    ['nothing', {}],
  ])('the topics are read if an issue changed: %s', async (what, change) => {
    const contents = [known('A', { issues: [ISSUE, OTHER] })];
    const { reused } = await confirmed(planFor([file('a.png', 'A')], new EarlierState([document({ contents })])), {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 2 })]),
      'submission-1/assets/asset-A/issues': [{ ...ISSUE, ...change }, OTHER],
      'submission-1/assets/asset-A/topics': [{ title: 'Health', issueIds: ['i1', 'i2'] }],
    });
    const topics = [{ title: 'Health', issueIds: ['i1', 'i2'] }];
    expect(reused[0]?.topics).toEqual(what === 'nothing' ? [] : topics);
  });

  it('with one, first those that can change the verdict; the others are shown as last known, with their date', async () => {
    const { reused, outage, asked } = await confirmed(made, {
      'submission-1': both,
      'submission-1/assets/a/issues': 429,
      'submission-1/assets/b/issues': after(429, [DISMISSED]),
    });
    expect(outage).toBeUndefined();
    // Only the end of the rate limit for the urgent one is waited for.
    expect(asked).toEqual([
      'submission-1',
      'submission-1/assets/a/issues',
      'submission-1/assets/b/issues',
      'submission-1/assets/b/issues',
    ]);
    expect(reused).toMatchObject([
      { content: { paths: ['b.png'] }, outcome: 'judged', issues: [{ status: 'DISMISSED' }] },
      { content: { paths: ['a.png'] }, outcome: 'judged', issues: [MINOR], lastKnownAt: daysAgo(1), causes: [] },
    ]);
    expect(describeLastKnown(reused)).toMatch(/^The issues of 1 file were not read again.*from 2026-11-14: a\.png\./);
  });
});

describe('earlier submissions and a rate limit', () => {
  const others = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const contents = others.map((id) => known(id, { submissionId: id, assetId: id }));
  const files = others.map((id) => file(`${id}.png`, id));

  it('those that cannot change the verdict are each read at most once, and then left as last known', async () => {
    const { asked, outage, reused } = await confirmed(
      planFor(files, new EarlierState([document({ contents })])),
      Object.fromEntries(others.map((id) => [id, 429])),
    );
    expect(outage).toBeUndefined();
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeLessThan(20);
    expect(reused.map(({ outcome }) => outcome)).toEqual(others.map(() => 'judged'));
  });

  it('one that can is read first, and the end of its rate limit is waited for', async () => {
    const urgent = [known('B', { submissionId: 'u' }), known('A', { submissionId: 'u', issues: [ISSUE] })];
    const state = new EarlierState([document({ contents: [...contents, ...urgent] })]);
    const { firstAsked, outage, reused } = await confirmed(planFor([...files, ...FILES], state), {
      ...Object.fromEntries(others.map((id) => [id, 429])),
      u: after(429, submission('u', [asset('asset-A', { issueCount: 1 }), asset('asset-B')])),
      'u/assets/asset-A/issues': [DISMISSED],
    });
    expect([firstAsked, outage]).toEqual(['u', undefined]);
    expect(reused.find(({ submissionId }) => submissionId === 'u')).toMatchObject({ issues: [DISMISSED] });
  });

  it('that does not end hides what could change the verdict: that is reported', async () => {
    const { outage, reused } = await confirmed(REUSE, { 'submission-1': 429 });
    expect(outage).toBeDefined();
    expect(reused[0]).toMatchObject({ outcome: 'judged', issues: [ISSUE], lastKnownAt: daysAgo(1) });
  });

  it('that does not end leaves an asset as last known, which is no outage', async () => {
    const { outage, reused } = await confirmed(REUSE, {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: 1 }), asset('asset-B')]),
      'submission-1/assets/asset-A/issues': 429,
    });
    expect(outage).toBeUndefined();
    expect(reused[0]).toMatchObject({ outcome: 'judged', issues: [ISSUE], lastKnownAt: daysAgo(1) });
  });

  it.each<[string, readonly Issue[]]>([
    ['more', [issue({ id: 'm', severity: 'MINOR' }), ISSUE]],
    ['fewer', []],
  ])('an asset with %s issues than known is waited for, whatever their severity', async (_, list) => {
    const state = document({ contents: [known('A', { issues: [issue({ id: 'm', severity: 'MINOR' })] })] });
    const own = { assetId: 'asset-A', filename: 'a', status: 'complete', issueCount: list.length, issues: list };
    const { reused } = await confirmed(planFor([file('a.png', 'A')], new EarlierState([state])), {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: list.length })]),
      'submission-1/assets/asset-A/issues': after(429, list),
      'submission-1/assets/asset-A': own,
    });
    expect(reused).toMatchObject([{ outcome: 'judged' }]);
    expect(reused[0]?.issues.map(({ id }) => id)).toEqual(list.map(({ id }) => id));
  });

  it('any other failure is worth a retry, for all of them', async () => {
    const minor = issue({ id: 'm', severity: 'MINOR' });
    const state = document({ contents: [known('A', { issues: [minor] })] });
    const { reused } = await confirmed(planFor([file('a.png', 'A')], new EarlierState([state])), {
      'submission-1': after(503, submission('submission-1', [asset('asset-A', { issueCount: 1 })])),
      'submission-1/assets/asset-A/issues': after(503, [{ ...minor, status: 'DISMISSED' }]),
    });
    expect(reused).toMatchObject([{ outcome: 'judged', issues: [{ status: 'DISMISSED' }] }]);
    expect(reused[0]?.lastKnownAt).toBeUndefined();
  });
});

describe('describeLastKnown', () => {
  it('names the files that were not read and the date of the oldest', () => {
    const read = { ...result(content('c.png')), issues: [ISSUE] };
    const unread = [3, 9, 5].map((days) => ({ ...result(content(`${days}.png`)), lastKnownAt: daysAgo(days) }));
    expect(describeLastKnown([read, ...unread])).toMatch(
      /^The issues of 3 files .*, the oldest from 2026-11-06: 3\.png, 9\.png, 5\.png\./,
    );
    expect(describeLastKnown([read])).toBeUndefined();
  });
});

describe('decideReuse', () => {
  it('what was read is not last known, even if the service stopped answering after it', () => {
    const now = { outcome: 'judged', issues: [DISMISSED], cause: undefined } as const;
    const listed = assetStatus('asset-A', { issueCount: 1 });
    const entry = { content: content('a.png'), known: known('A', { issues: [ISSUE] }) };
    const decided = decideReuse(entry, { listed, now, isCutShort: true });
    expect(decided).toMatchObject({ kind: 'result', result: { outcome: 'judged', issues: [DISMISSED] } });
    expect(decided).not.toHaveProperty('result.lastKnownAt');
  });
});

describe('awaitUnfinished', () => {
  const unfinished = new Map([[sha('A'), 'a-sent.png']]);

  it('waits for what is running again, under the name that it was sent with', () => {
    const { toReuse, toAwait } = awaitUnfinished(REUSE, unfinished);
    expect(toReuse.map(({ content }) => content.paths)).toEqual([['b.png']]);
    expect(toAwait).toMatchObject([
      {
        submissionId: 'submission-1',
        createdAt: daysAgo(1),
        contents: [{ paths: ['a.png'], name: 'a-sent.png' }],
      },
    ]);
  });

  it('and once for each submission', () => {
    const entry = { submissionId: 'submission-1', createdAt: '2026-11-01T00:00:00.000Z', contents: [] };
    const both = new Map([...unfinished, [sha('B'), 'b-sent.png']]);
    const { toReuse, toAwait } = awaitUnfinished({ ...REUSE, toAwait: [entry] }, both);
    expect(toReuse).toEqual([]);
    expect(toAwait).toMatchObject([
      { createdAt: entry.createdAt, contents: [{ name: 'a-sent.png' }, { name: 'b-sent.png' }] },
    ]);
  });

  it('changes nothing otherwise', () => {
    expect(awaitUnfinished(REUSE, new Map())).toEqual(REUSE);
  });
});

describe('confirmPlan', () => {
  const A = file('a.png', 'A');
  const twice = new EarlierState([
    document({
      open: [open('later', ['A'], { createdAt: daysAgo(1) }), open('earlier', ['A'], { createdAt: daysAgo(2) })],
    }),
  ]);

  /** A plan in short, and what was asked for. */
  async function planned(earlierState: EarlierState, answers: Answers, others: readonly MediaFile[] = []) {
    const planWithout = (losses: Losses): Plan => planFor([A, ...others], earlierState, losses);
    const found = await at(
      answers,
      'live',
      async (client, deadline) =>
        await confirmPlan(planWithout(NO_LOSSES), planWithout, (made) =>
          readEarlier(made, { mode: 'live', failOnSeverity: 'CRITICAL', client, deadline }),
        ),
    );
    const { toSubmit, toReuse, toAwait } = found.plan;
    const inShort = [
      ...toSubmit.map(({ why }) => `send: ${why}`),
      ...toReuse.map(({ known: { submissionId } }) => `reuse: ${submissionId}`),
      ...toAwait.map(({ submissionId }) => `await: ${submissionId}`),
    ];
    return { inShort, ...found };
  }

  // Fake time is the plan's time, so that nothing is too old to be waited for.
  beforeEach(() => {
    vi.setSystemTime(NOW);
  });

  const running = submission('earlier', [asset('1', { issueCount: null })], 'processing');
  const failed = submission('earlier', [asset('1', { errorType: 'broken' })], 'failed');
  const LATER = submission('later', [asset('1', { issueCount: null })], 'processing');

  it.each<[string, Answers, readonly string[], readonly string[]]>([
    ['both are there', { later: LATER, earlier: running }, ['await: later'], ['later']],
    ['the later is gone', { earlier: running }, ['await: earlier'], ['earlier', 'later', 'later']],
    ['both are gone', {}, ['send: no longer at the service'], ['earlier', 'earlier', 'later', 'later']],
    [
      'the later is gone, and in the other it failed',
      { earlier: failed, 'earlier/assets/1': named('1', 'A.png') },
      ['send: earlier analysis failed'],
      ['earlier', 'earlier/assets/1', 'later', 'later'],
    ],
    [
      'the later is gone, and the other is refused',
      { earlier: 403 },
      ['await: earlier'],
      ['earlier', 'later', 'later'],
    ],
  ])('a content in two open submissions, and %s', async (_, answers, expected, requests) => {
    const { inShort, asked, outage } = await planned(twice, answers);
    expect([inShort, asked, outage]).toEqual([expected, requests, undefined]);
  });

  it('an outage in between is reported, and nothing is believed to be gone', async () => {
    const { inShort, outage } = await planned(twice, { earlier: SILENT });
    expect(inShort).toEqual(['await: earlier']);
    expect(outage).toMatchObject({ reason: 'service' });
  });

  describe('the later of two open submissions is gone', () => {
    const B = file('b.png', 'B');
    const C = file('c.png', 'C');

    it('what was read before that is still known, and not read again', async () => {
      const contents = [known('B'), known('C')];
      const state = new EarlierState([document({ contents, open: [...twice.open, open('other', ['D'])] })]);
      const answers = {
        earlier: running,
        other: submission('other', [asset('2')], 'processing'),
        'submission-1': submission('submission-1', [asset('asset-B', { errorType: 'broken' }), asset('asset-C')]),
      };
      const { inShort, asked, plan, reused } = await planned(state, answers, [B, C, file('d.png', 'D')]);
      expect(inShort).toEqual([
        'send: earlier analysis failed',
        'reuse: submission-1',
        'await: earlier',
        'await: other',
      ]);
      expect(asked).toEqual(['earlier', 'later', 'later', 'other', 'submission-1']);
      expect(plan.toAwait.map(({ assetIds }) => assetIds)).toEqual([['1'], ['2']]);
      expect(reused.map(({ content }) => content.paths)).toEqual([['c.png']]);
    });

    it('the other is read again for this file', async () => {
      const both = [open('later', ['A']), open('earlier', ['A', 'B'], { createdAt: daysAgo(2) })];
      const answers = { earlier: failed, 'earlier/assets/1': named('1', 'A.png') };
      const { inShort } = await planned(new EarlierState([document({ open: both })]), answers, [B]);
      expect(inShort).toEqual(['send: earlier analysis failed', 'await: earlier']);
    });

    it('after an outage the other is not read', async () => {
      const state = new EarlierState([document({ contents: [known('B')], open: [...twice.open] })]);
      const { asked, outage } = await planned(state, { earlier: running, 'submission-1': SILENT }, [B]);
      expect(asked).not.toContain('earlier');
      expect(outage).toMatchObject({ reason: 'service' });
    });
  });

  it('what is running again is awaited', async () => {
    const { inShort, reused } = await planned(new EarlierState([document({ contents: [known('A')] })]), {
      'submission-1': submission('submission-1', [asset('asset-A', { issueCount: null })], 'processing'),
      'submission-1/assets/asset-A': { assetId: 'asset-A', filename: 'a.png', status: 'processing' },
    });
    expect([inShort, reused]).toEqual([['await: submission-1'], []]);
  });
});
