import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { freshBuild } from '../../scripts/build.ts';

/** A run that takes longer than this is killed as hanging. All waits of the action are far shorter. */
const MAX_RUN_MS = { fast: 120_000, real: 600_000 };

export type Kill = (signal: NodeJS.Signals) => void;

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How many times faster the action's clock runs. Default: the real clock. */
  readonly clockFactor?: number | undefined;
  /** Shared by the runs of a test, so that time never goes back from one run to the next. */
  readonly clock?: SharedClock | undefined;
  /** Kills the action if it still runs this long after a signal, on its own clock. Needs `clockFactor`. */
  readonly killAfterMs?: number | undefined;
  readonly onStart?: ((kill: Kill) => void) | undefined;
  readonly onLine?: ((line: string, kill: Kill) => void) | undefined;
  /** Stops reading the action's output after a line that matches, like a runner that was killed. */
  readonly closesOutputAfter?: RegExp | undefined;
  readonly isPost?: boolean | undefined;
}

/** How far the action's clock is ahead of the real one. */
export interface SharedClock {
  aheadMs: number;
}

const TICK_MS = 8;
const MAX_TICK_MS = 16;

/**
 * Sends the ticks that move the clock of fast-clock.mjs. They stop while this process, which runs the servers, is not
 * scheduled. Returns a function that ends the ticks and returns their sum.
 */
function sendTicks(clock: Readable | Writable | null | undefined): () => number {
  if (!(clock instanceof Writable)) return () => 0;
  // Writing fails once the action has ended.
  clock.on('error', () => undefined);
  let tickedAt = performance.now();
  let sum = 0;
  const interval = setInterval(() => {
    const at = performance.now();
    const tick = Math.min(Math.round(at - tickedAt), MAX_TICK_MS);
    // While the action does not read, more ticks would reach it as one large tick.
    if (clock.writableLength === 0) clock.write(Buffer.of(tick));
    sum += tick;
    tickedAt = at;
  }, TICK_MS);
  return () => {
    clearInterval(interval);
    return sum;
  };
}

let builtFolder: Promise<string> | undefined;

/** The path of the built action: a build of the current sources, made on first use. */
export async function bundleFile(name = 'index.js'): Promise<string> {
  builtFolder ??= freshBuild();
  return path.join(await builtFolder, name);
}

export async function startProcess(options: ProcessOptions): Promise<{ exitCode: number | null; log: string }> {
  const factor = options.clockFactor;
  const fastClock = factor ? ['--import', new URL('./fast-clock.mjs', import.meta.url).href] : [];
  const { clock = { aheadMs: 0 } } = options;
  const { aheadMs } = clock;
  const bundle = await bundleFile(options.isPost ? 'post.js' : 'index.js');
  const child = spawn(process.execPath, [...fastClock, bundle], {
    cwd: options.cwd,
    env: {
      ...(factor && { FAST_CLOCK_FACTOR: String(factor), FAST_CLOCK_FD: '3', FAST_CLOCK_AHEAD_MS: String(aheadMs) }),
      ...(options.killAfterMs && { FAST_CLOCK_KILL_MS: String(options.killAfterMs) }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(factor ? (['pipe'] as const) : [])],
  });
  assert(child.stdout && child.stderr);
  const { stdout, stderr } = child;
  const stopTicks = sendTicks(child.stdio[3]);
  const kill: Kill = (signal) => void child.kill(signal);
  let isHanging = false;
  const timer = setTimeout(
    () => {
      isHanging = true;
      kill('SIGKILL');
    },
    MAX_RUN_MS[factor && factor > 1 ? 'fast' : 'real'],
  );
  options.onStart?.(kill);
  let log = '';
  let unfinishedLine = '';
  const collect = (chunk: string): void => {
    log += chunk;
    const lines = (unfinishedLine + chunk).split('\n');
    unfinishedLine = lines.pop() ?? '';
    for (const line of lines) {
      options.onLine?.(line, kill);
      if (!options.closesOutputAfter?.test(line)) continue;
      stdout.destroy();
      stderr.destroy();
    }
  };
  stdout.setEncoding('utf8').on('data', collect);
  stderr.setEncoding('utf8').on('data', collect);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  clock.aheadMs = Math.max(clock.aheadMs, aheadMs + stopTicks() * (factor ?? 0));
  assert.ok(!isHanging, `The action did not end:\n${log.slice(-3000)}`);
  return { exitCode, log };
}
