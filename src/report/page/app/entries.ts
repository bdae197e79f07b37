import { plural } from '../../../lib/format.ts';
import { countFiles, describeSteps, effectOf } from '../../phrases.ts';
import { type ListedIssue, type Report, type ReportedContent, type ReportedIssue, worstFirst } from '../../report.ts';

/** One line of the inbox. Its id stands in the page's address. */
export type Entry = IssueEntry | FileEntry | ProblemEntry;

export interface IssueEntry extends ListedIssue {
  readonly kind: 'issue';
  readonly id: string;
  readonly paths: readonly string[];
  /** Whether only the version before had it. */
  readonly isFixed: boolean;
}

/** One path: the same bytes in two of them are two files. */
interface FileEntry {
  readonly kind: 'file';
  readonly id: string;
  readonly paths: readonly [string];
  readonly asset: ReportedContent;
}

/** Why files could not be judged. */
interface ProblemEntry {
  readonly kind: 'problem';
  readonly id: string;
  readonly message: string;
  /** Empty if there is nothing to do. */
  readonly fix: string;
  readonly paths: readonly string[];
}

export const BOXES = ['problems', 'active', 'stops', 'uncounted', 'fixed', 'files'] as const;
export type Box = (typeof BOXES)[number];
export type Boxes = Readonly<Record<Box, readonly Entry[]>>;

/** All entries, worst first in each box. Only what stops the check is in two: it is active as well. */
export function sortIntoBoxes(report: Report): Boxes {
  const newId = idMaker();
  const issueEntry = (listed: ListedIssue, isFixed: boolean): IssueEntry => {
    const id = newId(`${isFixed ? 'fixed' : 'issue'}-${listed.issue.referenceNumber ?? 'unnumbered'}`);
    return { kind: 'issue', id, paths: listed.asset.paths, isFixed, ...listed };
  };
  const issues = worstFirst(report).map((listed) => issueEntry(listed, false));
  const active = issues.filter(({ issue }) => issue.standing === 'active');
  const fixed = report.assets.flatMap((asset) =>
    (asset.fixed ?? []).map((issue) => ({ asset, issue: { ...issue, ...FIXED }, topics: [] })),
  );
  const files = report.assets.flatMap((asset) => asset.paths.map((path) => ({ asset, paths: [path] as const })));
  return {
    problems: problemsOf(report),
    active,
    stops: active.filter(({ issue }) => issue.failsGate),
    uncounted: issues.filter(({ issue }) => issue.standing !== 'active'),
    fixed: fixed.map((listed) => issueEntry(listed, true)),
    files: files.map((file, index) => ({ kind: 'file', id: `file-${index + 1}`, ...file })),
  };
}

const FIXED: Pick<ReportedIssue, 'standing' | 'failsGate' | 'isNew' | 'waiver' | 'url'> = {
  standing: 'ignored',
  failsGate: false,
  isNew: undefined,
  waiver: undefined,
  url: undefined,
};

export function describeEffect({ isFixed, issue }: IssueEntry): string {
  return isFixed ? 'Fixed since the version before' : effectOf(issue);
}

/** By reference number, so that the address of an issue can be read and typed. */
function idMaker(): (name: string) => string {
  const used = new Map<string, number>();
  return (name) => {
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return times === 1 ? name : `${name}-${times}`;
  };
}

/** What went wrong, then in one line the files that were not judged although nothing is wrong with them. */
function problemsOf({ causes, assets }: Report): readonly ProblemEntry[] {
  const blamed = new Set(causes.flatMap(({ paths }) => paths));
  const others = assets.filter(({ outcome, paths }) => outcome !== 'judged' && !paths.some((path) => blamed.has(path)));
  const files = countFiles(others);
  const end = others.every(({ source }) => source === 'not-sent') ? 'sent' : 'judged';
  const message = `${plural(files, 'other file')} ${files === 1 ? 'was' : 'were'} not ${end}`;
  const problems = causes.map(({ message, steps, paths }) => ({ message, fix: describeSteps(steps), paths }));
  return [...problems, ...(files === 0 ? [] : [{ message, fix: '', paths: others.flatMap(({ paths }) => paths) }])].map(
    ({ message, fix, paths }, index) => ({ kind: 'problem', id: `problem-${index + 1}`, message, fix, paths }),
  );
}
