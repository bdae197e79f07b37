import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { list, ServiceRequester, text } from './caller.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => emulator.close());

async function submitted(scenario: Scenario, filename = 'a.png') {
  const workspace = emulator.workspace({ scenario });
  const caller = new ServiceRequester(emulator, workspace);
  const { submissionId, assetIds } = await caller.submit(filename);
  const submission = `/submissions/${submissionId}`;
  return {
    workspace,
    caller,
    submissionId,
    submission,
    assetId: assetIds[0],
    asset: `${submission}/assets/${assetIds[0]}`,
  };
}

const NOBODY = '00000000-0000-4000-8000-000000000000';
const THREE: Scenario = {
  default: { issues: [{ ruleCode: 'A' }, { ruleCode: 'A' }, { ruleCode: 'B', severity: 'INFO' }] },
};

describe('an asset result', () => {
  it('returns every field, issues in the compact form', async () => {
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

  it('is there before the asset has finished, and after it failed, without issues', async () => {
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

  it('may be there only once the asset is complete', async () => {
    const slow = await submitted({ assetOnlyWhenComplete: true, default: { reads: 1 } });
    expect((await slow.caller.get(slow.asset)).status).toBe(404);
    await slow.caller.get(slow.submission);
    await slow.caller.get(slow.submission);
    expect((await slow.caller.get(slow.asset)).json).toMatchObject({ status: 'complete' });
    const failed = await submitted({ assetOnlyWhenComplete: true, default: { fails: {} } });
    expect((await failed.caller.get(failed.asset)).status).toBe(404);
  });

  it('returns 404 for an unknown asset, one of another submission, and the old suffix', async () => {
    const { caller, asset, assetId, submission } = await submitted({});
    const other = await caller.submit('b.png');
    expect((await caller.get(`${submission}/assets/${NOBODY}`)).status).toBe(404);
    expect((await caller.get(`/submissions/${other.submissionId}/assets/${assetId}`)).status).toBe(404);
    expect((await caller.get(`${asset}/results`)).status).toBe(404);
    expect((await caller.get(`${submission}/assets/1`)).status).toBe(422);
  });
});

describe('the list of issues', () => {
  it('has every field, with defaults for those that the scenario leaves out', async () => {
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

  it('comes in every shape a scenario asks for', async () => {
    const { workspace, caller, asset } = await submitted(THREE);
    const shaped = async (issuesList: NonNullable<Scenario['default']>['issuesList'], query = ''): Promise<unknown> => {
      workspace.load({ default: { issuesList: issuesList ?? {} } });
      return JSON.parse((await caller.get(`${asset}/issues${query}`)).text) as unknown;
    };
    expect(await shaped({ as: 'array' })).toHaveLength(3);
    expect(await shaped({ as: 'items' })).toHaveProperty('items.length', 3);
    expect(await shaped({ short: 1 })).toHaveProperty('issues.length', 1);
    expect(await shaped({ as: 'unreadable' })).toEqual({ issues: '3 in all' });
    expect(await shaped({ pageSize: 2 })).toMatchObject({ issues: { length: 2 }, total: 3, page: 1, next: '?page=2' });
    expect(await shaped({ pageSize: 2 }, '?page=2')).toMatchObject({
      issues: { length: 1 },
      total: 3,
      page: 2,
      next: null,
    });
  });

  it('and the result may also be short', async () => {
    const { caller, asset } = await submitted({ default: { ...THREE.default, resultShort: 1 } });
    expect((await caller.get(asset)).json).toMatchObject({ issues: { length: 1 }, issueCount: 3 });
  });

  it('returns 404 before the asset has finished, and after it failed', async () => {
    const slow = await submitted({ default: { reads: 5 } });
    const failed = await submitted({ default: { fails: {} } });
    for (const { caller, asset } of [slow, failed]) {
      expect((await caller.get(`${asset}/issues`)).status).toBe(404);
      expect((await caller.get(`${asset}/topics`)).status).toBe(404);
    }
  });

  it('shows what a person changed in the service', async () => {
    const { workspace, caller, asset } = await submitted(THREE);
    workspace.setIssueStatus({ filename: 'a.*', ruleCode: 'B' }, 'DISMISSED');
    const { json } = await caller.get(`${asset}/issues`);
    expect(list(json['issues']).map((issue) => issue['status'])).toEqual(['OPEN', 'OPEN', 'DISMISSED']);
    expect(() => workspace.setIssueStatus({ ruleCode: 'C' }, 'DISMISSED')).toThrow('No issue matches');
  });
});

describe('topics', () => {
  it('group two or more issues of a rule and leave the others alone', async () => {
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

  it('can be anything', async () => {
    const { caller, asset } = await submitted({ default: { topics: { clusters: 0 } } });
    expect((await caller.get(`${asset}/topics`)).json).toEqual({ clusters: 0 });
  });
});

describe('a retry', () => {
  it('returns 202 in the shape of a creation, counts, and can succeed', async () => {
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

  it('returns 409 if it is not possible', async () => {
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

  it('can continue in a new submission, while the old one stays failed', async () => {
    const { workspace, caller, asset, assetId, submission, submissionId } = await submitted({
      retryInNewSubmission: true,
      default: { fails: { times: 1 } },
    });
    const { json } = await caller.post(`${asset}/retry`);
    expect(json['submissionId']).not.toBe(submissionId);
    expect(list(json['assets'])[0]?.['assetId']).not.toBe(assetId);
    expect((await caller.get(submission)).json).toMatchObject({ status: 'failed', isRetryable: false });
    expect((await caller.get(`/submissions/${text(json['submissionId'])}`)).json).toMatchObject({
      status: 'complete',
      assets: [{ retryCount: 1, issueCount: 0 }],
    });
    expect(workspace.submissions.map((it) => it.creditsSpent)).toEqual([1, 0]);
  });

  it.each(['{"reason":"again"}', '[]', 'again'])('returns 422 to the body %s', async (body) => {
    const { caller, asset } = await submitted({ default: { fails: { times: 1 } } });
    const json = { 'content-type': 'application/json' };
    expect((await caller.send('POST', `${asset}/retry`, body, json)).status).toBe(422);
    expect((await caller.send('POST', `${asset}/retry`, '{}', json)).status).toBe(202);
  });

  it('can be refused with 409 although the asset stays retryable', async () => {
    const { caller, asset, submission } = await submitted({
      default: { fails: {} },
      faults: [{ on: 'assets/retry', status: 409 }],
    });
    expect((await caller.post(`${asset}/retry`)).status).toBe(409);
    expect((await caller.get(submission)).json).toMatchObject({
      status: 'failed',
      isRetryable: true,
      assets: [{ isRetryable: true, retryCount: 0 }],
    });
  });

  it.each([false, true])(
    'can leave the error in the list after it succeeded (in a new submission: %s)',
    async (moves) => {
      const fails = { times: 1, errorType: 'DECODE', errorMessage: 'No frames.', errorStays: true };
      const { caller, asset } = await submitted({ retryInNewSubmission: moves, default: { fails, issues: [{}] } });
      const { json } = await caller.post(`${asset}/retry`);
      const submission = `/submissions/${text(json['submissionId'])}`;
      expect((await caller.get(submission)).json).toMatchObject({
        status: 'complete',
        errorMessage: null,
        assets: [{ errorType: 'DECODE', errorMessage: 'No frames.', isRetryable: false, retryCount: 1, issueCount: 1 }],
      });
      const retried = await caller.get(`${submission}/assets/${text(list(json['assets'])[0]?.['assetId'])}`);
      expect(retried.json).toMatchObject({ status: 'complete', issues: { length: 1 } });
    },
  );

  it('can be seen late', async () => {
    const { caller, asset, submission } = await submitted({ retryLagReads: 2, default: { fails: { times: 1 } } });
    await caller.post(`${asset}/retry`);
    const seen = [];
    for (let read = 0; read < 3; read += 1) {
      const { json } = await caller.get(submission);
      seen.push([json['status'], list(json['assets'])[0]?.['retryCount']]);
    }
    expect(seen).toEqual([
      ['failed', 0],
      ['failed', 0],
      ['complete', 1],
    ]);
  });
});
