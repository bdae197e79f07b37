import { type Issue, SEVERITIES, type Severity } from '../service/issue.ts';

/** Why an issue counts, or why it does not. */
export type Standing = 'active' | 'known' | 'ignored' | 'waived';

export interface GateRules {
  readonly failOnSeverity: Severity | 'never';
  readonly ignoreStatuses: readonly string[];
}

/** A status that we do not know is active: a gate fails closed. */
export function standingOf(issue: Issue, rules: GateRules): Standing {
  return rules.ignoreStatuses.includes(issue.status.toUpperCase()) ? 'ignored' : 'active';
}

export function reachesThreshold(severity: Severity, threshold: Severity | 'never'): boolean {
  return threshold !== 'never' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}
