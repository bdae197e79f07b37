import { describe, expect } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import type { MediaFile } from '../../src/media/file.ts';
import { type ConfirmOptions, confirm } from '../../src/plan/confirm.ts';
import { isLoss, type PlanBasis } from '../../src/plan/plan.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { issue } from '../builders/analyses.ts';
import { file } from '../builders/media.ts';
import { daysAgo, document, known, NOW, open, rules } from '../builders/states.ts';
import { clientOf, deadlineIn, inFakeTime, it, response } from '../service/fake-service.ts';

/** By path: a status, a body, an error instead of a response, or a function of the seconds since the start that gives one. */
type Responses = Readonly<Record<string, unknown>>;

const DOWN = new ConnectionError('connection refused', { maybeReceived: false, isLasting: true });
const LIMITED = { retryAfter: '3600' };

interface Options extends Partial<Pick<ConfirmOptions, 'mode' | 'failOnSeverity'>> {
  readonly minutes?: number;
  /** What all states know, if that is more. */
  readonly later?: Partial<StateDocument>;
}

function lookUp(responses: Responses, path: string, seconds: number): unknown {
  const given = responses[path];
  if (given !== undefined) return typeof given === 'function' ? given(seconds) : given;
  const [, assetId = ''] = /\/assets\/([^/]+)$/.exec(path) ?? [];
  return assetId === '' ? 404 : { assetId, filename: assetId.replace('asset-', '') + '.png', status: 'complete' };
}

/** Plans at a service that responds in this way: every asset is complete unless it is given. */
async function confirmed(basis: PlanBasis, responses: Responses, { minutes = 5, later, ...options }: Options = {}) {
  const startedAt = Date.now();
  const { client, log, requests } = clientOf((request) => {
    const path = request.slice('GET /submissions/'.length);
    const given = lookUp(responses, path, (Date.now() - startedAt) / 1000);
    if (given instanceof Error) throw given;
    if (given === LIMITED) return response(429, {}, LIMITED.retryAfter);
    return typeof given === 'number' ? response(given, {}, '10') : response(200, given);
  });
  const rules = { mode: 'live', failOnSeverity: 'CRITICAL', ...options, now: NOW } as const;
  let statesRead = 0;
  const readAllStates = async () => {
    statesRead += 1;
    return later ? new EarlierState([document(later)]) : basis.earlierState;
  };
  const edges = { client, log, deadline: deadlineIn(minutes), readAllStates };
  const { value, ms } = await inFakeTime(async () => await confirm(basis, { ...rules, ...edges }));
  const paths = new Map(basis.files.map(({ sha256, path }) => [sha256, path]));
  const short = [
    ...value.analyses.map(({ content, outcome, issues, lastKnownAt, causes }) => {
      const statuses = issues.map(({ status }) => status);
      const lastKnown = lastKnownAt === undefined ? [] : ['as last known'];
      return [content.paths[0], outcome, ...statuses, ...lastKnown, ...causes.map(({ reason }) => reason)].join(' ');
    }),
    ...[...value.checks]
      .filter(([, found]) => isLoss(found))
      .map(([id, loss]) => `${paths.get(id.split(' ')[0] ?? '')}: ${loss}`),
    ...(value.lastKnownCause ? [`outage: ${value.lastKnownCause.reason}`] : []),
  ].toSorted();
  return { ...value, short, requests, statesRead, seconds: ms / 1000 };
}

function planFor(files: readonly MediaFile[], state: Partial<StateDocument>): PlanBasis {
  return { files, pointers: [], earlierState: new EarlierState([document(state)]), rules: rules() };
}

/** What is outdated, missing or limited for ten seconds. */
function lagging(before: unknown, after: unknown): (seconds: number) => unknown {
  return (seconds) => (seconds < 10 ? before : after);
}

const FILES = [file('a.png', 'A'), file('b.png', 'B')];
const ISSUE = issue({ id: 'i1' });
const [DISMISSED, SECOND] = [{ ...ISSUE, status: 'DISMISSED' }, issue({ id: 'i2' })];

/** A plan that reuses one submission's analyses of A and B, of which only A had an issue. */
const REUSE = planFor(FILES, { contents: [known('A', { issues: [ISSUE] }), known('B')] });

function submission(submissionId: string, status: string, assets: Readonly<Record<string, Partial<ListedAsset>>>) {
  return { submissionId, status, assets: Object.entries(assets).map(([assetId, facts]) => ({ assetId, ...facts })) };
}

/** The submission that is reused, with these counts of issues. */
function counted(a: number | null, b: number | null = 0) {
  return submission('submission-1', 'complete', { 'asset-A': { issueCount: a }, 'asset-B': { issueCount: b } });
}

/** The same, with an error text beside A. */
function broken(a: number) {
  return submission('submission-1', 'complete', {
    'asset-A': { issueCount: a, errorMessage: 'It broke.' },
    'asset-B': { issueCount: 0 },
  });
}

const [S, A, B] = ['submission-1', 'submission-1/assets/asset-A', 'submission-1/assets/asset-B'];
const ONLY_B = submission(S, 'complete', { 'asset-B': { issueCount: 0 } });
const ONLY_A = submission(S, 'complete', { 'asset-A': { issueCount: 1 } });
const UNCHANGED = ['a.png judged OPEN', 'b.png judged'];
const LAST_KNOWN = ['a.png judged OPEN as last known', 'b.png judged'];
const OUTAGE = 'outage: service';
const own = (facts: object) => ({ assetId: 'asset-A', filename: 'A.png', status: 'complete', ...facts });

it('an outage is not forgotten when an older analysis of another file answers', async () => {
  const contents = [
    known('A', { submissionId: 'gone', analysedAt: daysAgo(1) }),
    known('A', { submissionId: 'old', analysedAt: daysAgo(2) }),
    known('B', { issues: [ISSUE] }),
  ];
  const { short } = await confirmed(planFor(FILES, { contents }), {
    old: submission('old', 'complete', { 'asset-A': { issueCount: 0 } }),
    [S]: submission(S, 'complete', { 'asset-B': { issueCount: 1 } }),
    [`${B}/issues`]: DOWN,
  });
  expect(short).toEqual(['a.png judged', 'a.png: no longer at the service', 'b.png judged OPEN as last known', OUTAGE]);
});

describe('what is reused', () => {
  // biome-ignore format: a table
  it.for<[string, Responses, readonly string[], Options?]>([
    ['as before',                                 { [S]: counted(1), [`${A}/issues`]: [ISSUE] },                                   UNCHANGED],
    ['dismissed meanwhile',                       { [S]: counted(1), [`${A}/issues`]: [DISMISSED] },                               ['a.png judged DISMISSED', 'b.png judged']],
    ['an issue more, where there was one',        { [S]: counted(2), [`${A}/issues`]: [ISSUE, SECOND] },                           ['a.png judged OPEN OPEN', 'b.png judged']],
    ['an issue more, where there was none',       { [S]: counted(1, 1), [`${A}/issues`]: [ISSUE], [`${B}/issues`]: [SECOND] },     ['a.png judged OPEN', 'b.png judged OPEN']],
    ['counted, and not listed',                   { [S]: counted(2), [`${A}/issues`]: [ISSUE] },                                   ['a.png unjudged OPEN results', 'b.png judged']],
    ['no longer counted, itself counted',         { [S]: counted(null), [A]: own({ issueCount: 1 }), [`${A}/issues`]: [ISSUE] },   UNCHANGED],
    ['no longer counted, where there was none',   { [S]: counted(1, null), [`${A}/issues`]: [ISSUE], [`${B}/issues`]: [] },       ['a.png judged OPEN', 'b.png unjudged results']],
    ['being analysed again',                      { [S]: counted(null), [A]: own({ status: 'processing' }) },                      ['a.png unjudged results', 'b.png judged']],
    ['not counted, and another file by its name', { [S]: counted(null), [A]: own({ filename: 'B.png', issueCount: 1 }), [`${A}/issues`]: [ISSUE] }, ['a.png unjudged results', 'b.png judged']],
    ['an error in the list, and it has failed',   { [S]: broken(1), [A]: own({ status: 'failed' }), [`${A}/issues`]: [ISSUE] },    ['a.png: earlier analysis failed', 'b.png judged']],
    ['an error in the list, and it is complete',  { [S]: broken(1), [`${A}/issues`]: [ISSUE] },                                    UNCHANGED],
    ['another issue instead, itself complete',    { [S]: counted(1), [`${A}/issues`]: [SECOND] },                                  UNCHANGED],
    ['no list of issues, but the asset has it',   { [S]: counted(1), [A]: own({ issues: [DISMISSED] }) },                          ['a.png judged DISMISSED', 'b.png judged']],
    ['an item that cannot be read',               { [S]: counted(1), [`${A}/issues`]: [ISSUE, {}] },                               ['a.png unjudged OPEN results', 'b.png judged']],
    ['its asset failed',                          { [S]: counted(null), [A]: own({ status: 'failed' }) },                          ['a.png: earlier analysis failed', 'b.png judged']],
    ['its asset is gone',                         { [S]: ONLY_B },                                                                 ['a.png: no longer at the service', 'b.png judged']],
    ['its asset is missing for ten seconds',      { [S]: lagging(ONLY_B, counted(1)), [`${A}/issues`]: [ISSUE] }, UNCHANGED],
    ['the other one is missing for ten seconds',  { [S]: lagging(ONLY_A, counted(1)), [`${A}/issues`]: [ISSUE] }, UNCHANGED],
    ['its submission is gone',                    {},                                                                              ['a.png: no longer at the service', 'b.png: no longer at the service']],
    ['its submission is missing for ten seconds', { [S]: lagging(404, counted(1)), [`${A}/issues`]: [ISSUE] }, UNCHANGED],
    ['its submission is refused',                 { [S]: 403 },                                                                    ['a.png unjudged refused', 'b.png unjudged refused']],
    ['nothing counted in a sandbox',              { [S]: counted(null, null) },                                                    ['a.png judged', 'b.png judged'], { mode: 'sandbox' }],
    ['an outage',                                 { [S]: DOWN },                                                                   [...LAST_KNOWN, OUTAGE]],
    ['an outage before the asset',                { [S]: counted(1), [A]: DOWN },                                                  [...LAST_KNOWN, OUTAGE]],
    ['an outage before the list of issues',       { [S]: counted(1), [`${A}/issues`]: DOWN },                                      [...LAST_KNOWN, OUTAGE]],
    ['no list in the response',                   { [S]: counted(1), [`${A}/issues`]: {} },                                        ['a.png unjudged results', 'b.png judged']],
    ['an outage, and more issues are listed',     { [S]: counted(2), [A]: DOWN },                                                  ['a.png unjudged OPEN as last known results', 'b.png judged', OUTAGE]],
    ['not counted, and an outage',                { [S]: counted(null), [A]: DOWN },                                               [...LAST_KNOWN, OUTAGE]],
    ['an outage, and the asset counts more',      { [S]: counted(null), [A]: own({ issueCount: 2 }), [`${A}/issues`]: DOWN },         ['a.png unjudged OPEN as last known results', 'b.png judged', OUTAGE]],
    ['an outage, and the asset says dismissed',   { [S]: counted(null), [A]: own({ issueCount: 1, issues: [DISMISSED] }), [`${A}/issues`]: DOWN }, ['a.png judged DISMISSED', 'b.png judged']],
    ['an outage, and the asset lists more',       { [S]: counted(null), [A]: own({ issueCount: 2, issues: [SECOND] }), [`${A}/issues`]: DOWN }, ['a.png judged OPEN OPEN as last known', 'b.png judged', OUTAGE]],
    ['a rate limit that does not end',            { [S]: LIMITED },                                                                LAST_KNOWN],
    ['a rate limit before the asset',             { [S]: counted(1), [A]: LIMITED },                                               LAST_KNOWN],
    ['a rate limit that ends, and it can fail',   { [S]: counted(1), [`${A}/issues`]: lagging(429, [DISMISSED]) },                      ['a.png judged DISMISSED', 'b.png judged']],
    ['a rate limit that ends, and it cannot',     { [S]: counted(1), [`${A}/issues`]: lagging(429, [DISMISSED]) },                      LAST_KNOWN, { failOnSeverity: 'never' }],
    ['the same, with an issue less',              { [S]: counted(0), [`${A}/issues`]: lagging(429, []) },                               ['a.png judged', 'b.png judged'], { failOnSeverity: 'never' }],
    ['the same, and another number is listed',    { [S]: counted(2), [`${A}/issues`]: lagging(429, [DISMISSED, SECOND]) },              ['a.png judged DISMISSED OPEN', 'b.png judged'], { failOnSeverity: 'never' }],
    ['no time left',                              { [S]: counted(1), [`${A}/issues`]: [DISMISSED] },                               LAST_KNOWN, { minutes: 0 }],
    ['no time left, and more issues are listed',  { [S]: counted(1, 1) },                                                          ['a.png judged OPEN as last known', 'b.png unjudged results'], { minutes: 0 }],
  ])('%s', async ([, responses, expected, options]) => {
    const { short } = await confirmed(REUSE, responses, options);
    expect(short).toEqual(expected);
  });

  it('takes one request for a submission, and one for each asset with issues', async () => {
    const { requests } = await confirmed(REUSE, { [S]: counted(1), [`${A}/issues`]: [DISMISSED] });
    expect(requests).toEqual([S, `${A}/issues`].map((path) => `GET /submissions/${path}`));
  });

  it('1,000 unchanged files with five issues each take 1,001 requests', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
    const five = ['1', '2', '3', '4', '5'].map((id) => issue({ id }));
    const contents = ids.map((id) => known(id, { issues: five }));
    const assets = Object.fromEntries(ids.map((id) => [`asset-${id}`, { issueCount: 5 }]));
    const lists = ids.map((id) => [`${S}/assets/asset-${id}/issues`, five]);
    const files = ids.map((id) => file(`${id}.png`, id));
    const responses = { [S]: submission(S, 'complete', assets), ...Object.fromEntries(lists) };
    const { requests, analyses } = await confirmed(planFor(files, { contents }), responses);
    expect(requests).toHaveLength(1_001);
    expect(analyses.every(({ outcome, lastKnownAt }) => outcome === 'judged' && lastKnownAt === undefined)).toBe(true);
  });

  it('last known results keep their date and version', async () => {
    const facts = { issues: [ISSUE], versionNumber: 3, versionGroupId: 'g' };
    const { analyses } = await confirmed(planFor(FILES.slice(0, 1), { contents: [known('A', facts)] }), {
      [S]: DOWN,
    });
    expect(analyses).toMatchObject([{ ...facts, submissionId: S, assetId: 'asset-A', lastKnownAt: daysAgo(1) }]);
  });

  it('a refusal is reported for each file', async () => {
    const { analyses } = await confirmed(REUSE, { [S]: 403 });
    expect(analyses.map(({ causes }) => causes)).toMatchObject([[{ path: 'a.png' }], [{ path: 'b.png' }]]);
  });

  it.for([401, 402])('%i ends the run', async (status) => {
    await expect(confirmed(REUSE, { [S]: status })).rejects.toMatchObject({ failure: { status } });
    await expect(confirmed(REUSE, { [S]: counted(1), [A]: status })).rejects.toMatchObject({ failure: { status } });
  });
});

it('what can change the verdict comes first; once the service is given up, nothing more is read', async () => {
  const ids = [...Array.from({ length: 12 }, (_, index) => `n${index}`), 'urgent'];
  const contents = ids.map((id) => {
    const worse = id === 'urgent' ? [issue({ severity: 'CRITICAL' })] : [];
    return known(id, { submissionId: id, issues: [issue({ severity: 'MINOR' }), ...worse] });
  });
  const responses = ids.flatMap((id) => [
    [id, submission(id, 'complete', { [`asset-${id}`]: { issueCount: 1 } })],
    [`${id}/assets/asset-${id}/issues`, id === 'urgent' ? [DISMISSED] : DOWN],
  ]);
  const plan = planFor(
    ids.map((id) => file(`${id}.png`, id)),
    { contents },
  );
  const { requests, short } = await confirmed(plan, Object.fromEntries(responses));
  const [first, firstAsset] = [requests[0], requests.find((request) => request.includes('assets'))];
  expect([first, firstAsset]).toEqual(
    ['urgent', 'urgent/assets/asset-urgent/issues'].map((path) => `GET /submissions/${path}`),
  );
  expect(short).toContain('urgent.png judged DISMISSED');
  expect(requests.filter((request) => request.endsWith('/issues')).length).toBeLessThan(12);
});

it('a submission that is complete is used for a file that is reused, although another of its files is awaited', async () => {
  const state = { contents: [known('B'), ...open('s', ['A', 'B'], { sentAt: daysAgo(0.5) })] };
  const { plan } = await confirmed(planFor(FILES, state), {
    'submission-1': counted(0),
    s: submission('s', 'complete', { 'asset-A': { issueCount: 0 }, 'asset-B': { issueCount: 0 } }),
  });
  expect(plan.contents.map(({ source }) => source)).toMatchObject([
    { sent: { submissionId: 's' } },
    { sent: { submissionId: 's' } },
  ]);
});

it('of two open submissions of a file, the earlier one is used if it is complete', async () => {
  const contents = [0.1, 0.5].flatMap((days) => open(`${days}`, ['A'], { sentAt: daysAgo(days) }));
  const { plan } = await confirmed(planFor(FILES.slice(0, 1), { contents }), {
    0.1: submission('0.1', 'processing', {}),
    0.5: submission('0.5', 'complete', { 'asset-A': { issueCount: 0 } }),
  });
  expect(plan.contents).toMatchObject([{ source: { sent: { submissionId: '0.5' } } }]);
});

/** A plan that waits for A and B in the submission `s`. */
function waitingFor(days: number): PlanBasis {
  return planFor(FILES, { contents: open('s', ['A', 'B'], { sentAt: daysAgo(days) }) });
}

/** That submission, in which A has no issues. */
function at(status: string, ofB: Partial<ListedAsset> = {}) {
  return submission('s', status, { 'asset-A': { issueCount: 0 }, 'asset-B': ofB });
}

function b(status: string): object {
  return { assetId: 'asset-B', filename: 'B.png', status };
}

describe('what is awaited', () => {
  const [FAILED, UNFINISHED] = ['earlier analysis failed', 'earlier analysis never finished'];
  const GONE = 'no longer at the service';

  // biome-ignore format: a table
  it.for<[string, number, Responses, readonly string[]]>([
    ['still being analysed',                         0.5,  { s: at('processing') },                                                         []],
    ['complete',                                     0.5,  { s: at('complete') },                                                           []],
    ['failed for good',                              0.5,  { s: at('failed'), 's/assets/asset-B': b('failed') },                            [`b.png: ${FAILED}`]],
    ['failed, and can be retried',                   0.5,  { s: at('failed', { isRetryable: true }), 's/assets/asset-B': b('failed') },     []],
    ['failed, and cannot be read',                   0.5,  { s: at('failed'), 's/assets/asset-B': 404 },                                    []],
    ['over for a day: what is judged stays awaited', 1,    { s: at('complete'), 's/assets/asset-B': b('processing') },                      [`b.png: ${UNFINISHED}`]],
    ['over for a day, and could still be retried',   1,    { s: at('failed', { isRetryable: true }), 's/assets/asset-B': b('failed') },     [`b.png: ${UNFINISHED}`]],
    ['over for less than a day',                     0.99, { s: at('complete'), 's/assets/asset-B': b('processing') },                      []],
    ['over for a day, and its list lags',            1,    { s: lagging(submission('s', 'complete', {}), at('complete', { issueCount: 0 })) }, []],
    ['over for a day, and the status of one lags',   1,    { s: at('complete', { issueCount: 0 }), 's/assets/asset-B': lagging(b('processing'), b('complete')) }, []],
    ['over for a day, and the count of one lags',    1,    { s: lagging(at('complete'), at('complete', { issueCount: 0 })) },                [] ],
    ['over for a day, and one is missing at first',  1,    { s: at('complete', { issueCount: 0 }), 's/assets/asset-B': lagging(404, b('complete')) }, []],
    ['not over after seven days',                    7,    { s: submission('s', 'processing', {}) },                                        [`a.png: ${UNFINISHED}`, `b.png: ${UNFINISHED}`]],
    ['not over after less',                          6.99, { s: submission('s', 'processing', {}) },                                        []],
    ['gone',                                         0.5,  {},                                                                              [`a.png: ${GONE}`, `b.png: ${GONE}`]],
    ['missing for ten seconds',                      0.5,  { s: lagging(404, at('processing')) },             []],
    ['refused',                                      7,    { s: 403 },                                                                      []],
    ['an outage',                                    7,    { s: DOWN },                                                                     [OUTAGE]],
    ['an outage before its assets',                  7,    { s: at('failed'), 's/assets/asset-A': DOWN },                                   []],
  ])('%s', async ([, days, responses, expected]) => {
    expect((await confirmed(waitingFor(days), responses)).short).toEqual(expected);
  });

  // biome-ignore format: a table
  it.for<[string, number, Responses, readonly string[], string]>([
    ['is not over',                          0.5, { s: at('processing') },                                                     ['a.png judged', 'b.png judged'], 'submission-1'],
    ['is complete',                          0.5, { s: at('complete', { issueCount: 0 }) },                                    [],                               's'],
    ['is complete, and one cannot be read',  0.5, { s: at('complete', { issueCount: 0 }), 's/assets/asset-B': 404 },           ['b.png judged'],                 's'],
    ['is complete, and one never finishes',  0.5, { s: at('complete'), 's/assets/asset-B': b('processing') },                  ['b.png judged'],                 's'],
    ['has failed',                           0.5, { s: at('failed'), 's/assets/asset-B': b('failed') },                        ['b.png judged', `b.png: ${FAILED}`], 's'],
    ['has failed, and could be retried',     0.5, { s: at('failed', { isRetryable: true }), 's/assets/asset-B': b('failed') }, ['b.png judged'],                 's'],
    ['was never finished',                   7,   { s: submission('s', 'processing', {}) },                                    ['a.png judged', `a.png: ${UNFINISHED}`, 'b.png judged', `b.png: ${UNFINISHED}`], 'submission-1'],
    ['is gone',                              0.5, {},                                                                          ['a.png judged', `a.png: ${GONE}`, 'b.png judged', `b.png: ${GONE}`], 'submission-1'],
    ['is gone, as is the earlier one',       0.5, { [S]: 404 },                                                                [`a.png: ${GONE}`, `a.png: ${GONE}`, `b.png: ${GONE}`, `b.png: ${GONE}`], ''],
    ['is still there, unlike the earlier',   0.5, { [S]: 404, s: at('processing') },                                           [`a.png: ${GONE}`, `b.png: ${GONE}`], 's'],
    ['is refused',                           0.5, { s: 403 },                                                                  ['a.png judged', 'b.png judged'], 'submission-1'],
    ['is not read in an outage',             0.5, { s: DOWN },                                                                 ['a.png judged', 'b.png judged', OUTAGE], 'submission-1'],
  ])('instead of an earlier analysis, if it %s', async ([, days, responses, expected, source]) => {
    const contents = ['A', 'B'].map((seed) => known(seed, { analysedAt: daysAgo(days + 1) }));
    const state = { contents: [...contents, ...open('s', ['A', 'B'], { sentAt: daysAgo(days) })]  };
    const { short, plan, statesRead } = await confirmed(planFor(FILES, state), { [S]: counted(0), ...responses });
    expect(short).toEqual(expected);
    expect(statesRead, 'Others are read only for what would be sent.').toBe(source === '' ? 1 : 0);
    const [first] = plan.contents.map((each) => (each.source.kind === 'submit' ? '' : each.source.sent.submissionId));
    expect(first).toBe(source);
  });

  it.for(['processing', 'complete'])(
    'read as an analysis, if it is %s and another state knows its results',
    async (status) => {
      const [lost, awaited] = [known('A'), open('s', ['B'], { sentAt: daysAgo(0.5) })];
      const later = { contents: [lost, known('B', { submissionId: 's', analysedAt: daysAgo(0.4) })] };
      const responses = { s: at(status, { issueCount: 0 }) };
      const { short, plan } = await confirmed(planFor(FILES, { contents: [lost, ...awaited] }), responses, { later });
      expect(plan.contents.map(({ source }) => source.kind)).toEqual(['submit', 'reuse']);
      expect(short).toEqual([`a.png: ${GONE}`, 'b.png judged']);
    },
  );

  it('reused and awaited submissions share the 20 s', async () => {
    const plan = planFor([...FILES, file('c.png', 'C')], {
      contents: [known('A'), known('B'), ...open('s', ['C'])],
    });
    const { seconds, short } = await confirmed(plan, {});
    expect([short.length, Math.round(seconds)]).toEqual([3, 20]);
  });
});
