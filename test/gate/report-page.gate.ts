import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { CRITICAL, it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

const POSTER = png('poster');
const FILES = { 'ads/poster.png': POSTER };

it('the page leaves out a file that was replaced by a link of the same size', async ({
  gate,
  makeFolder,
  emulator,
}) => {
  const secret = Buffer.alloc(POSTER.length, 'secret ');
  const workspace = await makeFolder({ ...FILES, 'secret.txt': secret });
  const service = emulator.workspace({ scenario: { default: { ...CRITICAL.default, reads: 1_000_000 } } });
  const run = await gate({
    workspace,
    service,
    onLine: (line) => {
      if (!/^Submission .* created/.test(line)) return;
      rmSync(path.join(workspace, 'ads/poster.png'));
      symlinkSync('../secret.txt', path.join(workspace, 'ads/poster.png'));
      service.finishAnalyses();
    },
  });
  const page = run.file('report.html');
  expect(page).not.toContain(secret.subarray(0, 30).toString('base64'));
  expect(page).not.toContain('data:image/png');
  expect(page).toContain('"ruleCode":"AD-17"');
});

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

it('if GitHub does not take the other files, the page is not uploaded either', async ({ gate, startArtifacts }) => {
  const artifacts = await startArtifacts({ trouble: () => 'full' });
  const run = await gate({ files: FILES, artifacts, inputs: { 'report-artifact': 'true' } });
  expect(run.outputs['report-url']).toBe('');
  expect(artifacts.steps).toEqual(['CreateArtifact']);
});
