import { plural } from '../../../lib/format.ts';
import { countFiles, effectOf, provenance, resultOf } from '../../phrases.ts';
import {
  type ListedIssue,
  type Report,
  type ReportedCause,
  type ReportedContent,
  type ReportedIssue,
  worstFirst,
} from '../../report.ts';

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
export interface FileEntry {
  readonly kind: 'file';
  readonly id: string;
  readonly paths: readonly [string];
  readonly content: ReportedContent;
}

/** Why files could not be judged. */
export interface ProblemEntry extends ReportedCause {
  readonly kind: 'problem';
  readonly id: string;
}

export const BOXES = ['problems', 'active', 'stops', 'others', 'uncounted', 'fixed', 'files'] as const;
export type Box = (typeof BOXES)[number];
export type Boxes = Readonly<Record<Box, readonly Entry[]>>;

/** All entries, worst first in each box. An active issue is in two: it stops the check, or does not. */
export function sortIntoBoxes(report: Report): Boxes {
  const newId = idMaker();
  const issueEntry = (listed: ListedIssue, isFixed: boolean): IssueEntry => {
    const id = newId(`${isFixed ? 'fixed' : 'issue'}-${listed.issue.referenceNumber ?? 'unnumbered'}`);
    return { kind: 'issue', id, paths: listed.content.paths, isFixed, ...listed };
  };
  const issues = worstFirst(report).map((listed) => issueEntry(listed, false));
  const active = issues.filter(({ issue }) => issue.standing === 'active');
  const fixed = report.contents.flatMap((content) =>
    (content.fixed ?? []).map((issue) => ({ content, issue: { ...issue, ...FIXED }, topics: [] })),
  );
  const contents = report.reason === 'dry-run' ? report.contents.toSorted(bySource) : report.contents;
  const files = contents.flatMap((content) => content.paths.map((path) => ({ content, paths: [path] as const })));
  return {
    problems: problemsOf(report),
    active,
    stops: active.filter(({ issue }) => issue.failsGate),
    others: active.filter(({ issue }) => !issue.failsGate),
    uncounted: issues.filter(({ issue }) => issue.standing !== 'active'),
    fixed: fixed.map((listed) => issueEntry(listed, true)),
    files: files.map((file, index) => ({ kind: 'file', id: `file-${index + 1}`, ...file })),
  };
}

/** What would be sent comes first. */
const SOURCES: readonly ReportedContent['source'][] = ['not-sent', 'sent', 'awaited', 'reused'];

function bySource(a: ReportedContent, b: ReportedContent): number {
  return SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source);
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

/** What became of a file, in a dry run what would. */
export function describeResult(content: ReportedContent, { mode, reason }: Report): string {
  if (reason === 'dry-run') return provenance(content, true);
  return content.issues.length > 0 ? plural(content.issues.length, 'issue') : resultOf(content, mode);
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

/** What went wrong. Why a run was skipped is no problem: the head says it. */
function problemsOf({ causes, verdict, reason }: Report): readonly ProblemEntry[] {
  return causes
    .filter((cause) => verdict !== 'skipped' || cause.reason !== reason)
    .map((cause, index) => ({ ...cause, kind: 'problem', id: `problem-${index + 1}` }));
}

/** "3 other files were not sent": not judged, although nothing is wrong with them. Empty if there are none. */
export function describeOthers({ causes, contents, verdict }: Report): string {
  if (verdict === 'skipped') return '';
  const blamed = new Set(causes.flatMap(({ paths }) => paths));
  const others = contents.filter(
    ({ outcome, paths }) => outcome !== 'judged' && !paths.some((path) => blamed.has(path)),
  );
  const files = countFiles(others);
  const end = others.every(({ source }) => source === 'not-sent') ? 'sent' : 'judged';
  const what = plural(files, blamed.size > 0 ? 'other file' : 'file');
  return files === 0 ? '' : `${what} ${files === 1 ? 'was' : 'were'} not ${end}.`;
}
