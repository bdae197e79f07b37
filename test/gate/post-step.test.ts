import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { startArtifacts, type Trouble, type UploadStep } from '../harness/artifact-service.ts';
import { startGitHub } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { startSeries } from '../harness/series.ts';

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL' }] } };

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

/** A gate that keeps its state in artifacts. */
async function startGate(trouble?: Trouble) {
  const artifacts = await startArtifacts(trouble);
  const github = await startGitHub({ artifacts: artifacts.artifacts, archives: artifacts.archives });
  const store = { ...artifacts, github };
  const series = await startSeries(emulator, { 'a.png': png('a') }, { scenario: CRITICAL, artifacts: store });
  const close = async (): Promise<void> => {
    for (const each of [series, github, artifacts]) await each[Symbol.asyncDispose]();
  };
  return { series, artifacts, [Symbol.asyncDispose]: close };
}

describe('a run that is killed while it saves its submission', () => {
  it.each<UploadStep>(['CreateArtifact', 'FinalizeArtifact'])(
    'at %s: the post step saves it, and the next run does not pay again',
    async (step) => {
      await using gate = await startGate((asked, nth) => (asked === step && nth === 1 ? 'silence' : undefined));
      const { series, artifacts } = gate;
      const killed = await series.run({ onStart: (kill) => void artifacts.begun(step).then(() => kill('SIGKILL')) });
      expect(killed.exitCode).toBeNull();
      expect(artifacts.artifacts).toEqual([]);

      const { exitCode, log } = await killed.post();
      expect(exitCode, log).toBe(0);
      expect(log).toContain('it is saved now, and the next run goes on from there');
      expect(artifacts.artifacts).toHaveLength(1);

      const next = await series.run();
      expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0' });
      expect(series.service.submissions).toHaveLength(1);
    },
  );

  it('is reported by a warning if the post step cannot save it either', async () => {
    await using gate = await startGate((_, nth) => (nth === 1 ? 'silence' : 403));
    const { series } = gate;
    const killed = await series.run({
      onStart: (kill) => void gate.artifacts.begun('CreateArtifact').then(() => kill('SIGKILL')),
    });
    const { exitCode, warnings } = await killed.post();
    expect(exitCode).toBe(0);
    expect(warnings).toContain('it cannot be saved now: ');
  });
});

it('after a run that has saved its state the post step does nothing', async () => {
  await using gate = await startGate();
  const run = await gate.series.run();
  const before = [...gate.artifacts.steps];
  const { exitCode, log } = await run.post();
  expect([exitCode, log]).toEqual([0, '']);
  expect(gate.artifacts.steps).toEqual(before);
});
