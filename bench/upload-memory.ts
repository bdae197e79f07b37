/**
 * How much memory the action needs for a big file: a 1 GB video through the built action, to the emulator.
 *
 *   npm run bench:memory [-- megabytes]
 *
 * Linux only: the peak comes from /proc.
 */
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmulator } from '../emulator/emulator.ts';
import { runGate } from '../test/gate/gate.ts';

const MB = 1_000_000;
const MOST_MB = 200;

const size = Number(process.argv[2] ?? 1_000) * MB;
const folder = await mkdtemp(path.join(os.tmpdir(), 'upload-memory-'));
const peakFile = path.join(folder, 'peak');
const emulator = await startEmulator();
try {
  await makeVideo(path.join(folder, 'big.mp4'), size);
  const service = emulator.workspace();
  const begun = performance.now();
  const run = await runGate({
    workspace: folder,
    inputs: { 'api-key': service.key, 'base-url': emulator.baseUrl },
    env: { NODE_OPTIONS: `--import=${peakWriter()}`, PEAK_FILE: peakFile },
  });
  const seconds = (performance.now() - begun) / 1_000;
  const put = service.requests.find(({ endpoint }) => endpoint === 'storage/put');
  if (run.outputs['verdict'] !== 'pass' || !put) throw new Error(`The run did not pass:\n${run.log}`);

  const upload = ((put.endedAt ?? put.at) - put.at) / 1_000;
  const peak = (Number(await readFile(peakFile, 'utf8')) * 1_024) / MB;
  console.log(`size      ${size / MB} MB`);
  console.log(`upload    ${upload.toFixed(1)} s, ${(size / MB / upload).toFixed(0)} MB/s`);
  console.log(`all       ${seconds.toFixed(1)} s, from start to verdict`);
  console.log(`peak RSS  ${peak.toFixed(0)} MB (at most ${MOST_MB})`);
  if (peak > MOST_MB) process.exitCode = 1;
} finally {
  await emulator.close();
  await rm(folder, { recursive: true });
}

/** A valid MP4 that takes no disk: its `free` box is a hole. */
async function makeVideo(file: string, size: number): Promise<void> {
  const type = Buffer.from('000000186674797069736f6d0000020069736f6d6d703431', 'hex');
  const free = Buffer.alloc(16);
  // A size of 1 says that the real one follows in 64 bits.
  free.writeUInt32BE(1);
  free.write('free', 4);
  free.writeBigUInt64BE(BigInt(size - type.length), 8);
  const handle = await open(file, 'w');
  await handle.write(Buffer.concat([type, free]));
  await handle.truncate(size);
  await handle.close();
}

/** Loaded into the action's process. The kernel's own high-water mark, in KiB: it misses nothing between two looks. */
function peakWriter(): string {
  const code = `import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const [, peak] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.PEAK_FILE, peak);
});`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
