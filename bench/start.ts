/** From the start of the process to the first request that the server sees, beside Node itself. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { png } from '../test/harness/media.ts';
import { alternate, type Comparison, makeFolder, runGate, startSink, timed } from './stage.ts';

/** As on a new runner: no compiled code is cached. */
const COLD = { NODE_DISABLE_COMPILE_CACHE: '1' };

export async function coldStart(rounds: number): Promise<readonly Comparison[]> {
  await using folder = await makeFolder();
  await using sink = await startSink();
  await writeFile(path.join(folder.path, 'a.png'), png('a'));
  const gate = async (): Promise<number> => {
    const startedAt = await runGate(folder.path, sink.url, { env: COLD });
    return (await sink.seen()).firstRequest - startedAt;
  };
  // A start takes little time, and varies.
  const [ours = Number.NaN, theirs = Number.NaN] = await alternate(5 * rounds, gate, () =>
    timed(process.execPath, ['-e', '0']),
  );
  return [{ what: 'start to first request', ours, beside: '`node -e 0`', theirs, maxOver: 100 }];
}
