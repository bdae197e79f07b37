import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { it, list, text } from './caller.ts';

const NAME = `hero-${'0a'.repeat(16)}.png`;

const TWO_ISSUES = { default: { issues: [{ ruleCode: 'A' }, { ruleCode: 'B' }] } };

/** What the submission and its asset show. */
it.for<[Scenario, submission: object, asset: object]>([
  [{ filenames: 'upper-case' }, {}, { filename: NAME.toUpperCase() }],
  [{ filenames: 'underscores' }, {}, { filename: `hero_${'0a'.repeat(16)}.png` }],
  [{ filenames: 'letters-and-digits' }, {}, { filename: `hero${'0a'.repeat(16)}.png` }],
  [{ filenames: 'in-folder' }, {}, { filename: `uploads/${NAME}` }],
  [{ filenames: 'without-extension' }, {}, { filename: NAME.replace('.png', '') }],
  [{ filenames: 'cut-to-64' }, {}, { filename: NAME }],
  [{ issueCounts: 'submission' }, { assets: [{ issueCount: 2 }] }, { issueCount: null }],
  [{ issueCounts: 'asset' }, { assets: [{ issueCount: null }] }, { issueCount: 2 }],
  [{ issueCounts: 'none' }, { assets: [{ issueCount: null }] }, { issueCount: null }],
  [{ repeatIssues: 2 }, { assets: [{ issueCount: 4 }] }, { issueCount: 4 }],
  [{ optionalFields: 'null' }, {}, { mimeType: null, issueCount: null, versionNumber: 1, versionGroupId: null }],
])('the manner %j', async ([manner, submission, asset], { submitted }) => {
  const { read, assets } = await submitted({ ...TWO_ISSUES, ...manner }, NAME);
  expect(await read()).toMatchObject(submission);
  expect(await read(assets[0])).toMatchObject(asset);
});

it('fields that an asset result need not have are left out', async ({ submitted }) => {
  const { read, assets } = await submitted({ optionalFields: 'left-out' }, NAME);
  expect(Object.keys(await read(assets[0])).toSorted()).toEqual([
    'assetId',
    'filename',
    'issues',
    'status',
    'submissionId',
  ]);
});

it('issues are listed in another order each time', async ({ submitted }) => {
  const { read, assets } = await submitted({ ...TWO_ISSUES, repeatIssues: 2, shuffleIssues: true }, NAME);
  const rules = async () => list((await read(`${assets[0]}/issues`))['issues']).map(({ ruleCode }) => text(ruleCode));
  const [one, other] = [await rules(), await rules()];
  expect(one).not.toEqual(other);
  expect([one.toSorted().join(''), other.toSorted().join('')]).toEqual(['AABB', 'AABB']);
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
