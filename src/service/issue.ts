import * as v from 'valibot';
import { Id, idKey, isUuid } from './responses.ts';

/** All severities, most severe first. */
export const SEVERITIES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The statuses that the API documents. */
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

/** An issue that the service found in an asset. All texts are untrusted. */
export interface Issue {
  readonly id: string;
  readonly summary: string;
  /** An unknown severity counts as CRITICAL; `reportedSeverity` keeps the service's text. */
  readonly severity: Severity;
  readonly reportedSeverity: string;
  readonly status: string;
  readonly ruleCode: string;
  readonly referenceNumber?: number | undefined;
  readonly sidekickId?: string | undefined;
  readonly headline?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly precedents: readonly Precedent[];
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

export interface Topic {
  readonly title: string;
  readonly issueIds: readonly string[];
}

/** Only the first `MAX_LIST_ITEMS` of a list are read. The rest of a longer list counts as unreadable. */
const MAX_LIST_ITEMS = 10_000;
/** Response bodies are untrusted, so the search for items ends at this depth. */
const MAX_DEPTH = 5;

const optionalText = v.fallback(v.optional(v.string()), undefined);

/** Only an id and a severity are required. Unknown fields are dropped, because they may be large or secret. */
const IssueItem = v.object({
  id: Id,
  severity: v.fallback(v.string(), ''),
  summary: v.fallback(v.string(), ''),
  status: v.fallback(v.string(), ''),
  ruleCode: v.fallback(v.string(), ''),
  referenceNumber: v.fallback(v.optional(v.number()), undefined),
  sidekickId: optionalText,
  severityReasoning: optionalText,
  severityReasoningHeadline: optionalText,
  precedents: v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((items) => items.filter((item) => v.is(Precedent, item))),
    ),
    [],
  ),
  createdAt: optionalText,
  updatedAt: optionalText,
});

interface ItemList<Item> {
  readonly items: readonly Item[];
  /** How many entries the lists of items have, including unreadable ones. */
  readonly size: number;
}

export type IssueList = ItemList<Issue>;

export const NO_ISSUES: IssueList = { items: [], size: 0 };

export function parseIssues(response: unknown): IssueList {
  return parseItems(response, readIssue);
}

/**
 * Finds items in a response whose shape the contract does not show: a list, lists in an object, wrapped items, or items
 * by id.
 *
 * @param read returns undefined for a value that is no item. `key` is where the value stands in its object or list.
 */
export function parseItems<Item>(
  response: unknown,
  read: (value: unknown, key: string) => Item | undefined,
): ItemList<Item> {
  // An entry without an item is `undefined` if it is in a list of items.
  const itemsIn = (value: unknown, key: string, depth: number): readonly (Item | undefined)[] => {
    if (depth > MAX_DEPTH) return [];
    const item = read(value, key);
    if (item !== undefined) return [item];
    if (typeof value !== 'object' || value === null) return [];
    const entries = Object.entries(value).map(([name, entry]) => itemsIn(entry, name, depth + 1));
    // A list without any item may be one of links, unless it is the whole response.
    const isOfItems = Array.isArray(value) && (depth === 0 || entries.some(({ length }) => length > 0));
    return entries.flatMap((found) => (found.length === 0 && isOfItems ? [undefined] : found));
  };
  const all = itemsIn(response, '', 0);
  const items = all.filter((item) => item !== undefined);
  return { items: items.slice(0, MAX_LIST_ITEMS), size: all.length };
}

/** An issue has a severity and an id, which may be its key. Everything else may be missing. */
function readIssue(value: unknown, key: string): Issue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'severity')) return undefined;
  const parsed = v.safeParse(IssueItem, { ...(isUuid(key) && { id: key }), ...value });
  if (!parsed.success) return undefined;
  const { severityReasoning, severityReasoningHeadline, ...issue } = parsed.output;
  return {
    ...issue,
    severity: SEVERITIES.find((known) => known === issue.severity.toUpperCase()) ?? 'CRITICAL',
    reportedSeverity: issue.severity,
    headline: severityReasoningHeadline,
    reasoning: severityReasoning,
  };
}

const TitledTopic = v.object({ title: v.string() });
const NamedTopic = v.object({ name: v.string() });

/** A topic is an object with a title or name that contains ids of these issues. They are written as in `issues`. */
export function parseTopics(source: unknown, issues: readonly Issue[]): readonly Topic[] {
  const ids = new Map(issues.map(({ id }) => [idKey(id), id]));
  const readId = (value: unknown) => (typeof value === 'string' ? ids.get(idKey(value)) : undefined);
  const readTopic = (item: unknown): Topic | undefined => {
    const title = v.is(TitledTopic, item) ? item.title : v.is(NamedTopic, item) ? item.name : undefined;
    const issueIds = title === undefined ? [] : parseItems(item, readId).items;
    return title !== undefined && issueIds.length > 0 ? { title, issueIds } : undefined;
  };
  return parseItems(source, readTopic).items;
}

/**
 * The issues of an earlier analysis of the same bytes that this run has not read. An issue was read if it has the same
 * id or, because a new analysis gives new ids, the same rule and at least the same severity. Each issue that was read
 * stands for one earlier issue.
 */
export function unreadIssues(earlier: readonly Issue[], read: readonly Issue[]): readonly Issue[] {
  const earlierIds = new Set(earlier.map(({ id }) => idKey(id)));
  const readIds = new Set(read.map(({ id }) => idKey(id)));
  const others = read.filter(({ id }) => !earlierIds.has(idKey(id)));
  const unread = earlier.filter(({ id }) => !readIds.has(idKey(id))).toSorted(bySeverity);
  return unmatched(unread, others, (issue, other) => isAtLeast(other.severity, issue.severity));
}

/**
 * The issues that match none of the others. Issues get new ids in every analysis, so only issues of one rule match, and
 * each of the others matches one issue. An issue without a rule code cannot be recognised. The sidekick is not compared,
 * because a response may leave it out.
 */
export function unmatched<One extends Pick<Issue, 'ruleCode'>, Other extends Pick<Issue, 'ruleCode'>>(
  issues: readonly One[],
  others: readonly Other[],
  isMatch: (issue: One, other: Other) => boolean,
): readonly One[] {
  const byRule = Map.groupBy(others, ({ ruleCode }) => ruleCode);
  return issues.filter((issue) => {
    const ofRule = issue.ruleCode === '' ? [] : (byRule.get(issue.ruleCode) ?? []);
    const index = ofRule.findIndex((other) => isMatch(issue, other));
    if (index !== -1) ofRule.splice(index, 1);
    return index === -1;
  });
}

/** Joins two lists of the same asset's issues. If both contain an issue, its texts are taken from the first list. */
export function joinById(first: readonly Issue[], second: readonly Issue[]): readonly Issue[] {
  const joined = new Map(second.map((issue) => [idKey(issue.id), issue]));
  for (const issue of first) joined.set(idKey(issue.id), worseOf(issue, joined.get(idKey(issue.id))));
  return [...joined.values()];
}

/** The gate fails closed: the higher of two severities counts, and two different statuses become `UNCLEAR`. */
function worseOf(issue: Issue, other: Issue | undefined): Issue {
  if (!other) return issue;
  const isWorse = severityRank(other.severity) < severityRank(issue.severity);
  const { severity, reportedSeverity } = isWorse ? other : issue;
  const isSameStatus = other.status.toUpperCase() === issue.status.toUpperCase();
  return { ...issue, severity, reportedSeverity, status: isSameStatus ? issue.status : UNCLEAR };
}

/** Not one of `ISSUE_STATUSES`, so `ignore-statuses` cannot contain it. */
const UNCLEAR = 'UNCLEAR';
