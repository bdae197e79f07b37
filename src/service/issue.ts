import * as v from 'valibot';
import { Id, idKey } from './responses.ts';

/** All severities, most severe first. */
export const SEVERITIES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The statuses that the API documents, most active first. */
export const ISSUE_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'] as const;

/** Returns 0 for the most severe. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Worst first. */
export function bySeverity(a: Pick<Issue, 'severity'>, b: Pick<Issue, 'severity'>): number {
  return severityRank(a.severity) - severityRank(b.severity);
}

/** Whether a severity reaches a threshold. With `never`, none does. */
export function isAtLeast(severity: Severity, threshold: Severity | 'never'): boolean {
  return threshold !== 'never' && severityRank(severity) <= severityRank(threshold);
}

const Precedent = v.object({ url: v.string(), title: v.string(), decision: v.string(), date: v.string() });
export type Precedent = Readonly<v.InferOutput<typeof Precedent>>;

export interface Topic {
  readonly title: string;
  readonly issueIds: readonly string[];
}

const optionalText = v.fallback(v.optional(v.string()), undefined);

/**
 * An issue that the service found in an asset. Only an id and a severity are required. All texts are untrusted, and
 * unknown fields are dropped, because they may be large or secret.
 */
const IssueItem = v.pipe(
  v.object({
    id: Id,
    severity: v.unknown(),
    summary: v.fallback(v.string(), ''),
    status: v.fallback(v.string(), ''),
    ruleCode: v.fallback(v.string(), ''),
    referenceNumber: v.fallback(v.optional(v.number()), undefined),
    sidekickId: optionalText,
    severityReasoning: optionalText,
    severityReasoningHeadline: optionalText,
    // Parsing drops every other field of a precedent: its name is not cleaned.
    precedents: v.pipe(v.fallback(v.array(Precedent), []), v.readonly()),
  }),
  v.transform(({ severity: given, severityReasoning: reasoning, severityReasoningHeadline: headline, ...issue }) => {
    const known = SEVERITIES.find((each) => typeof given === 'string' && each === given.toUpperCase());
    const texts: Partial<Record<'reasoning' | 'headline', string | undefined>> = { reasoning, headline };
    // An unknown severity counts as CRITICAL.
    return { ...issue, ...texts, severity: known ?? 'CRITICAL' };
  }),
);
export type Issue = Readonly<v.InferOutput<typeof IssueItem>>;

/** The entries of a list whose shape the contract does not show: an array, or an object that holds one. */
export function entriesOf(response: unknown): readonly unknown[] {
  if (typeof response !== 'object' || response === null) return [];
  return Array.isArray(response) ? response : Object.values(response).filter(Array.isArray).flat();
}

/** An entry that is no issue is left out: the count of the asset shows that one is missing. */
export function parseIssues(response: unknown): readonly Issue[] {
  const parsed = entriesOf(response).map((entry) => v.safeParse(IssueItem, entry));
  return parsed.flatMap(({ success, output }) => (success ? output : []));
}

const TopicList = v.object({ topics: v.unknown() });
const Titled = v.object({ title: v.string() });

/** A topic is an entry of `topics` with a title, which has ids of these issues somewhere in it. */
export function parseTopics(response: unknown, issues: readonly Issue[]): readonly Topic[] {
  const entries = v.is(TopicList, response) ? entriesOf(response.topics) : [];
  return entries.flatMap((entry) => {
    const text = JSON.stringify(entry).toLowerCase();
    const issueIds = issues.map(({ id }) => id).filter((id) => text.includes(`"${id.toLowerCase()}"`));
    return v.is(Titled, entry) && issueIds.length > 0 ? { title: entry.title, issueIds } : [];
  });
}

/** Joins two lists of one content's issues. If both contain an issue, its texts are taken from the first list. */
export function joinById(first: readonly Issue[], second: readonly Issue[]): readonly Issue[] {
  const joined = new Map(second.map((issue) => [idKey(issue.id), issue]));
  for (const issue of first) joined.set(idKey(issue.id), worseOf(issue, joined.get(idKey(issue.id))));
  return [...joined.values()];
}

/** The gate fails closed: the higher of two severities counts, and the more active of two statuses. */
function worseOf(issue: Issue, other: Issue | undefined): Issue {
  if (!other) return issue;
  const { severity } = bySeverity(issue, other) <= 0 ? issue : other;
  const { status } = activity(issue) <= activity(other) ? issue : other;
  return { ...issue, severity, status };
}

/** Lowest for the most active: a status that the API does not document, then its statuses in their order. */
function activity({ status }: Issue): number {
  return ISSUE_STATUSES.findIndex((known) => known === status.toUpperCase());
}
