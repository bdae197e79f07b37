import { EMULATOR, freshBuild, GATE } from '../../scripts/build.ts';

/** Builds both actions before the first test, so that no test's time limit has to cover a build. */
export async function setup(): Promise<void> {
  for (const bundle of [GATE, EMULATOR]) await freshBuild(bundle);
}
