/** From the start of the process to the first request that the server sees, beside Node itself. */
import { png } from '../test/harness/media.ts';
import { makeWorkspace } from '../test/harness/workspace.ts';
import { alternate, type Comparison, runGate, startSink, timed } from './stage.ts';

/** As on a new runner: no compiled code is cached. */
const COLD = { NODE_DISABLE_COMPILE_CACHE: '1' };

export async function coldStart(rounds: number): Promise<readonly Comparison[]> {
  await using folder = await makeWorkspace({ 'a.png': png('a') });
  await using sink = await startSink();
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
