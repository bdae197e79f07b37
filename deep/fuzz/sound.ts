import { expectHeld, type HeldRun } from '../../test/harness/held-run.ts';

/** What has to be true of every run; a defect is told with its place, so that two of them are kept apart. */
export function expectSound(run: HeldRun): void {
  const [broken] = /The gate itself broke: .*/.exec(run.log) ?? [];
  if (broken !== undefined) throw new Error(broken);
  expectHeld(run);
}
