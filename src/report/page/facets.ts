import { SEVERITIES } from '../../service/issue.ts';
import { truncate } from '../budget.ts';
import { GATE_LABELS, gateOf, SEVERITY_NAMES } from '../phrases.ts';
import type { ListedIssue, ReportedAsset, ReportedIssue } from '../report.ts';
import { dividingFolders, foldersWith } from './folders.ts';

export const MAX_RULE_LENGTH = 200;
const MAX_STATUS_LENGTH = 80;
const MAX_TITLE_LENGTH = 100;
/** A longer list is of no help; the search finds the others. */
const MAX_VALUES = 300;
/** Of a file whose bytes are in many places. */
export const MAX_PATHS = 20;

/** What the issues of the page can be filtered by. The names stand in the page's address. */
type FacetName = 'severity' | 'folder' | 'rule' | 'gate' | 'change' | 'base' | 'status';

/** The values of one issue; undefined if there was nothing to compare with. */
export function facetValues(issue: ReportedIssue, asset: ReportedAsset) {
  const { isNew } = issue;
  return {
    severity: issue.severity,
    gate: gateOf(issue),
    rule: truncate(issue.ruleCode, MAX_RULE_LENGTH),
    status: truncate(issue.status, MAX_STATUS_LENGTH),
    change: changeOf(issue, asset),
    base: isNew === undefined ? undefined : isNew ? 'new' : 'both',
  } as const satisfies Record<Exclude<FacetName, 'folder'>, string | undefined>;
}

/** Every issue has one, so that they add up. What a new file has is new, and what an unchanged file has stayed. */
function changeOf({ isNewInVersion }: ReportedIssue, asset: ReportedAsset): 'new' | 'stayed' | 'unknown' {
  if (isNewInVersion !== undefined) return isNewInVersion ? 'new' : 'stayed';
  if (asset.source === 'reused') return 'stayed';
  return asset.sourceReason === 'new' ? 'new' : 'unknown';
}

export interface Facet {
  readonly name: FacetName;
  readonly label: string;
  readonly values: readonly FacetValue[];
  /** How many values are not in the list. */
  readonly hidden: number;
}

/** One value, and how many issues have it. */
export interface FacetValue {
  readonly value: string;
  readonly label: string;
  /** What a code stands for. */
  readonly title: string | undefined;
  readonly count: number;
}

const LABELS: Readonly<Record<FacetName, string>> = {
  severity: 'Severity',
  folder: 'Folder',
  rule: 'Rule',
  gate: 'In this gate',
  change: 'Since the version before',
  base: 'Compared with the base branch',
  status: 'Status at the service',
};

/** Values that have a fixed order and a name. */
const NAMED: Readonly<Partial<Record<FacetName, Readonly<Record<string, string>>>>> = {
  severity: Object.fromEntries(SEVERITIES.map((severity) => [severity, SEVERITY_NAMES[severity]])),
  gate: GATE_LABELS,
  change: { new: 'New, or in a new file', stayed: 'Stayed', unknown: 'Not compared', fixed: 'Fixed' },
  base: { new: 'Not on the base branch', both: 'Also on the base branch' },
};

/**
 * The filters of the page. One that could not narrow anything is left out.
 *
 * @param issues worst first: rules and statuses are listed in the order of their worst issue
 * @param fixed how many issues of the versions before are gone
 */
export function facetsOf(issues: readonly ListedIssue[], fixed: number): readonly Facet[] {
  const counts = countValues(issues);
  const titles = ruleTitles(issues);
  if (fixed > 0) counts.change.set('fixed', fixed);
  return FACET_NAMES.map((name) => {
    const found = counts[name];
    const named = NAMED[name];
    const order = named ? Object.keys(named).filter((value) => found.has(value)) : [...found.keys()];
    const values = order.slice(0, MAX_VALUES).map((value) => ({
      value,
      label: named?.[value] ?? value,
      title: name === 'rule' ? titles.get(value) : undefined,
      count: found.get(value) ?? 0,
    }));
    return { name, label: LABELS[name], values, hidden: order.length - values.length };
  }).filter(canNarrow);
}

const FACET_NAMES: readonly FacetName[] = ['severity', 'folder', 'rule', 'gate', 'change', 'base', 'status'];

function countValues(issues: readonly ListedIssue[]): Readonly<Record<FacetName, Map<string, number>>> {
  const folders = foldersByAsset(issues);
  const counts = {
    severity: new Map<string, number>(),
    folder: new Map([...new Set([...folders.values()].flat())].toSorted().map((folder) => [folder, 0])),
    rule: new Map<string, number>(),
    gate: new Map<string, number>(),
    change: new Map<string, number>(),
    base: new Map<string, number>(),
    status: new Map<string, number>(),
  };
  for (const { issue, asset } of issues) {
    const values = { ...facetValues(issue, asset), folder: folders.get(asset) };
    for (const name of FACET_NAMES)
      for (const value of [values[name] ?? []].flat()) counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
  }
  return counts;
}

/** The service names no rule: if all of its issues have one headline, that is its title. */
function ruleTitles(issues: readonly ListedIssue[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { issue } of issues) {
    const rule = truncate(issue.ruleCode, MAX_RULE_LENGTH);
    const title = truncate(issue.headline ?? '', MAX_TITLE_LENGTH);
    titles.set(rule, (titles.get(rule) ?? title) === title ? title : '');
  }
  return titles;
}

/** The same bytes may be in several folders. */
function foldersByAsset(issues: readonly ListedIssue[]): ReadonlyMap<ReportedAsset, readonly string[]> {
  const assets = [...new Set(issues.map(({ asset }) => asset))];
  const folders = dividingFolders(assets.flatMap(shownPaths));
  return new Map(assets.map((asset) => [asset, foldersWith(folders, shownPaths(asset))]));
}

function shownPaths({ paths }: ReportedAsset): readonly string[] {
  return paths.slice(0, MAX_PATHS);
}

/** Severities and rules are an index as well: a reader looks for them even if there is only one. */
function canNarrow({ name, values }: Facet): boolean {
  if (name === 'severity' || name === 'rule') return values.length > 0;
  return values.length > 1 || (name === 'change' && values[0]?.value === 'fixed');
}
