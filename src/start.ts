import path from 'node:path';
import { Interruption } from './causes/cause.ts';
import { createRunner } from './github/runner.ts';
import { unifyProxies } from './http/proxy.ts';
import { run } from './run.ts';
import { uploadPending } from './state/save-artifacts.ts';

/** The runner sends the first two, and a terminal that closes sends the third. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `dist/post.js` only loads `index.js`. Its name decides: a variable could be missing, and a new run would start. */
function isPostStep(): boolean {
  return path.basename(process.argv[1] ?? '') === 'post.js';
}

/** Runs the main step or the post step. */
export async function start(): Promise<void> {
  const runner = createRunner();
  // If the event loop runs empty before the run ends, the step must fail: exit status 0 would look like a pass.
  process.once('beforeExit', () => {
    runner.log.warning('The step ended without a verdict. This is a defect of the action. Please report it.');
    process.exit(1);
  });
  // If the runner no longer reads the log, the state must still be saved.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  if (isPostStep()) {
    unifyProxies(process.env);
    await uploadPending(runner.savedForPost(), runner.log);
  } else {
    const controller = new AbortController();
    for (const name of STOP_SIGNALS) process.on(name, () => controller.abort(new Interruption(name)));
    await run(process.env, runner, controller.signal);
  }
  // Exit explicitly, because an open connection must not keep the step running after its verdict.
  process.stdout.write('', () => process.exit());
}
