/** A run in which no file has changed, beside the first run over the same files. */
import path from 'node:path';
import { startEmulator } from '../emulator/emulator.ts';
import { makeWorkspace } from '../test/harness/workspace.ts';
import { alternate, type Comparison, makeImages, runGate } from './stage.ts';

const FILES = 500;

export async function unchangedRun(rounds: number): Promise<readonly Comparison[]> {
  await using folder = await makeWorkspace({});
  await using notes = await makeWorkspace({});
  await makeImages(folder.path, FILES, 1_000);
  const emulator = await startEmulator();
  try {
    const service = emulator.workspace();
    let runs = 0;
    const again = async (): Promise<number> => {
      const inputs = { 'api-key': service.key, 'state-file': path.join(notes.path, `${runs}.json`) };
      const startedAt = await runGate(folder.path, emulator.baseUrl, { inputs });
      return performance.timeOrigin + performance.now() - startedAt;
    };
    const first = async (): Promise<number> => {
      runs += 1;
      return await again();
    };
    const [theirs = Number.NaN, ours = Number.NaN] = await alternate(rounds, first, again);
    return [{ what: `whole step, ${FILES} unchanged files`, ours, beside: 'the first run', theirs, maxTimes: 0.5 }];
  } finally {
    await emulator.close();
  }
}
