import { describe, expect } from 'vitest';
import { CRITICAL, it, ONE_FILE } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { type ActionOptions, runAction, type ServiceRun } from '../harness/run-action.ts';

describe.concurrent('a state file', () => {
  it('of another key ends the run before anything is sent', async ({ startSeries }) => {
    const series = await startSeries(ONE_FILE, { scenario: CRITICAL });
    await series.run();
    const inputs = { 'state-key': 'a key that is added later' };
    const signed = await series.run({ inputs });
    expect(signed.outputs, 'The API key has signed the file before.').toMatchObject({ 'files-reused': '1' });
    const misspelt = await series.run({ inputs: { 'state-key': 'a misspelt one, of some length' } });
    expect(misspelt.outputs, misspelt.log).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(misspelt.readableSummary).toContain('Set `state-key` to the secret that signed it');
    expect(misspelt.requests).toEqual([]);
  });

  it('that two runs share has what both of them paid for', async ({ startSeries, makeFolder }) => {
    const endless = { reads: 1_000_000, issues: [{ severity: 'CRITICAL' }] };
    const series = await startSeries({}, { scenario: { files: [{ match: 'b-*', ...endless }] } });
    const { service, stateFile } = series;
    const start = async (workspace: string, options: Partial<ActionOptions> = {}) =>
      await runAction({ workspace, service, inputs: { 'state-file': stateFile }, clockFactor: 20, ...options });
    // The second run starts after the first has read the file, and ends before the first.
    const two = await makeFolder(images('c'));
    let second: Promise<ServiceRun['outputs']> | undefined;
    const startSecond = async () => {
      const run = await start(two);
      service.finishAnalyses();
      return run.outputs;
    };
    const first = await start(await makeFolder(images('b')), {
      onLine: (line) => {
        if (/^Submission .*: processing/.test(line)) second ??= startSecond();
      },
    });
    expect(first.outputs, first.log).toMatchObject({ verdict: 'fail', 'files-submitted': '1' });
    expect(await second).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
    const next = await start(await makeFolder(images('b', 'c')));
    expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0', 'files-reused': '2' });
  });
});
