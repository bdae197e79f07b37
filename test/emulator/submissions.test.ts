import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator, type WorkspaceOptions } from '../../emulator/emulator.ts';
import { list, ServiceRequester } from './caller.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => emulator.close());

function setUp(options?: WorkspaceOptions) {
  const workspace = emulator.workspace(options);
  return { workspace, caller: new ServiceRequester(emulator, workspace) };
}

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('reading a submission', () => {
  it('returns every field of the interface and no other', async () => {
    const { workspace, caller } = setUp({ scenario: { files: [{ match: 'a*', issues: [{}, {}] }] } });
    const { submissionId, assetIds } = await caller.submit('a.png', 'b.png');
    const { status, json } = await caller.get(`/submissions/${submissionId}`);
    expect(status).toBe(200);
    const groups = workspace.submissions[0]?.assets.map((asset) => asset.versionGroupId) ?? [];
    const common = { versionNumber: 1, errorMessage: null, errorType: null, isRetryable: false, retryCount: 0 };
    expect(json).toEqual({
      submissionId,
      workflowId: workspace.submissions[0]?.workflowId,
      workspaceId: workspace.id,
      status: 'complete',
      progressPercent: 100,
      createdAt: workspace.submissions[0]?.createdAt,
      completedAt: expect.any(String),
      errorMessage: null,
      assets: [
        { ...common, assetId: assetIds[0], versionGroupId: groups[0], issueCount: 2 },
        { ...common, assetId: assetIds[1], versionGroupId: groups[1], issueCount: 0 },
      ],
      isRetryable: false,
    });
  });

  it('returns 404 for what is not there, not theirs, or forgotten, and 422 for no UUID', async () => {
    const { workspace, caller } = setUp();
    const { submissionId } = await caller.submit('a.png');
    expect((await caller.get(`/submissions/${submissionId.toUpperCase()}`)).status).toBe(200);
    expect((await setUp().caller.get(`/submissions/${submissionId}`)).status).toBe(404);
    expect((await caller.get(`/submissions/${NOBODY}`)).status).toBe(404);
    expect((await caller.get('/submissions/first')).status).toBe(422);
    expect((await caller.get(`/submissions/${submissionId}/status`)).status).toBe(404);
    workspace.forget(submissionId);
    expect((await caller.get(`/submissions/${submissionId}`)).status).toBe(404);
  });

  it('is submitted at first, then processing for as many reads as the slowest asset takes', async () => {
    const { caller } = setUp({ scenario: { files: [{ match: 'slow', reads: 2, issues: [{}] }] } });
    const { submissionId } = await caller.submit('slow.png', 'quick.png');
    const seen = [];
    for (let read = 0; read < 3; read += 1) {
      const { json } = await caller.get(`/submissions/${submissionId}`);
      const counts = list(json['assets']).map((asset) => asset['issueCount']);
      seen.push([json['status'], json['progressPercent'], json['completedAt'] === null, ...counts]);
    }
    expect(seen).toEqual([
      ['submitted', 50, true, null, 0],
      ['processing', 50, true, null, 0],
      ['complete', 100, false, 1, 0],
    ]);
  });

  it('ends in time as well', async () => {
    const { caller } = setUp({ scenario: { default: { ms: 40 } } });
    const { submissionId } = await caller.submit('a.png');
    const seen = new Set();
    let status;
    do {
      status = (await caller.get(`/submissions/${submissionId}`)).json['status'];
      seen.add(status);
    } while (status === 'submitted' || status === 'processing');
    expect([...seen].at(-1)).toBe('complete');
  });

  it('fails if an asset fails, with the flat fields on it', async () => {
    const fails = { errorType: 'DECODE', errorMessage: 'No frames.', isRetryable: false };
    const { caller } = setUp({ scenario: { files: [{ match: 'bad', fails }] } });
    const { submissionId } = await caller.submit('bad.png', 'good.png');
    const { json } = await caller.get(`/submissions/${submissionId}`);
    expect(json).toMatchObject({ status: 'failed', isRetryable: false, errorMessage: '1 of 2 assets failed.' });
    expect(json['assets']).toMatchObject([
      { ...fails, issueCount: null, retryCount: 0 },
      { errorType: null, errorMessage: null, issueCount: 0 },
    ]);
  });

  it('reports what the scenario says: statuses, progress, null counts', async () => {
    const { caller } = setUp({
      scenario: {
        statuses: ['processing', 'submitted', 'complete'],
        progress: [80, 10],
        default: { nullIssueCountReads: 3 },
      },
    });
    const { submissionId } = await caller.submit('a.png');
    const seen = [];
    for (let read = 0; read < 4; read += 1) {
      const { json } = await caller.get(`/submissions/${submissionId}`);
      seen.push([json['status'], json['progressPercent'], list(json['assets'])[0]?.['issueCount']]);
    }
    expect(seen).toEqual([
      ['processing', 80, null],
      ['submitted', 10, null],
      ['complete', 100, null],
      ['complete', 100, 0],
    ]);
  });

  it('can be complete at the top while an asset never finishes', async () => {
    const never = { match: 'never', ms: 3_600_000 };
    const { caller } = setUp({ scenario: { statusWhileUnfinished: 'complete', files: [never] } });
    const { submissionId, assetIds } = await caller.submit('a.png', 'never.png');
    const submission = `/submissions/${submissionId}`;
    for (let read = 0; read < 2; read += 1) {
      expect((await caller.get(submission)).json).toMatchObject({
        status: 'complete',
        errorMessage: null,
        assets: [{ issueCount: 0 }, { issueCount: null }],
      });
      expect((await caller.get(`${submission}/assets/${assetIds[1]}`)).json).toMatchObject({
        status: 'processing',
        issueCount: null,
      });
    }
    expect((await caller.get(`${submission}/assets/${assetIds[1]}/issues`)).status).toBe(404);
  });

  it('can be failed at the top while another asset is still being analysed', async () => {
    const files = [
      { match: 'bad', fails: {} },
      { match: 'film', reads: 3, issues: [{}] },
    ];
    const { caller } = setUp({ scenario: { statusWhileUnfinished: 'failed', files } });
    const { submissionId, assetIds } = await caller.submit('bad.png', 'film.png');
    const submission = `/submissions/${submissionId}`;
    const film = async () => (await caller.get(`${submission}/assets/${assetIds[1]}`)).json;
    expect((await caller.get(submission)).json).toMatchObject({
      status: 'failed',
      errorMessage: '1 of 2 assets failed.',
      assets: [{ errorType: 'ANALYSIS_ERROR' }, { errorType: null, issueCount: null }],
    });
    expect(await film()).toMatchObject({ status: 'processing' });
    expect(await film()).toMatchObject({ status: 'processing' });
    expect(await film()).toMatchObject({ status: 'complete', issueCount: 1 });
    expect((await caller.get(submission)).json).toMatchObject({ status: 'failed', assets: [{}, { issueCount: 1 }] });
  });

  it('can carry fields of the future everywhere', async () => {
    const { caller } = setUp({ scenario: { extraFields: true, default: { issues: [{}] } } });
    const { submissionId, assetIds } = await caller.submit('a.png');
    const { json } = await caller.get(`/submissions/${submissionId}`);
    expect(json).toHaveProperty('addedLater');
    expect(json).toHaveProperty('assets.0.addedLater');
    const asset = await caller.get(`/submissions/${submissionId}/assets/${assetIds[0]}`);
    expect(asset.json).toHaveProperty('issues.0.addedLater');
  });
});
