import * as v from 'valibot';
import { type Issue, type Precedent, SEVERITIES, type Severity, severityRank, type Topic } from './issue.ts';

/**
 * The shapes of the lists of issues, topics and versions are not shown in the contract. They are taken as an array, or
 * as an object that holds one, and item by item: one unreadable item does not hide the others.
 */
export interface ReadList<T> {
  readonly items: readonly T[];
  /** How many there were, those that could not be read included; undefined where there was no list at all. */
  readonly size: number | undefined;
}

const ITEM_KEYS = ['items', 'data', 'results'] as const;

/** The array in an answer: the answer itself, or the value under the expected or a usual key, or the only array there is. */
function arrayIn(answer: unknown, key: string): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (typeof answer !== 'object' || answer === null) return undefined;
  const entries = new Map(Object.entries(answer));
  for (const name of [key, ...ITEM_KEYS]) {
    const value = entries.get(name);
    if (Array.isArray(value)) return value;
  }
  const arrays = [...entries.values()].filter((value) => Array.isArray(value));
  return arrays.length === 1 ? arrays[0] : undefined;
}

function readList<T>(answer: unknown, key: string, readItem: (item: unknown) => T | undefined): ReadList<T> {
  const array = arrayIn(answer, key);
  if (!array) return { items: [], size: undefined };
  return { items: array.map(readItem).filter((item) => item !== undefined), size: array.length };
}

const optionalText = v.fallback(v.optional(v.string()), undefined);

const PrecedentItem = v.object({
  url: v.fallback(v.string(), ''),
  title: v.fallback(v.string(), ''),
  decision: v.fallback(v.string(), ''),
  date: v.fallback(v.string(), ''),
});

/** An id and a severity are what a verdict needs; everything else only helps a reader. Fields unknown to us are kept. */
const IssueItem = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1)),
  severity: v.fallback(v.string(), ''),
  summary: v.fallback(v.string(), ''),
  status: v.fallback(v.string(), ''),
  ruleCode: v.fallback(v.string(), ''),
  referenceNumber: v.fallback(v.optional(v.number()), undefined),
  sidekickId: optionalText,
  severityReasoning: optionalText,
  severityReasoningHeadline: optionalText,
  precedents: v.fallback(v.array(v.unknown()), []),
  createdAt: optionalText,
  updatedAt: optionalText,
});

export function readIssues(answer: unknown): ReadList<Issue> {
  return readList(answer, 'issues', readIssue);
}

function readIssue(item: unknown): Issue | undefined {
  const parsed = v.safeParse(IssueItem, item);
  if (!parsed.success) return undefined;
  const { severityReasoning, severityReasoningHeadline, precedents, ...issue } = parsed.output;
  return {
    ...issue,
    // A gate fails closed: what we cannot rank is the worst.
    severity: knownSeverity(issue.severity) ?? 'CRITICAL',
    reportedSeverity: issue.severity,
    referenceNumber: issue.referenceNumber,
    sidekickId: issue.sidekickId,
    headline: severityReasoningHeadline,
    reasoning: severityReasoning,
    precedents: precedents.map(readPrecedent).filter((precedent) => precedent !== undefined),
    createdAt: issue.createdAt,
    updatedAt: issue.updatedAt,
  };
}

function knownSeverity(told: string): Severity | undefined {
  return SEVERITIES.find((severity) => severity === told.toUpperCase());
}

function readPrecedent(item: unknown): Precedent | undefined {
  const parsed = v.safeParse(PrecedentItem, item);
  return parsed.success ? parsed.output : undefined;
}

/** The fields inside a topic are not shown: any text that looks like a name, and any list of things with an id. */
export function readTopics(answer: unknown): ReadList<Topic> {
  return readList(answer, 'topics', readTopic);
}

function readTopic(item: unknown): Topic | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const entries = new Map(Object.entries(item));
  const title = ['title', 'name', 'headline', 'summary', 'label']
    .map((key) => entries.get(key))
    .find((value) => typeof value === 'string');
  const issueIds = [...entries.values()]
    .filter((value) => Array.isArray(value))
    .flat()
    .map((member: unknown) => idOf(member))
    .filter((id) => id !== undefined);
  return title !== undefined && issueIds.length > 0 ? { title, issueIds } : undefined;
}

function idOf(member: unknown): string | undefined {
  if (typeof member === 'string') return member;
  if (typeof member !== 'object' || member === null) return undefined;
  const entries = new Map(Object.entries(member));
  return ['id', 'issueId'].map((key) => entries.get(key)).find((value) => typeof value === 'string');
}

/** Only how many there are is of use: what a version holds is not shown. */
export function countVersions(answer: unknown): number | undefined {
  return arrayIn(answer, 'versions')?.length;
}

/** Joins two lists of the same asset's issues. The first knows more about an issue that both have. */
export function joinById(first: readonly Issue[], second: readonly Issue[]): readonly Issue[] {
  const joined = new Map(second.map((issue) => [issue.id, issue]));
  for (const issue of first) joined.set(issue.id, worseOf(issue, joined.get(issue.id)));
  return [...joined.values()];
}

/** Where two lists disagree about an issue, the worse is believed: a gate fails closed. */
function worseOf(issue: Issue, other: Issue | undefined): Issue {
  if (!other) return issue;
  const isWorse = severityRank(other.severity) < severityRank(issue.severity);
  const { severity, reportedSeverity } = isWorse ? other : issue;
  const status = opennessOf(other.status) < opennessOf(issue.status) ? other.status : issue.status;
  return { ...issue, severity, reportedSeverity, status };
}

/** The more open, the earlier. One that is not among them is OPEN, or nobody knows it: that is as open as can be. */
const LESS_THAN_OPEN = ['AWAITING_HUMAN_INPUT', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'];

function opennessOf(status: string): number {
  return LESS_THAN_OPEN.indexOf(status.toUpperCase());
}

/**
 * Whether nothing is missing: as many issues as were told, and as many as either list had items. An item that cannot be
 * read may be anything, so it is missing unless the other list made up for it. Where there was no list at all, nothing is
 * known, not even that there is none.
 */
export function isWhole(expected: number | undefined, got: number, lists: readonly ReadList<Issue>[]): boolean {
  const sizes = lists.map(({ size }) => size).filter((size) => size !== undefined);
  return expected !== undefined && sizes.length > 0 && got >= Math.max(expected, ...sizes);
}
