import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import { type Analysis, analysesOf } from '../../src/service/analysis.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import { type AssetReading, type Retry, readAssets, unreadAsset } from '../../src/service/read-asset.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { clientOf, content, deadlineIn, issues, listedAsset, refusal, response } from './things.ts';

const a = content('a');

interface Responses {
  readonly listed?: Partial<ListedAsset>;
  /** The asset itself; a number is a status. */
  readonly own?: object | number;
  /** The list of its issues. */
  readonly list?: unknown;
  readonly mode?: Mode;
  /** An earlier reading of it. */
  readonly before?: AssetReading;
}

const FIRST = unreadAsset('S', listedAsset('1', { issueCount: 1 }));
const BEFORE: AssetReading = {
  ...FIRST,
  filename: a.name,
  status: 'complete',
  issues: issues('x'),
  hasUnreadIssues: true,
};

function items(...ids: readonly string[]): readonly object[] {
  return ids.map((id) => ({ id, severity: 'MINOR' }));
}

/** What is made of one asset that the service describes in this way. */
async function judged({ listed = { issueCount: 0 }, own = {}, list = 404, mode = 'live', before }: Responses) {
  const { client } = clientOf((request) => {
    if (request.endsWith('/issues')) return typeof list === 'number' ? response(list) : response(200, list);
    if (typeof own === 'number') return response(own);
    return response(200, { assetId: '1', filename: a.name, status: 'complete', ...own });
  });
  const first = before ?? unreadAsset('S', listedAsset('1', listed));
  const readings = await readAssets([first], { client, mode, deadlineFor: () => deadlineIn(30) });
  return analysisOf({ mode, readings });
}

function analysisOf(facts: Partial<Parameters<typeof analysesOf>[1]>): Analysis {
  const [analysis] = analysesOf([a], { submissionId: 'S', mode: 'live', isListed: true, readings: [], ...facts });
  assert(analysis);
  return analysis;
}

function messageOf({ causes }: Analysis): string {
  return causes.map(({ message }) => message).join('\n');
}

it('the list of issues says more than the asset itself', async () => {
  const [own, list] = ['own', 'list'].map((summary) => [{ id: 'x', severity: 'MINOR', summary }]);
  const { issues } = await judged({ listed: { issueCount: 1 }, own: { issues: own }, list });
  expect(issues).toMatchObject([{ id: 'x', summary: 'list' }]);
});

describe('the one rule of judgement', () => {
  // biome-ignore format: a table
  it.each<[string, Responses, string]>([
    ['no issues: their list is not read',      {},                                                                         ''],
    ['as many issues as are counted',          { listed: { issueCount: 2 }, list: items('x', 'y') },                       ''],
    ['a list within an object',                { listed: { issueCount: 1 }, list: { total: 1, issues: items('x') } },      ''],
    ['two lists that are only together whole', { listed: { issueCount: 2 }, own: { issues: items('x') }, list: items('y') }, ''],
    ['a count of the asset itself',            { listed: {}, own: { issueCount: 0 } },                                     ''],
    ['no count in a sandbox',                  { listed: {}, mode: 'sandbox' },                                            ''],
    ['the highest count is the one',           { listed: { issueCount: 1 }, own: { issueCount: 3 }, list: items('x', 'y') }, 'counts 3 issues, but only 2 could be read'],
    ['whichever response gave it',             { listed: { issueCount: 3 }, own: { issueCount: 1 }, list: items('x', 'y') }, 'counts 3 issues, but only 2 could be read'],
    ['the length of a list counts',            { listed: { issueCount: 1 }, list: [...items('x'), {}] },                   'counts 2 issues, but only 1 could be read'],
    ['an unreadable item beside enough',       { listed: { issueCount: 1 }, own: { issues: items('y') }, list: [...items('x'), {}] }, 'lists an issue that could not be read'],
    ['an unreadable item of the asset itself', { listed: { issueCount: 1 }, own: { issues: [{}] }, list: items('x') },     'lists an issue that could not be read'],
    ['an unreadable item in a sandbox',        { listed: {}, mode: 'sandbox', own: { issues: [{}] } },                     'lists an issue that could not be read'],
    ['null is never 0',                        { listed: {}, own: { issueCount: null }, list: [] },                        'not how many issues it found'],
    ['null is not the length of a list',       { listed: {}, list: items('x') },                                           'not how many issues it found'],
    ['no list in the response',                { listed: { issueCount: 1 }, list: {} },                                    'counts 1 issue, but only 0 could be read'],
    ['a list that is not there',               { listed: { issueCount: 1 } },                                              'answered 404 while reading the issues'],
    ['an asset that is not complete',          { own: { status: 'processing' } },                                          'reports the status "processing" for this file'],
    ['an asset that is not there',             { own: 404 },                                                               'has no asset with the name of this file. Its assets: 1 (The service answered 404'],
    ['an earlier reading still counts',        { before: { ...BEFORE, hasUnreadIssues: false }, own: 404 },                ''],
    ['so does its unreadable item',            { before: BEFORE, own: 404 },                                               'answered 404 while reading an asset'],
    ['even if only the list is not there',     { before: BEFORE, own: {} },                                                'answered 404 while reading the issues'],
    ['a later reading replaces it',            { before: BEFORE, own: { issues: items('x') }, list: items('x') },          ''],
    ['an earlier error does not',              { before: { ...FIRST, error: new ServiceError('reading an asset', refusal(404)) }, own: { status: 'processing' } }, 'reports the status "processing" for this file'],
    ['another name',                           { own: { filename: 'other.png' } },                                         'has no asset with the name of this file. Its assets: other.png.'],
  ])('%s', async (_, responses, missing) => {
    const analysis = await judged(responses);
    expect(messageOf(analysis)).toContain(missing);
    expect(analysis.outcome).toBe(missing === '' ? 'judged' : 'unjudged');
    expect(analysis.causes.map(({ reason, path }) => `${reason} ${path}`)).toEqual(missing === '' ? [] : ['results a']);
  });

  it('issues that were read count, whatever is missing', async () => {
    const { issues: read } = await judged({ listed: { issueCount: 5 }, own: { issues: items('x') }, list: items('y') });
    expect(read.map(({ id }) => id).toSorted()).toEqual(['x', 'y']);
  });

  it.for<[string, number, readonly [errors: number, requests: number]]>([
    ['that are not there do not keep the others from being read', 404, [8, 20]],
    ['that the service does not answer for are the last ones that it is asked for', 429, [20, 8]],
  ])('assets %s', async ([, status, counts]) => {
    const ids = Array.from({ length: 20 }, (_, index) => `${index}`);
    const { client, requests } = clientOf((request) => {
      const assetId = request.split('/').at(-1);
      return Number(assetId) < 8
        ? response(status, {}, '3600')
        : response(200, { assetId, filename: a.name, status: 'complete' });
    });
    const readings = await readAssets(
      ids.map((id) => unreadAsset('S', listedAsset(id, { issueCount: 0 }))),
      { client, mode: 'live', deadlineFor: () => deadlineIn(30) },
    );
    expect([readings.filter(({ error }) => error).length, requests.length]).toEqual(counts);
  });

  it('the version of the list, or else of the asset itself', async () => {
    const own = { versionNumber: 3, versionGroupId: 'own' };
    expect(await judged({ listed: { issueCount: 0, versionNumber: 2 }, own })).toMatchObject({ versionNumber: 2 });
    expect(await judged({ listed: { issueCount: 0, versionNumber: null }, own })).toMatchObject(own);
  });
});

const TIMEOUT: Cause = { reason: 'timeout', message: 'Too late.', steps: [] };
const DOWN = new ServiceError('reading an asset', refusal(503));
const LIMITED = new ServiceError('reading an asset', refusal(429));
const GONE = new ServiceError('reading the issues', refusal(404));
const SURPLUS =
  'The submission has an asset whose file name could not be read, and every file has an asset already. It may be a second asset of one of the files, so none of them passes.';
const RETRY: Retry = {
  count: 1,
  problem: undefined,
  retryCount: 0,
  hasShown: false,
  showsUntil: 0,
  isMoved: false,
};
const BROKEN = { errorType: 'E', errorMessage: 'It broke.' };

function reading(facts: Partial<AssetReading>, listed: Partial<ListedAsset> = {}, id = '1'): AssetReading {
  return { ...unread(facts, listed, id), filename: a.name, status: 'complete', issueCount: 0, ...facts };
}

function unread(facts: Partial<AssetReading>, listed: Partial<ListedAsset> = {}, id = '1'): AssetReading {
  return { ...unreadAsset('S', listedAsset(id, listed)), ...facts };
}

describe('whatever does not fit is not judged', () => {
  // biome-ignore format: a table
  it.each<[string, readonly AssetReading[], Cause | undefined, string]>([
    ['no assets at all',                          [],                                                            undefined, 'unjudged results S: The submission has no asset with the name of this file. It has no assets.'],
    ['two assets of one name',                    [reading({}), reading({}, {}, '2')],                           undefined, 'unjudged results S: The submission has 2 assets with the name of this file.'],
    ['failed, with the words of the service',     [reading({ status: 'failed' }, BROKEN)],                       undefined, 'failed asset-failed S: The service could not analyse the file: E: It broke.'],
    ['failed, without any',                       [reading({ status: 'failed' })],                               undefined, 'failed asset-failed S: The service could not analyse the file: it gave no reason.'],
    ['failed, and the wait was interrupted',      [reading({ status: 'failed' }, BROKEN)],                       TIMEOUT,   'failed asset-failed S: The service could not analyse the file: E: It broke.'],
    ['complete beside an old error text',         [reading({}, BROKEN)],                                         undefined, 'judged '],
    ['complete before the interruption',          [reading({})],                                                 TIMEOUT,   'judged '],
    ['complete with a fact missing',              [reading({ issueCount: undefined })],                          TIMEOUT,   'unjudged results S: The service says that the analysis is complete, but not how many issues it found.'],
    ['unfinished at the interruption',            [reading({ status: 'processing' })],                           TIMEOUT,   'unjudged timeout: Too late.'],
    ['unread at the interruption',                [unread({})],                                             TIMEOUT,   'unjudged timeout: Too late.'],
    ['unread, and it may have failed',            [unread({}, BROKEN)],                                     TIMEOUT,   'unjudged results S: The submission has no asset with the name of this file. Its assets: 1 (E: It broke).'],
    ['unread because of an outage',               [unread({ error: DOWN })],                         undefined, 'unjudged service open: The service answered 503 while reading an asset.'],
    ['unread because of a rate limit',            [unread({ error: LIMITED })],                      undefined, 'unjudged service open: The service answered 429 while reading an asset.'],
    ['unread in an outage, and may have failed',  [unread({ error: DOWN }, BROKEN)],                 undefined, 'unjudged results S: The submission has no asset with the name of this file. Its assets: 1 (E: It broke).'],
    ['unread, and one of two may have failed',    [unread({}), unread({}, BROKEN, '2')],                    TIMEOUT,   'unjudged results S: The submission has no asset with the name of this file. Its assets: 1 (not read), 2 (E: It broke).'],
    ['an outage before the list of issues',       [reading({ issueCount: 1, error: DOWN })],                     undefined, 'unjudged service open: The service answered 503 while reading an asset.'],
    ['its issues are gone',                       [reading({ issueCount: 1, error: GONE })],                     undefined, 'unjudged results: The service answered 404 while reading the issues.'],
    ['an outage that hit another file',           [reading({ filename: 'other.png', error: DOWN })],             undefined, 'unjudged results S: The submission has no asset with the name of this file. Its assets: other.png.'],
    ['unread, and another file has failed',       [unread({}), reading({ filename: 'other.png', status: 'failed' }, BROKEN, '2')], TIMEOUT, 'unjudged timeout: Too late.'],
    ['beside an unread asset too many',           [reading({}), unread({}, {}, '2')],                            TIMEOUT,   `unjudged results: ${SURPLUS}`],
    ['with a fact missing, beside one too many',  [reading({ issueCount: undefined }), unread({}, {}, '2')],     undefined, 'unjudged results S: The service says that the analysis is complete, but not how many issues it found.'],
  ])('%s', (_, readings, ended, expected) => {
    const { outcome, causes } = analysisOf({ readings, cause: ended });
    const cause = causes.map(({ reason, submission, submissionId, message }) => `${[reason, submission, submissionId].filter(Boolean).join(' ')}: ${message}`);
    expect(`${outcome} ${cause.join()}`).toBe(expected);
  });

  it('without the list of assets nothing is judged', () => {
    const facts = { readings: [reading({})], cause: TIMEOUT, isListed: false };
    expect(analysisOf(facts)).toMatchObject({ outcome: 'unjudged', causes: [TIMEOUT] });
    // What no timeout excuses comes first.
    const tooMany = { ...facts, readings: [...facts.readings, unread({}, {}, '2')] };
    expect(analysisOf(tooMany)).toMatchObject({ causes: [{ reason: 'results', message: SURPLUS }] });
  });

  it('of two assets with one name the issues of both count', () => {
    const readings = [reading({ issues: issues('x') }), reading({ issues: issues('x', 'y') }, {}, '2')];
    const { issues: read } = analysisOf({ readings });
    expect(read.map(({ id }) => id).toSorted()).toEqual(['x', 'y']);
  });

  // biome-ignore format: a table
  it.each<[Partial<Retry>, string]>([
    [{ count: 1, hasShown: true },     'could not analyse the file after 1 retry: E: It broke.'],
    [{ count: 1 },                     'could not analyse the file after 1 retry: E: It broke. It was not retried again: the service accepted a retry that showed no effect.'],
    [{ count: 0, problem: 'No' },      'could not analyse the file: E: It broke. It was not retried: No.'],
    [{ count: 2, problem: 'No' },      'could not analyse the file after 2 retries: E: It broke. It was not retried again: No.'],
  ])('failed with the retry %o', (facts, expected) => {
    const retry = { ...RETRY, ...facts };
    const analysis = analysisOf({ readings: [reading({ status: 'failed', retry }, BROKEN)] });
    expect(analysis.retries).toBe(facts.count);
    expect(messageOf(analysis)).toBe(`The service ${expected}`);
  });
});
