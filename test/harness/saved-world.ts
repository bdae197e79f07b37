import type { Scenario } from '../../emulator/emulator.ts';
import type { Submission } from '../../emulator/model.ts';
import { OUTPUTS } from '../../src/publish/publish.ts';
import type { UploadedBy } from './artifact-service.ts';
import { images } from './media.ts';

/** What runs of one version left at GitHub or in a `state-file`, and at the service (`scripts/save-states.ts`). */
export interface SavedWorld {
  readonly savedAt: string;
  readonly submissions: readonly Submission[];
  /** Oldest first. The archives are in base64. */
  readonly artifacts: readonly Readonly<{ name: string; uploadedBy: UploadedBy; archive: string }>[];
  readonly stateFile?: string;
  /** How that version itself judged the next run. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Signs the states, in place of an API key. */
export const OLD_KEY = 'the-state-key-of-an-earlier-version';

/** One without issues, one with issues, one that failed for good, and one whose analysis outlasted its run. */
export const OLD_FILES = images('good', 'bad', 'broken', 'slow');

const ISSUES = [
  { severity: 'CRITICAL', ruleCode: 'AD-17' },
  { severity: 'MINOR', ruleCode: 'AD-18', status: 'DISMISSED' },
];
export const OLD_SCENARIO: Scenario = {
  files: [
    { match: 'broken-*', fails: { isRetryable: false, errorMessage: 'No pixels' } },
    { match: 'bad-*', issues: ISSUES },
    { match: 'slow-*', reads: 1_000_000, issues: ISSUES },
  ],
};

/** Paths and addresses differ from run to run. */
export const KEPT_OUTPUTS = Object.keys(OUTPUTS).filter((name) => !/-(dir|file|url)$/.test(name));
