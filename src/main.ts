import { createRunner, savedForPost } from './github/runner.ts';
import { Interruption } from './lib/interruption.ts';
import { run } from './run.ts';
import { uploadPending } from './state/pending.ts';

async function main(): Promise<void> {
  const runner = createRunner();
  // Nothing is left to wait for, and the end was not reached: that must not look like a pass.
  process.once('beforeExit', () => {
    runner.log.warning('The step ended without a verdict. This is a defect of the action: please report it.');
    process.exit(1);
  });
  const saved = savedForPost();
  if (saved === undefined) {
    const controller = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => controller.abort(new Interruption(name)));
    }
    await run(process.env, runner, controller.signal);
  } else {
    await uploadPending(saved, runner.log);
  }
  // A connection that hangs must not keep a step alive that has told its verdict.
  process.stdout.write('', () => process.exit());
}

void main();
