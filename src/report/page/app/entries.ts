import { plural } from '../../../lib/format.ts';
import type { Issue } from '../../../service/issue.ts';
import { type CauseGroup, countFiles, gateOf, groupCauses } from '../../phrases.ts';
import { type ListedIssue, type Report, type ReportedAsset, worstFirst } from '../../report.ts';

/** One line of the inbox. Its id stands in the page's address. */
export type Entry = IssueEntry | FixedEntry | FileEntry | ProblemEntry;

export interface IssueEntry extends ListedIssue {
  readonly kind: 'issue';
  readonly id: string;
}

/** An issue that the version before had. */
export interface FixedEntry {
  readonly kind: 'fixed';
  readonly id: string;
  readonly asset: ReportedAsset;
  readonly issue: Issue;
}

/** One path: the same bytes in two of them are two files. */
export interface FileEntry {
  readonly kind: 'file';
  readonly id: string;
  readonly asset: ReportedAsset;
  readonly path: string;
}

/** Why something could not be judged. */
export interface ProblemEntry {
  readonly kind: 'problem';
  readonly id: string;
  readonly cause: Pick<CauseGroup, 'message' | 'fix' | 'paths'>;
  /** Whether nothing is wrong with its files: they share the outcome of the others. */
  readonly isConsequence: boolean;
}

export const BOXES = ['problems', 'active', 'stops', 'uncounted', 'fixed', 'files'] as const;
export type Box = (typeof BOXES)[number];

export type Boxes = Readonly<Record<Box, readonly Entry[]>>;

export function perBox<T>(valueOf: (box: Box) => T): Readonly<Record<Box, T>> {
  return {
    problems: valueOf('problems'),
    active: valueOf('active'),
    stops: valueOf('stops'),
    uncounted: valueOf('uncounted'),
    fixed: valueOf('fixed'),
    files: valueOf('files'),
  };
}

/** All entries, worst first in each box. Only what stops the check is in two: it is active as well. */
export function sortIntoBoxes(report: Report): Boxes {
  const newId = idMaker();
  const issues = worstFirst(report).map(
    ({ asset, issue, topics }): IssueEntry => ({ kind: 'issue', id: newId('issue', issue), asset, issue, topics }),
  );
  const inGate = Object.groupBy(issues, ({ issue }) => {
    const gate = gateOf(issue);
    return gate === 'stops' || gate === 'counted' ? gate : 'uncounted';
  });
  const { stops = [], counted = [], uncounted = [] } = inGate;
  return {
    problems: problemsOf(report),
    active: [...stops, ...counted],
    stops,
    uncounted,
    fixed: report.assets.flatMap((asset) =>
      (asset.fixed ?? []).map((issue): FixedEntry => ({ kind: 'fixed', id: newId('fixed', issue), asset, issue })),
    ),
    files: report.assets
      .flatMap((asset) => asset.paths.map((path) => ({ asset, path })))
      .map((file, index) => ({ kind: 'file', id: `file-${index + 1}`, ...file })),
  };
}

/** What went wrong, then in one line the files that were not judged although nothing is wrong with them. */
function problemsOf({ causes, assets }: Report): readonly ProblemEntry[] {
  const problems = groupCauses(causes).map(
    (cause, index): ProblemEntry => ({ kind: 'problem', id: `problem-${index + 1}`, cause, isConsequence: false }),
  );
  const blamed = new Set(causes.map(({ path }) => path));
  const others = assets.filter(({ outcome, paths }) => outcome !== 'judged' && !paths.some((path) => blamed.has(path)));
  if (others.length === 0) return problems;
  const files = countFiles(others);
  const end = others.every(({ source }) => source === 'not-sent') ? 'sent' : 'judged';
  const cause = {
    message: `${plural(files, problems.length > 0 ? 'other file' : 'file')} ${files === 1 ? 'was' : 'were'} not ${end}`,
    fix: problems.length > 0 ? 'Nothing is known to be wrong with these files.' : '',
    paths: others.flatMap(({ paths }) => paths),
  };
  return [...problems, { kind: 'problem', id: 'others', cause, isConsequence: true }];
}

/** By reference number, so that the address of an issue can be read and typed. */
function idMaker(): (kind: 'issue' | 'fixed', issue: Issue) => string {
  const used = new Map<string, number>();
  return (kind, { referenceNumber }) => {
    const name = `${kind}-${referenceNumber ?? 'unnumbered'}`;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return times === 1 ? name : `${name}-${times}`;
  };
}

export function pathsOf(entry: Entry): readonly string[] {
  return entry.kind === 'problem' ? entry.cause.paths : entry.asset.paths;
}

/** What a file's analysis led to. */
export function resultOf({ outcome, issues }: ReportedAsset, mode: Report['mode']): string {
  if (outcome !== 'judged') return 'Not judged';
  if (mode === 'sandbox') return 'Not analysed';
  return issues.length === 0 ? 'Without issues' : 'With issues';
}
