import { expect } from 'vitest';
import { CRITICAL, it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

const FILES = { 'ads/poster.png': png('poster') };

it('summary, comment and `report-url` lead to the uploaded page', async ({ gate, startArtifacts, startGitHub }) => {
  const artifacts = await startArtifacts();
  const github = await startGitHub({ pulls: { 2: { headSha: HEAD } } });
  const run = await gate({
    event: pullRequest(),
    files: FILES,
    scenario: CRITICAL,
    github,
    artifacts,
    inputs: { 'report-artifact': 'true', comment: 'always' },
  });
  const page = artifacts.artifacts.find(({ name }) => name.endsWith('.html'));
  const address = `https://github.com/acme/campaigns/actions/runs/42/artifacts/${String(page?.['id'])}`;
  const link = `<a href="${address}">Open the report</a>`;
  expect(run.outputs['report-url']).toBe(address);
  expect(run.summary.split('\n')[2]).toContain(link);
  expect(run.summary.match(/^## /gm)).toHaveLength(1);
  expect(github.comments[0]?.body).toContain(link);
  expect(run.log.trimEnd().split('\n').slice(-3)).toEqual([
    '1 billed, 0 reused, verdict fail',
    'What to do: Author of the change: Correct or replace `ads/poster.png`, commit and push.',
    `Report: ${address}`,
  ]);
  const [, uploaded = ''] = /^::group::Uploading the report\n([^]*?)^::endgroup::$/m.exec(run.log) ?? [];
  expect(uploaded).toContain(page?.name);
  expect(run.log.replaceAll(/^::group::[^]*?^::endgroup::$/gm, '')).not.toContain('Finalizing artifact');
});
