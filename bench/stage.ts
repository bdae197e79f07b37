import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { mp4, png } from '../test/harness/media.ts';
import { runStep, type StepOptions } from '../test/harness/run-step.ts';

/** Two times, in milliseconds. One line of the table. */
export interface Comparison {
  readonly what: string;
  readonly ours: number;
  readonly beside: string;
  readonly theirs: number;
  /** The goal: this many times theirs, and this many milliseconds more. */
  readonly maxTimes?: number;
  readonly maxOver?: number;
}

/** The uploads since the last call. Times are epoch milliseconds. */
const SeenSchema = v.object({ first: v.number(), last: v.number(), bytes: v.number(), firstRequest: v.number() });
export type Seen = v.InferOutput<typeof SeenSchema>;

export interface Sink extends AsyncDisposable {
  readonly url: string;
  seen(): Promise<Seen>;
}

/** @param latencyMs after which it responds */
export async function startSink(latencyMs = 0): Promise<Sink> {
  const script = fileURLToPath(new URL('./sink.ts', import.meta.url));
  const child = spawn(process.execPath, [script, String(latencyMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line]: unknown[] = await once(child.stdout, 'data');
  const url = String(line).trim();
  return {
    url,
    seen: async () => v.parse(SeenSchema, await (await fetch(`${url}/bench`)).json()),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, 'close');
    },
  };
}

/** A valid MP4 that takes no disk: its `free` box is a hole. */
export async function makeVideo(file: string, size: number): Promise<void> {
  const type = mp4(path.basename(file), 200);
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

export async function makeImages(folder: string, count: number, size: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const image = png(`image ${index}`);
    // Readers ignore bytes after the last chunk of a PNG.
    await writeFile(path.join(folder, `image-${index}.png`), Buffer.concat([image, Buffer.alloc(size - image.length)]));
  }
}

/** Runs the built action. @returns when it was started, in epoch milliseconds */
export async function runGate(
  workspace: string,
  sink: string,
  options: Pick<StepOptions, 'inputs' | 'env'> = {},
): Promise<number> {
  const startedAt = performance.timeOrigin + performance.now();
  const run = await runStep({
    workspace,
    inputs: { 'api-key': `sk_live_${'0'.repeat(64)}`, 'base-url': sink, 'max-files': '100000', ...options.inputs },
    env: { NODE_OPTIONS: '', ...options.env },
  });
  if (run.outputs['verdict'] !== 'pass') throw new Error(`The run did not pass:\n${run.log.slice(-3000)}`);
  return startedAt;
}

/** Runs a command to its end. @returns its milliseconds */
export async function timed(command: string, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(command, args, { stdio: 'ignore' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}.`);
  return performance.now() - begun;
}

/** Runs all in turns, so that load on the machine affects all alike. The first round does not count. @returns medians */
export async function alternate(
  rounds: number,
  ...contestants: readonly (() => Promise<number>)[]
): Promise<readonly number[]> {
  const values = contestants.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      const value = await contestant();
      if (round > 0) values[index]?.push(value);
    }
  }
  return values.map(median);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
