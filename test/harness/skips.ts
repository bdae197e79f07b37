import type { Reporter, TestModule } from 'vitest/node';

/** A reporter for vitest. In CI on Linux, which has all that the tests need, a skipped test fails the run. */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!process.env['CI'] || process.platform !== 'linux') return;
    for (const { relativeModuleId, children } of modules)
      for (const { fullName } of children.allTests('skipped')) {
        console.error(`This test was skipped: ${relativeModuleId}: ${fullName}`);
        process.exitCode = 1;
      }
  }
}
