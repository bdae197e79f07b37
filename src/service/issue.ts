/** Most severe first. */
export const SEVERITIES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** 0 is the most severe. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

export interface Precedent {
  readonly url: string;
  readonly title: string;
  readonly decision: string;
  readonly date: string;
}

/** What the service found in an asset. Every text is from outside. */
export interface Issue {
  readonly id: string;
  readonly summary: string;
  /** An unknown severity counts as CRITICAL; `reportedSeverity` keeps the service's text. */
  readonly severity: Severity;
  readonly reportedSeverity: string;
  readonly status: string;
  readonly ruleCode: string;
  readonly referenceNumber: number | undefined;
  readonly sidekickId: string | undefined;
  readonly headline: string | undefined;
  readonly reasoning: string | undefined;
  readonly precedents: readonly Precedent[];
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/** A group of related issues of one asset. */
export interface Topic {
  readonly title: string;
  readonly issueIds: readonly string[];
}
