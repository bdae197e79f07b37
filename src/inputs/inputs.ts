import { DEFAULT_PATTERNS, type FilePatterns } from '../media/patterns.ts';
import type { FiredEvent } from '../service/client.ts';
import type { ServiceAccess } from '../service/endpoints.ts';
import type { Severity } from '../service/issue.ts';

/** The values of all inputs. A rejected input has its default value. */
export interface Inputs {
  /** Undefined if the API key or the address of the service is missing or invalid. */
  readonly service: ServiceAccess | undefined;
  readonly files: FilePatterns;
  readonly stateKey: string | undefined;
  readonly policy: Policy;
  readonly comment: 'never' | 'on-failure' | 'always';
  readonly onlyChanged: boolean;
  readonly waiversFile: string | undefined;
  /** Absolute path of the folder that patterns, the waivers file and all shown paths are relative to. */
  readonly searchRoot: string;
  readonly ifNoFilesFound: 'warn' | 'error' | 'ignore';
  readonly dryRun: boolean;
  readonly maxFiles: number;
  readonly name: string;
  readonly reuseDays: number;
  /** If undefined, the field is not sent: an empty list would mean that no sidekick runs. */
  readonly sidekickIds: readonly string[] | undefined;
  /** `none` sends no metadata at all. */
  readonly metadata: Readonly<Record<string, unknown>> | 'none';
  readonly uploadConcurrency: number;
  readonly waitTimeoutMinutes: number;
  readonly issueUrl: string | undefined;
  readonly reportDir: string | undefined;
  readonly reportArtifact: boolean;
  readonly retentionDays: number;
  readonly stateFile: string | undefined;
  readonly githubToken: string;
  readonly simulationDelaySeconds: number | undefined;
  readonly sandboxEvent: FiredEvent['eventType'] | undefined;
  readonly sandboxErrorMessage: string | undefined;
  /** The values of the job's matrix as JSON. Empty for a job without a matrix. */
  readonly matrix: string;
}

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
