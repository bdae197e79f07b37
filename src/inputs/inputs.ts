import { DEFAULT_PATTERNS } from '../media/patterns.ts';
import type { Severity } from '../service/issue.ts';

/** The settings that a verdict depends on. */
export interface Policy {
  readonly failOnSeverity: Severity | 'never';
  readonly failOnIssues: 'all' | 'new';
  readonly ignoreStatuses: readonly string[];
  readonly onServiceError: 'error' | 'warn';
}

/** The same defaults as in action.yml. */
export const DEFAULTS = {
  'api-key': '',
  'base-url': '',
  files: `${DEFAULT_PATTERNS.join('\n')}\n`,
  'state-key': '',
  'fail-on-severity': 'CRITICAL',
  'fail-on-issues': 'all',
  comment: 'never',
  'only-changed': 'false',
  'waivers-file': '',
  contact: '',
  'working-directory': '',
  'if-no-files-found': 'warn',
  'if-no-api-key': 'error',
  'on-service-error': 'error',
  'dry-run': 'false',
  'max-files': '500',
  name: 'media-compliance',
  'reuse-days': '90',
  'ignore-statuses': 'RESOLVED, DISMISSED',
  'sidekick-ids': '',
  metadata: '',
  'upload-concurrency': '8',
  'wait-timeout-minutes': '30',
  'issue-url': '',
  'report-dir': '',
  'report-artifact': 'true',
  'retention-days': '30',
  'state-file': '',
  'github-token': '',
  'simulation-delay-seconds': '',
  'sandbox-event': '',
  'sandbox-error-message': '',
  matrix: '',
} as const satisfies Record<string, string>;

export type InputName = keyof typeof DEFAULTS;

/** Inputs whose value must never be shown. */
export const SECRET_INPUTS = ['api-key', 'state-key', 'github-token'] as const satisfies readonly InputName[];

/** The names that the input `issue-url` may contain in braces. */
export const ISSUE_URL_PLACEHOLDERS = ['referenceNumber', 'issueId', 'assetId', 'submissionId'] as const;
