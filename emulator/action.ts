/**
 * The emulator as a step of a workflow. The runner starts this file twice: the main step starts it once more, as the
 * process that serves, and the post step ends that process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readScenario } from './scenario.ts';
import { serveUntilSignal } from './serve.ts';
import { LIVE_KEY, SANDBOX_KEY } from './workspace.ts';

const SERVE = 'serve';
const { INPUT_SCENARIO = '', RUNNER_TEMP = tmpdir(), GITHUB_OUTPUT, GITHUB_STATE, STATE_pid, STATE_log } = process.env;

/** Runs until the post step ends it. */
async function serve(): Promise<void> {
  const { baseUrl } = await serveUntilSignal({ scenario: await readScenario(INPUT_SCENARIO || '{}') });
  process.send?.(baseUrl);
}

async function begin(script: string): Promise<void> {
  const log = path.join(RUNNER_TEMP, `emulator-${process.pid}.log`);
  const output = openSync(log, 'a');
  // Detached and without the streams of this step: otherwise the runner would wait for it, or end it with the step.
  const child = spawn(process.execPath, [script, SERVE], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  const [baseUrl] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  if (typeof baseUrl !== 'string') throw new Error(readFileSync(log, 'utf8').trim());
  child.disconnect();
  child.unref();
  write(GITHUB_STATE, { pid: String(child.pid), log });
  write(GITHUB_OUTPUT, { 'base-url': baseUrl, 'live-key': LIVE_KEY, 'sandbox-key': SANDBOX_KEY });
  console.log(`The emulator of the compliance service listens on ${baseUrl}. Its findings are invented.`);
}

function write(file: string | undefined, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) appendFileSync(file ?? '', `${name}=${value}\n`);
}

function end(pid: number, log: string): void {
  try {
    process.kill(pid);
  } catch {
    console.log('The emulator had ended before.');
  }
  console.log(`Its requests:\n${readFileSync(log, 'utf8')}`);
}

const [, script = '', role] = process.argv;
try {
  if (role === SERVE) await serve();
  else if (STATE_pid) end(Number(STATE_pid), STATE_log ?? '');
  else await begin(script);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const escaped = message.replaceAll(/[%\r\n]/g, encodeURIComponent);
  console.log(role === SERVE ? message : `::error::${escaped}`);
  process.exitCode = 1;
}
