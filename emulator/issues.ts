import { randomUUID } from 'node:crypto';
import type { Issue, Submission } from './model.ts';
import type { IssueSpec } from './scenario.ts';

/** The sidekick that raises issues if neither scenario nor submission names one. */
const DEFAULT_SIDEKICK = '5ec0de00-0000-4000-8000-000000000001';

const PRECEDENT = {
  url: 'https://rulings.example/2024/117',
  title: 'Claim without evidence in a product film',
  decision: 'Upheld',
  date: '2024-03-14',
};

/** The issues an analysis finds: those of the sidekicks that ran, with every field filled in. */
export function findIssues(
  specs: readonly IssueSpec[],
  submission: Pick<Submission, 'sidekickIds'>,
  nextReferenceNumber: () => number,
): readonly Issue[] {
  const ran = submission.sidekickIds;
  const now = new Date().toISOString();
  return specs
    .filter(
      (spec) => ran === undefined || (spec.sidekickId === undefined ? ran.length > 0 : ran.includes(spec.sidekickId)),
    )
    .map((spec) => ({
      id: randomUUID(),
      summary: 'The claim is not backed by evidence.',
      severity: 'MAJOR',
      status: 'OPEN',
      createdAt: now,
      updatedAt: now,
      referenceNumber: nextReferenceNumber(),
      ruleCode: 'CLAIM-01',
      sidekickId: ran?.[0] ?? DEFAULT_SIDEKICK,
      severityReasoning: 'The claim is central to the message and nothing in the asset supports it.',
      severityReasoningHeadline: 'Central claim without support',
      precedents: [PRECEDENT],
      ...spec,
    }));
}

/** The short form of an issue in an asset result. */
export function compactIssue(issue: Issue): Record<string, unknown> {
  const { id, referenceNumber, ruleCode, summary, severity, status } = issue;
  return { id, referenceNumber, ruleCode, summary, severity, status };
}

/** Two or more issues of one rule make a topic; the others are orphans. */
export function clusterIssues(assetId: string, issues: readonly Issue[]): Record<string, unknown> {
  const groups = [...Map.groupBy(issues, (issue) => issue.ruleCode)];
  const topics = groups.filter(([, group]) => group.length > 1);
  const orphans = groups.filter(([, group]) => group.length === 1);
  return {
    assetId,
    topics: topics.map(([ruleCode, group]) => ({
      id: randomUUID(),
      title: `${group.length} issues of ${ruleCode}`,
      issues: group.map(compactIssue),
    })),
    orphanIssues: orphans.flatMap(([, group]) => group.map(compactIssue)),
    metadata: { totalIssues: issues.length, topicCount: topics.length },
  };
}
