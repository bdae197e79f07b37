import type * as fc from 'fast-check';
import type { Emulator } from '../../emulator/emulator.ts';

/** One kind of thing that comes from outside. */
export interface Target {
  readonly name: string;
  /** As JSON: a case that failed is kept as it is, and means the same when the arbitraries have changed. */
  readonly cases: fc.Arbitrary<string>;
  /** A stage of its own for each lane: what a run leaves behind must not be another lane's. */
  open(emulator: Emulator): Promise<Stage>;
}

export interface Stage extends AsyncDisposable {
  /** Runs the action in this case. Throws where something is not as it has to be. */
  play(json: string): Promise<void>;
}

/** Puts a target together from cases and the way to play one. */
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
