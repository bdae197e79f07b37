import type * as fc from 'fast-check';
import type { Emulator } from '../../emulator/emulator.ts';
import { expectInvariants } from '../../test/harness/invariants.ts';
import type { ServiceRun } from '../../test/harness/run-action.ts';

/** Nothing listens there: no case may reach GitHub itself. */
export const NO_GITHUB: Readonly<Record<string, string>> = { GITHUB_API_URL: 'http://127.0.0.1:9' };

/** Two minutes of waiting take three seconds. */
export const CLOCK_FACTOR = 40;

/** Checks what has to be true of every run. A crash is reported with its place, so that two crashes count as two cases. */
export function expectSound(run: ServiceRun): void {
  const [crash] = /The action itself failed: .*/.exec(run.log) ?? [];
  if (crash !== undefined) throw new Error(crash);
  expectInvariants(run);
}

/** One kind of data from outside. */
export interface Target {
  readonly name: string;
  /** As JSON: a case that failed is kept, and means the same when the arbitraries have changed. */
  readonly cases: fc.Arbitrary<string>;
  /** Each lane opens one, so that the files of one lane do not affect another. */
  open(emulator: Emulator): Promise<Stage>;
}

export interface Stage extends AsyncDisposable {
  /** Runs the action with this case. Throws if a check fails. */
  play(json: string): Promise<void>;
}

/** Makes a target from its cases and a way to play one. */
export function target<Case>(
  name: string,
  cases: fc.Arbitrary<Case>,
  open: (emulator: Emulator) => Promise<AsyncDisposable & { play(each: Case): Promise<void> }>,
): Target {
  return {
    name,
    cases: cases.map((each) => JSON.stringify(each)),
    async open(emulator) {
      const stage = await open(emulator);
      return {
        play: async (json) => await stage.play(JSON.parse(json)),
        [Symbol.asyncDispose]: async () => await stage[Symbol.asyncDispose](),
      };
    },
  };
}
