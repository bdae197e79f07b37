import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from './caller.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const TEXT = expect.stringMatching(/./);
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

it('every resource has the fields of the interface and no other', async ({ submitted }) => {
  const issues = [{ ruleCode: 'A', summary: 'Too good.' }, { ruleCode: 'A' }, { ruleCode: 'B' }];
  const { workspace, caller, submissionId, assetId, asset, read } = await submitted({ default: { issues } });
  const created = await caller.post('/submissions', { assets: [{ blobPath: await caller.upload('b.png') }] });
  expect([created.status, created.json]).toEqual([
    201,
    {
      submissionId: UUID,
      workflowId: TEXT,
      status: 'submitted',
      // The interface describes this field, but does not name it.
      liveChannel: TEXT,
      assets: [{ assetId: UUID, versionGroupId: UUID, versionNumber: 1 }],
    },
  ]);
  const versionGroupId = workspace.submissions[0]?.assets[0]?.versionGroupId;
  const version = { assetId, versionGroupId, versionNumber: 1, issueCount: 3 };
  expect(await read()).toEqual({
    submissionId,
    workflowId: TEXT,
    workspaceId: workspace.id,
    status: 'complete',
    progressPercent: 100,
    createdAt: TEXT,
    completedAt: TEXT,
    errorMessage: null,
    assets: [{ ...version, errorMessage: null, errorType: null, isRetryable: false, retryCount: 0 }],
    isRetryable: false,
  });

  const judged = { summary: 'Too good.', severity: 'MAJOR', status: 'OPEN' };
  const first = { id: UUID, referenceNumber: 1, ruleCode: 'A', ...judged };
  const file = { submissionId, filename: 'a.png', mimeType: 'image/png' };
  const judgedAsset = await read(asset);
  expect(judgedAsset).toEqual({ ...version, ...file, status: 'complete', issues: judgedAsset.issues });
  expect(judgedAsset.issues[0]).toEqual(first);

  expect((await read(`${asset}/issues`)).issues[0]).toEqual({
    ...first,
    createdAt: TEXT,
    updatedAt: TEXT,
    sidekickId: UUID,
    severityReasoning: TEXT,
    severityReasoningHeadline: TEXT,
    precedents: [{ url: TEXT, title: TEXT, decision: TEXT, date: TEXT }],
  });

  expect(await read(`${asset}/topics`)).toMatchObject({
    assetId,
    topics: [{ issues: [{ ruleCode: 'A' }, { ruleCode: 'A' }] }],
    orphanIssues: [{ ruleCode: 'B' }],
    metadata: {},
  });
});

it('reads of what does not exist are 404, and 422 if it is no UUID', async ({ submitted }) => {
  const { caller, submission, asset } = await submitted();
  const other = await caller.submit('b.png');
  const { caller: stranger } = await submitted();
  expect((await stranger.get(submission)).status).toBe(404);
  for (const [path, status] of [
    [submission.toUpperCase().replace('SUBMISSIONS', 'submissions'), 200],
    [`/submissions/${NOBODY}`, 404],
    [`${submission}/status`, 404],
    [`${submission}/assets/${NOBODY}`, 404],
    [`/submissions/${other.submissionId}${asset}`, 404],
    ['/submissions/first', 422],
    [`${submission}/assets/1`, 422],
  ] as const)
    expect([path, (await caller.get(path)).status]).toEqual([path, status]);
});

it.for<[string, Scenario, object, readonly number[]]>([
  ['is unfinished', { default: { reads: 1, issues: [{}] } }, { status: 'processing', issues: [] }, [200, 404]],
  ['failed', { default: { fails: {} } }, { status: 'failed', issueCount: null }, [200, 404]],
])('an asset that %s has no issues or topics', async ([, scenario, result, [own, lists]], { submitted }) => {
  const { caller, submission, asset } = await submitted(scenario);
  const get = async (part: string) => await caller.get(submission + asset + part);
  const { status, json } = await get('');
  expect([status, json]).toEqual([own, expect.objectContaining(result)]);
  expect([(await get('/issues')).status, (await get('/topics')).status]).toEqual([lists, lists]);
});

it.for<[string, Scenario, number[]]>([
  ['is complete', {}, [409]],
  ['failed for good', { default: { fails: { isRetryable: false } } }, [409]],
  ['failed, and whose retry succeeds', { default: { fails: { times: 1 } } }, [202, 409]],
  ['fails each time', { default: { fails: {} } }, [202, 202, 202, 409]],
])('the retries of an asset that %s', async ([, scenario, expected], { submitted }) => {
  const { caller, submission, asset } = await submitted(scenario);
  const retry = async (body?: object) => (await caller.post(`${submission}${asset}/retry`, body)).status;
  expect(await retry({ reason: 'A retry has no body.' })).toBe(422);
  const statuses: number[] = [];
  for (const _ of expected) statuses.push(await retry());
  expect(statuses).toEqual(expected);
});

it('a retry that is in flight is not repeated', async ({ submitted }) => {
  const { workspace, caller, submission, asset, read } = await submitted({ default: { fails: {} } });
  workspace.load({ default: { reads: 9 } });
  const retry = async () => (await caller.post(`${submission}${asset}/retry`)).status;
  expect([await retry(), await retry()]).toEqual([202, 409]);
  expect(await read()).toMatchObject({ assets: [{ retryCount: 1 }] });
});
