import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, list } from './caller.ts';

const it = base.extend('submitted', ({ setUp }) => async (scenario: Scenario) => {
  const { workspace, caller } = setUp({ scenario });
  const { submissionId, assetIds } = await caller.submit('a.png');
  const submission = `/submissions/${submissionId}`;
  const [assetId] = assetIds;
  return { workspace, caller, submissionId, submission, assetId, asset: `${submission}/assets/${assetId}` };
});

const NOBODY = '00000000-0000-4000-8000-000000000000';

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
    const unfinished = { processing: { reads: 1, issues: [{}] }, failed: { fails: {} } };
    for (const [status, rule] of Object.entries(unfinished)) {
      const { caller, asset } = await submitted({ default: rule });
      expect((await caller.get(asset)).json).toMatchObject({ status, issues: [], issueCount: null });
    }
  });

  it('returns 404 until the asset is complete, if the scenario says so', async ({ submitted }) => {
    for (const [rule, statuses] of [[{ reads: 1 }, [404, 200]] as const, [{ fails: {} }, [404, 404]] as const]) {
      const { caller, asset } = await submitted({ default: rule, assetOnlyWhenComplete: true });
      expect([(await caller.get(asset)).status, (await caller.get(asset)).status]).toEqual(statuses);
    }
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
    for (const rule of [{ reads: 5 }, { fails: {} }]) {
      const { caller, asset } = await submitted({ default: rule });
      expect((await caller.get(`${asset}/issues`)).status).toBe(404);
      expect((await caller.get(`${asset}/topics`)).status).toBe(404);
    }
  });
});

it('topics group two or more issues, and leave the others alone', async ({ submitted }) => {
  const issues = ['A', 'A', 'B'].map((ruleCode) => ({ ruleCode }));
  const { caller, asset, assetId } = await submitted({ default: { issues } });
  const { status, json } = await caller.get(`${asset}/topics`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    assetId,
    topics: [{ issues: [{ ruleCode: 'A' }, { ruleCode: 'A' }] }],
    orphanIssues: [{ ruleCode: 'B' }],
    metadata: {},
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

  it('can give the asset a new id in the same submission', async ({ submitted }) => {
    const { caller, asset, assetId, submission, submissionId } = await submitted({
      default: { fails: { times: 1, errorType: null, errorMessage: null } },
      retryCreates: 'asset',
    });
    const failed = { assetId, errorType: null, errorMessage: null, isRetryable: true };
    expect((await caller.get(submission)).json).toMatchObject({ status: 'failed', assets: [failed] });
    const { json } = await caller.post(`${asset}/retry`);
    expect(json).toMatchObject({ submissionId, assets: [{ assetId: expect.not.stringMatching(`${assetId}`) }] });
    const { json: after } = await caller.get(submission);
    expect(after).toMatchObject({ status: 'complete', assets: [{ ...list(json['assets'])[0], retryCount: 1 }] });
    expect((await caller.get(asset)).status).toBe(404);
  });

  it.for<[string, Scenario, Scenario | undefined]>([
    ['This asset is not in a failed state.', {}, undefined],
    ['The error of this asset is not retryable.', { default: { fails: { isRetryable: false } } }, undefined],
    ['The maximum number of attempts is reached.', { maxRetries: 0, default: { fails: {} } }, undefined],
    ['A retry of this asset is already in flight.', { default: { fails: {} } }, { default: { reads: 9 } }],
  ])('returns 409: %s', async ([why, scenario, during], { submitted }) => {
    const { workspace, caller, asset } = await submitted(scenario);
    if (during) {
      workspace.load(during);
      expect((await caller.post(`${asset}/retry`)).status).toBe(202);
    }
    const { status, json } = await caller.post(`${asset}/retry`);
    expect([status, json['detail']]).toEqual([409, why]);
  });

  it.for(['{"reason":"again"}', '[]', 'again'] as const)('returns 422 to the body %s', async (body, { submitted }) => {
    const { caller, asset } = await submitted({ default: { fails: { times: 1 } } });
    const json = { 'content-type': 'application/json' };
    expect((await caller.send('POST', `${asset}/retry`, body, json)).status).toBe(422);
    expect((await caller.send('POST', `${asset}/retry`, '{}', json)).status).toBe(202);
  });
});
