import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { CRITICAL, it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { PUSH_TO_MAIN } from '../harness/run-step.ts';
import { startArtifactService } from './artifact-service.ts';

it('a run stores state and report, and the next run reuses them', async ({ gate, emulator, makeFolder, end }) => {
  const artifacts = await end(startArtifactService());
  const service = emulator.workspace({ scenario: CRITICAL });
  const workspace = await makeFolder({ ...images('a', 'b'), '.git/HEAD': PUSH_TO_MAIN.GITHUB_SHA });
  const step = { workspace, service, artifacts, github: artifacts.github, clockFactor: 10 };
  const first = await gate({ ...step, runId: 42 });
  expect(first.outputs, first.log).toMatchObject({ verdict: 'fail', 'files-submitted': '2' });
  expect(first.warnings).toBe('');
  expect(first.summary).toMatch(/\/artifacts\/\d+">Open the report<\/a>/);

  const stored = new Map(artifacts.artifacts.map(({ id, name }) => [kindOf(name), artifacts.archives[id]]));
  expect([...stored.keys()].toSorted()).toEqual(['open', 'page', 'report', 'state']);
  expect(Buffer.from(stored.get('page') ?? []).toString()).toMatch(/^<!doctype html>/i);
  const files = Object.keys(unzipSync(stored.get('report') ?? new Uint8Array()));
  expect(files).toEqual(expect.arrayContaining(['report.json', 'report.sarif']));
  expect(files).not.toContain('report.html');

  const second = await gate({ ...step, runId: 43 });
  expect(second.outputs, second.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0', 'files-reused': '2' });
  expect(second.warnings).toBe('');
  expect(service.submissions).toHaveLength(1);
});

function kindOf(name: string): string {
  return name.endsWith('.html') ? 'page' : (/-(open|state|report)-/.exec(name)?.[1] ?? name);
}
