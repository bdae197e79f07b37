import { expectInvariants } from '../../test/harness/invariants.ts';
import type { ServiceRun } from '../../test/harness/run-action.ts';

/** What has to be true of every run; a defect is told with its place, so that two of them are kept apart. */
export function expectSound(run: ServiceRun): void {
  const [broken] = /The action itself failed: .*/.exec(run.log) ?? [];
  if (broken !== undefined) throw new Error(broken);
  expectInvariants(run);
}
