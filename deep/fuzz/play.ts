import * as fc from 'fast-check';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { type ActionOptions, runWithSecrets, type ServiceRun } from '../../test/harness/run-action.ts';

const MINUTES = Number(process.env['FUZZ_MINUTES'] ?? 1);

/** Plays the examples, and then random cases until the time is over. fast-check prints the smallest that fails. */
export async function fuzz<Case>(
  cases: fc.Arbitrary<Case>,
  play: (each: Case, emulator: Emulator) => Promise<void>,
  examples: readonly Case[] = [],
): Promise<void> {
  const emulator = await startEmulator();
  let runs = 0;
  let playing: Promise<void> = Promise.resolve();
  const property = fc.asyncProperty(cases, async (each) => {
    runs += 1;
    playing = play(each, emulator);
    await playing;
  });
  try {
    await fc.assert(property, {
      examples: examples.map((each): [Case] => [each]),
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: MINUTES * 60_000,
    });
  } finally {
    // At the time limit fast-check does not wait for the current case, which still needs the emulator and its files.
    await playing.catch(() => undefined);
    await emulator.close();
    console.log(`${runs} runs`);
  }
}

/** Runs the action without GitHub. */
export async function runSound(options: ActionOptions): Promise<ServiceRun> {
  return await runWithSecrets({
    // Two minutes of waiting take three seconds.
    clockFactor: 40,
    // Nothing listens there: no case may reach GitHub itself.
    env: { GITHUB_API_URL: 'http://127.0.0.1:9' },
    ...options,
  });
}
