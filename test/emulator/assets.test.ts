import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base } from './caller.ts';

const it = base.extend('submitted', ({ setUp }) => async (scenario: Scenario) => {
  const { workspace, caller } = setUp({ scenario });
  const { submissionId, assetIds } = await caller.submit('a.png');
  const submission = `/submissions/${submissionId}`;
  const [assetId] = assetIds;
  return { workspace, caller, submissionId, submission, assetId, asset: `${submission}/assets/${assetId}` };
});

const NOBODY = '00000000-0000-4000-8000-000000000000';
const THREE: Scenario = {
  default: { issues: [{ ruleCode: 'A' }, { ruleCode: 'A' }, { ruleCode: 'B', severity: 'INFO' }] },
};

describe('an asset result', () => {
  it('returns every field, issues in the compact form', async ({ submitted }) => {
    const { workspace, caller, asset, assetId, submissionId } = await submitted({
      default: { issues: [{ ruleCode: 'A', severity: 'CRITICAL', summary: 'Too good.' }] },
    });
    const { status, json } = await caller.get(asset);
    expect(status).toBe(200);
    expect(json).toEqual({
      assetId,
      submissionId,
      filename: 'a.png',
      status: 'complete',
      issues: [
        {
          id: expect.any(String),
          referenceNumber: 1,
          ruleCode: 'A',
          summary: 'Too good.',
          severity: 'CRITICAL',
          status: 'OPEN',
        },
      ],
      mimeType: 'image/png',
      issueCount: 1,
      versionNumber: 1,
      versionGroupId: workspace.submissions[0]?.assets[0]?.versionGroupId,
    });
  });

  it('is there before the asset has finished, and after it failed, without issues', async ({ submitted }) => {
    const slow = await submitted({ default: { reads: 1, issues: [{}] } });
    expect((await slow.caller.get(slow.asset)).json).toMatchObject({
      status: 'processing',
      issues: [],
      issueCount: null,
    });
    const failed = await submitted({ default: { fails: {} } });
    expect((await failed.caller.get(failed.asset)).json).toMatchObject({
      status: 'failed',
      issues: [],
      issueCount: null,
    });
  });

  it('returns 404 for an unknown asset, one of another submission, and the old suffix', async ({ submitted }) => {
    const { caller, asset, assetId, submission } = await submitted({});
    const other = await caller.submit('b.png');
    expect((await caller.get(`${submission}/assets/${NOBODY}`)).status).toBe(404);
    expect((await caller.get(`/submissions/${other.submissionId}/assets/${assetId}`)).status).toBe(404);
    expect((await caller.get(`${asset}/results`)).status).toBe(404);
    expect((await caller.get(`${submission}/assets/1`)).status).toBe(422);
  });
});

describe('the list of issues', () => {
  it('has every field, with defaults for those that the scenario leaves out', async ({ submitted }) => {
    const { caller, asset } = await submitted({ default: { issues: [{}] } });
    const { status, json } = await caller.get(`${asset}/issues`);
    expect(status).toBe(200);
    const text = expect.stringMatching(/./);
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(json['issues']).toEqual([
      {
        id: uuid,
        summary: text,
        severity: 'MAJOR',
        status: 'OPEN',
        createdAt: text,
        updatedAt: text,
        referenceNumber: 1,
        ruleCode: text,
        sidekickId: uuid,
        severityReasoning: text,
        severityReasoningHeadline: text,
        precedents: [{ url: text, title: text, decision: text, date: text }],
      },
    ]);
  });

  it('returns 404 before the asset has finished, and after it failed', async ({ submitted }) => {
    const slow = await submitted({ default: { reads: 5 } });
    const failed = await submitted({ default: { fails: {} } });
    for (const { caller, asset } of [slow, failed]) {
      expect((await caller.get(`${asset}/issues`)).status).toBe(404);
      expect((await caller.get(`${asset}/topics`)).status).toBe(404);
    }
  });
});

describe('topics', () => {
  it('group two or more issues of a rule and leave the others alone', async ({ submitted }) => {
    const { caller, asset, assetId } = await submitted(THREE);
    const { status, json } = await caller.get(`${asset}/topics`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      assetId,
      topics: [{ issues: [{ ruleCode: 'A' }, { ruleCode: 'A' }] }],
      orphanIssues: [{ ruleCode: 'B' }],
      metadata: {},
    });
  });
});

describe('a retry', () => {
  it('returns 202 in the shape of a creation, counts, and can succeed', async ({ submitted }) => {
    const { workspace, caller, asset, assetId, submission, submissionId } = await submitted({
      default: { fails: { times: 1 }, issues: [{}] },
    });
    expect((await caller.get(submission)).json).toMatchObject({ status: 'failed', isRetryable: true });
    const { status, json } = await caller.post(`${asset}/retry`);
    expect(status).toBe(202);
    expect(json).toMatchObject({ submissionId, status: 'submitted', assets: [{ assetId, versionNumber: 1 }] });
    expect((await caller.get(submission)).json).toMatchObject({
      status: 'complete',
      assets: [{ retryCount: 1, issueCount: 1, errorType: null, isRetryable: false }],
    });
    expect(workspace.submissions[0]?.creditsSpent).toBe(1);
  });

  it('returns 409 if it is not possible', async ({ submitted }) => {
    const why = async ({ caller, asset }: Awaited<ReturnType<typeof submitted>>): Promise<unknown> => {
      const { status, json } = await caller.post(`${asset}/retry`);
      return [status, json['detail']];
    };
    expect(await why(await submitted({}))).toEqual([409, 'This asset is not in a failed state.']);
    expect(await why(await submitted({ default: { reads: 9 } }))).toEqual([
      409,
      'This asset is not in a failed state.',
    ]);
    const never = await submitted({ default: { fails: { isRetryable: false } } });
    expect(await why(never)).toEqual([409, 'The error of this asset is not retryable.']);
    const worn = await submitted({ maxRetries: 1, default: { fails: {} } });
    expect((await worn.caller.post(`${worn.asset}/retry`)).status).toBe(202);
    expect((await worn.caller.get(worn.submission)).json).toMatchObject({
      assets: [{ isRetryable: false, retryCount: 1 }],
    });
    expect(await why(worn)).toEqual([409, 'The maximum number of attempts is reached.']);
    const busy = await submitted({ default: { fails: {} } });
    busy.workspace.load({ default: { reads: 9 } });
    expect((await busy.caller.post(`${busy.asset}/retry`)).status).toBe(202);
    expect(await why(busy)).toEqual([409, 'A retry of this asset is already in flight.']);
  });

  it.for(['{"reason":"again"}', '[]', 'again'] as const)('returns 422 to the body %s', async (body, { submitted }) => {
    const { caller, asset } = await submitted({ default: { fails: { times: 1 } } });
    const json = { 'content-type': 'application/json' };
    expect((await caller.send('POST', `${asset}/retry`, body, json)).status).toBe(422);
    expect((await caller.send('POST', `${asset}/retry`, '{}', json)).status).toBe(202);
  });
});
