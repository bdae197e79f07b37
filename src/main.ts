import { createRunner, savedForPost } from './github/runner.ts';
import { Interruption } from './interruption.ts';
import { run } from './run.ts';
import { uploadPending } from './state/pending.ts';

const runner = createRunner();
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
