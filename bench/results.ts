/** Reading the results of many assets under a limit of the service. */
import { startEmulator } from '../emulator/emulator.ts';
import { makeFolder, makeImages, measureGate, type Row } from './stage.ts';

const ASSETS = 2_000;
const LIMIT = { limit: 1_000, perSeconds: 20 };
const LATENCY_MS = 40;

export async function manyResults(): Promise<readonly Row[]> {
  await using folder = await makeFolder();
  await makeImages(folder.path, ASSETS, 1_000);
  const emulator = await startEmulator();
  try {
    const service = emulator.workspace({ scenario: { latencyMs: LATENCY_MS, rateLimits: { submission_read: LIMIT } } });
    const inputs = { 'api-key': service.key, 'upload-concurrency': '64' };
    await measureGate(folder.path, emulator.baseUrl, { inputs });
    const reads = service.requests.filter(
      ({ endpoint }) => endpoint === 'assets/read' || endpoint === 'submissions/read',
    );
    const begun = Math.min(...reads.map(({ at }) => at));
    const seconds = (Math.max(...reads.map(({ endedAt = 0 }) => endedAt)) - begun) / 1000;
    const refused = reads.filter(({ status }) => status === 429).length;
    const least = Math.floor((reads.length - refused - 1) / LIMIT.limit) * LIMIT.perSeconds;
    const single = (ASSETS * LATENCY_MS) / 1000;
    return [
      {
        what: `results of ${ASSETS.toLocaleString('en')} assets, ${LIMIT.limit.toLocaleString('en')} reads in ${LIMIT.perSeconds} s allowed`,
        ours: `${seconds.toFixed(0)} s, ${refused} refused`,
        beside: 'the limit itself (one after another, without it: computed)',
        theirs: `${least} s (${single} s)`,
        ratio: `${(seconds / least).toFixed(2)} × its time`,
        goal: '≤ 1.2 ×',
        isMet: seconds / least <= 1.2,
      },
    ];
  } finally {
    await emulator.close();
  }
}
