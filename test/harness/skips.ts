import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';

const REASONS = {
  windows: process.platform === 'win32',
  'not Linux': process.platform !== 'linux',
  'an archive of the sources is no repository': !existsSync(fileURLToPath(new URL('../../.git', import.meta.url))),
} as const;

/**
 * The tests that may be skipped: their file, a part of their full names, and the reason. Tests that need a browser may
 * not be skipped.
 */
export const MAY_BE_SKIPPED: readonly (readonly [file: string, name: string, reason: keyof typeof REASONS])[] = [
  ['test/faults/disk.test.ts', '', 'not Linux'],
  ['test/media/discover.test.ts', '', 'not Linux'],
  ['test/media/hash.test.ts', 'a file that was replaced', 'windows'],
  ['test/media/hash.test.ts', 'every file is closed again', 'not Linux'],
  ['test/project/tracked.test.ts', '', 'an archive of the sources is no repository'],
  ['test/report/cleared.test.ts', 'the list is read by sha256sum', 'not Linux'],
  ['test/workflows/lint.test.ts', 'actionlint', 'not Linux'],
  ['test/workflows/scripts.test.ts', '', 'not Linux'],
];

export interface SkippedTest {
  /** The path from the root of the project, with slashes. */
  readonly file: string;
  readonly name: string;
}

/** Returns the tests that should have run on this machine. */
export function unexpectedSkips(
  skipped: readonly SkippedTest[],
  reasons: Readonly<Record<keyof typeof REASONS, boolean>> = REASONS,
): readonly SkippedTest[] {
  return skipped.filter(
    ({ file, name }) =>
      !MAY_BE_SKIPPED.some(([itsFile, part, reason]) => itsFile === file && name.includes(part) && reasons[reason]),
  );
}

/** A reporter for vitest. In CI a test that is skipped without a reason fails the run. */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!process.env['CI']) return;
    const skipped = modules.flatMap(({ relativeModuleId: file, children }) =>
      [...children.allTests('skipped')].map(({ fullName: name }) => ({ file, name })),
    );
    const unexpected = unexpectedSkips(skipped);
    console.log(`${skipped.length} tests skipped, ${unexpected.length} of them unexpectedly`);
    for (const { file, name } of unexpected)
      console.error(`Skipped, and it is not in test/harness/skips.ts: ${file}: ${name}`);
    if (unexpected.length > 0) process.exitCode = 1;
  }
}
