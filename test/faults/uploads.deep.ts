import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { startArtifacts } from '../harness/artifact-service.ts';
import { startGitHub } from '../harness/github-server.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import { workOn } from '../harness/pool.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { UPLOAD_CASES, type UploadCase } from './upload-cases.ts';

const AT_ONCE = 4;
const CLOCK_FACTOR = 60;

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let runOf: (each: UploadCase) => Promise<ServiceRun & { readonly kept: readonly string[] }>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'a.png': png('a') });
  runOf = workOn(UPLOAD_CASES, AT_ONCE, runCase);
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

async function runCase({
  step,
  trouble,
  lasting,
}: UploadCase): Promise<ServiceRun & { readonly kept: readonly string[] }> {
  await using artifacts = await startArtifacts((asked, nth) =>
    asked === step && (lasting === 'always' || nth === 1) ? trouble : undefined,
  );
  await using github = await startGitHub({ artifacts: artifacts.artifacts, archives: artifacts.archives });
  const run = await runWithSecrets({
    workspace: workspace.path,
    service: emulator.workspace({ scenario: { default: { issues: [{ severity: 'CRITICAL' }] } } }),
    baseUrl: emulator.baseUrl,
    clockFactor: CLOCK_FACTOR,
    github,
    artifacts,
  });
  return { ...run, kept: artifacts.artifacts.map(({ name }) => name) };
}

describe('an artifact that cannot be uploaded is a warning, in bounded time', () => {
  it.each(UPLOAD_CASES)('$step, $trouble, $lasting', async (each) => {
    const { kept, ...run } = await runOf(each);
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
    expectInvariants(run);
    expect(run.service.submissions).toHaveLength(1);
    const isLost = each.lasting === 'always';
    expect(kept.some((name) => name.includes('-state-'))).toBe(!isLost);
    if (isLost) expect(run.log).toMatch(/^::warning::The state could not be saved/m);
  });
});
