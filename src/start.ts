import { createRunner, markMainStarted, readSavedForPost } from './github/runner.ts';
import { Interruption } from './lib/cause.ts';
import { run } from './run.ts';
import { uploadPending } from './state/save-artifact.ts';

/** Starts the run or the post step. */
export async function start(): Promise<void> {
  const runner = createRunner();
  // The event loop ran dry before the run ended: that must not look like a pass.
  process.once('beforeExit', () => {
    runner.log.warning('The step ended without a verdict. This is a defect of the action. Please report it.');
    process.exit(1);
  });
  // A runner that no longer reads the log must not keep the state from being saved.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  const saved = readSavedForPost();
  if (saved === undefined) {
    markMainStarted();
    const controller = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => controller.abort(new Interruption(name)));
    }
    await run(process.env, runner, controller.signal);
  } else {
    await uploadPending(saved, runner.log);
  }
  // An open connection must not keep the step running after its verdict.
  process.stdout.write('', () => process.exit());
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
