import path from 'node:path';
import { describe, expect } from 'vitest';
import { brokenDisk } from '../harness/broken-disk.ts';
import { it as base, ONE_FILE } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import type { ServiceRun } from '../harness/run-action.ts';

function expectNothingSent(run: ServiceRun, ...words: readonly string[]): void {
  expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'bad-input', 'files-submitted': '0' });
  expect(run.count('uploads/direct')).toBe(0);
  expect(run.count('submissions/create')).toBe(0);
  for (const word of words) expect(run.readableSummary).toContain(word);
}

const it = base.extend('place', async ({ makeFolder }) => await makeFolder({ file: '' }));

describe.concurrent('who cannot keep the state must not pay', () => {
  it('a `state-file` that cannot be changed, although there is room beside it', async ({ startSeries }) => {
    const series = await startSeries();
    await series.run();
    await series.write(images('b'));
    expectNothingSent(await series.run({ env: brokenDisk(series.stateFile, 'ENOSPC', 1) }), series.stateFile);
  });

  it('a full disk', async ({ startRepository, makeFolder }) => {
    const world = await startRepository();
    const temp = await makeFolder();
    const env = brokenDisk(temp, 'ENOSPC');
    const run = await world.push({ branch: 'main', workspace: await makeFolder(ONE_FILE), temp, env });
    expectNothingSent(run, 'ENOSPC');
    expect(world.artifacts.artifacts).toEqual([]);
  });
});

it.for([
  ['no state can be written after the upload, which is said once', 1, false],
  ['only the last state cannot be written: the one before is named', 3, true],
] as const)('the verdict stands if %s', async ([, after, isNamed], { gate, place }) => {
  const file = path.join(place, 'state.json');
  const run = await gate({ inputs: { 'state-file': file }, env: brokenDisk(file, 'ENOSPC', after) });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'state-file': isNamed ? file : '' });
  expect(run.warnings.split('The state could not be saved')).toHaveLength(2);
});
