import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { it, list, text } from './caller.ts';

const TEXT = expect.stringMatching(/./);
const NAME = `hero-${'0a'.repeat(16)}.png`;

const TWO_ISSUES = { default: { issues: [{ ruleCode: 'A' }, { ruleCode: 'B' }] } };

it.for<[NonNullable<Scenario['filenames']>, string]>([
  ['upper-case', NAME.toUpperCase()],
  ['lower-case', NAME],
  ['underscores', `hero_${'0a'.repeat(16)}.png`],
  ['letters-and-digits', `hero${'0a'.repeat(16)}.png`],
  ['in-folder', `uploads/${NAME}`],
  ['without-extension', NAME.replace('.png', '')],
  ['cut-to-64', NAME],
])('file names: %s', async ([filenames, expected], { submitted }) => {
  const { read, assets } = await submitted({ filenames }, NAME);
  expect(await read(assets[0])).toMatchObject({ filename: expected });
  expect(list((await read('/versions'))['versions'])).toMatchObject([{ filename: expected }]);
});

it('each issue is listed twice, in another order each time', async ({ submitted }) => {
  const { read, assets } = await submitted({ ...TWO_ISSUES, repeatIssues: 2, shuffleIssues: true }, NAME);
  const rules = async () => list((await read(`${assets[0]}/issues`))['issues']).map(({ ruleCode }) => text(ruleCode));
  const [one, other] = [await rules(), await rules()];
  expect(one).not.toEqual(other);
  expect([one.toSorted(), other.toSorted()]).toEqual([
    ['A', 'A', 'B', 'B'],
    ['A', 'A', 'B', 'B'],
  ]);
  expect(await read()).toMatchObject({ assets: [{ issueCount: 4 }] });
  expect(await read(assets[0])).toMatchObject({ issueCount: 4 });
});

it.for<[NonNullable<Scenario['issueCounts']>, number | null, number | null]>([
  ['all', 2, 2],
  ['submission', 2, null],
  ['asset', null, 2],
  ['none', null, null],
])('counts of issues: %s', async ([issueCounts, inSubmission, inAsset], { submitted }) => {
  const { read, assets } = await submitted({ ...TWO_ISSUES, issueCounts }, NAME);
  expect(await read()).toMatchObject({ assets: [{ issueCount: inSubmission }] });
  expect(await read(assets[0])).toMatchObject({ issueCount: inAsset });
});

it('until the end, assets are null and statuses have words of their own', async ({ setUp }) => {
  const { workspace, caller } = setUp({ scenario: { default: { reads: 2 } } });
  const { submissionId, assetIds } = await caller.submit(NAME);
  const words = { statusWhileUnfinished: 'queued', assetStatusWhileUnfinished: 'waiting' };
  workspace.load({ assetsNullUntilEnd: true, ...words });
  const read = async (path = '') => (await caller.get(`/submissions/${submissionId}${path}`)).json;
  expect(await read(`/assets/${assetIds[0]}`)).toMatchObject({ status: 'waiting' });
  expect(await read()).toMatchObject({ status: 'queued', assets: null });
  expect(await read()).toMatchObject({ status: 'complete', assets: [{}] });
  const blobPath = await caller.upload('b.png');
  expect((await caller.post('/submissions', { assets: [{ blobPath }] })).json).toMatchObject({ assets: null });
});

it('a retry appends a version, and the failed one stays in the list', async ({ submitted }) => {
  const { caller, submission, assets, read } = await submitted({
    default: { fails: { times: 1 }, issues: [{}] },
    retryCreates: 'version',
  });
  expect((await caller.post(`${submission}${assets[0]}/retry`)).status).toBe(202);
  const shown = await read();
  const [failed, next] = list(shown['assets']);
  expect(shown).toMatchObject({ status: 'complete', errorMessage: null });
  expect(failed).toMatchObject({ versionNumber: 1, errorType: 'ANALYSIS_ERROR', issueCount: null });
  expect(next).toMatchObject({ versionNumber: 2, errorType: null, issueCount: 1, retryCount: 1 });
  expect(next?.['versionGroupId']).toBe(failed?.['versionGroupId']);
  expect((await caller.post(`${submission}${assets[0]}/retry`)).status).toBe(409);
});

it('one retry at a time: the next is accepted when the first has ended', async ({ submitted }) => {
  const { workspace, caller, submission, assets, read } = await submitted({ default: { fails: {} } }, 'a.png', 'b.png');
  workspace.load({ default: { reads: 1 }, oneRetryAtATime: true });
  const retry = async (nth: number) => (await caller.post(`${submission}${assets[nth]}/retry`)).status;
  expect([await retry(0), await retry(1)]).toEqual([202, 409]);
  await read();
  expect([(await read())['status'], await retry(1)]).toEqual(['failed', 202]);
});

it('an asset is unfinished for a while although its submission is complete', async ({ submitted }) => {
  const { read, assets } = await submitted({ default: { issues: [{}], lateResultReads: 1 } }, NAME);
  expect(await read()).toMatchObject({ status: 'complete', assets: [{ issueCount: 1 }] });
  expect(await read(assets[0])).toMatchObject({ status: 'processing', issues: [], issueCount: null });
  expect(await read(assets[0])).toMatchObject({ status: 'complete', issues: [{}], issueCount: 1 });
});

it.for<[NonNullable<Scenario['optionalFields']>, object]>([
  ['null', { mimeType: null, issueCount: null, versionNumber: 1, versionGroupId: null }],
  ['left-out', {}],
])('fields that an asset result need not have: %s', async ([optionalFields, expected], { submitted }) => {
  const { read, assets } = await submitted({ optionalFields }, NAME);
  const { assetId, submissionId, filename, status, issues, ...rest } = await read(assets[0]);
  expect([filename, status, issues, assetId, submissionId]).toEqual([NAME, 'complete', [], TEXT, TEXT]);
  expect(rest).toEqual(expected);
});

it('responses have another form: codes, headers, compression, identifiers, nulls', async ({ submitted }) => {
  const { caller, submission } = await submitted({
    successStatus: 203,
    headerCase: 'upper',
    gzip: true,
    idCase: 'upper',
    omitNulls: true,
    redirectToSlash: 308,
    versionsList: { as: 'array' },
  });
  const { status, headers, json } = await caller.get(submission);
  expect([status, headers.get('content-encoding')]).toEqual([203, 'gzip']);
  expect(json['submissionId']).toBe(submission.replace('/submissions/', '').toUpperCase());
  expect(json).not.toHaveProperty('errorMessage');
  expect((await caller.get('/submissions/1')).headers.get('content-encoding')).toBe('gzip');
});

it.for([
  ['replaced', 201],
  ['BlobAlreadyExists', 409],
  ['ConditionNotMet', 412],
  ['PreconditionFailed', 412],
] as const)('a PUT of an existing blob: %s', async ([existingBlobs, status], { setUp }) => {
  const { caller } = setUp({ scenario: { existingBlobs } });
  const { json } = await caller.post('/uploads/url', { filename: NAME, contentType: 'image/png' });
  const put = async () => {
    const headers = { 'x-ms-blob-type': 'BlockBlob' };
    const response = await fetch(text(json['uploadUrl']), { method: 'PUT', headers, body: Buffer.from(png('a')) });
    return [response.status, await response.text()] as const;
  };
  expect((await put())[0]).toBe(201);
  const [again, body] = await put();
  expect(again).toBe(status);
  if (status !== 201) expect(body).toContain(`<Code>${existingBlobs}</Code>`);
});
