import { createRunner } from './github/runner.ts';
import { Interruption } from './interruption.ts';
import { run } from './run.ts';

const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => controller.abort(new Interruption(name)));
}

await run(process.env, createRunner(), controller.signal);
