import { describe, expect } from 'vitest';
import { it, list } from './caller.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('reading a submission', () => {
  it('returns every field of the interface and no other', async ({ setUp }) => {
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

  it('returns 404 for what is not there, not theirs, or forgotten, and 422 for no UUID', async ({ setUp }) => {
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

  it('is submitted at first, then processing for as many reads as the slowest asset takes', async ({ setUp }) => {
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

  it('fails if an asset fails, with the flat fields on it', async ({ setUp }) => {
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
});
