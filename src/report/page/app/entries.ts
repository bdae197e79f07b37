import { csvCell } from '../../../lib/escape.ts';
import type { Severity } from '../../../service/issue.ts';
import { effectOnCheck, type ListedIssue, listIssues } from '../../facts.ts';
import { day, describeCause, describeContent, describeIssue, describeSteps } from '../../phrases.ts';
import type { Report, ReportedCause, ReportedContent, ReportedIssue } from '../../report.ts';

/** The lists of the page, in the order of the menu. The names are part of the page's address. */
export const BOXES = [
  ['problems', 'Problems'],
  ['all', 'All issues'],
  ['active', 'Active issues'],
  ['stops', 'Stops the check'],
  ['others', 'Does not stop it'],
  ['uncounted', 'Not counted'],
  ['files', 'Files'],
] as const;
export type Box = (typeof BOXES)[number][0];

/** The properties that filter a list, in the order of the page. The names are part of the page's address. */
export const FACETS = [
  ['severity', 'Severity'],
  ['rule', 'Rule'],
  ['folder', 'Folder'],
  ['topic', 'Topic'],
  ['status', 'Status at the service'],
  ['checker', 'Checker'],
  ['kind', 'Kind of file'],
  ['new', 'New'],
  ['changed', 'Changed here'],
] as const;
export type Facet = (typeof FACETS)[number][0];

/** The columns of the CSV file in which entries differ. Those of the run follow them: see `asCsv`. */
const COLUMNS = [
  'Severity',
  'In this gate',
  'new',
  'Status at the service',
  'Rule',
  'Number',
  'Headline',
  'Summary',
  'Reasoning',
  'Topic',
  'Checker',
  'Created',
  'Updated',
  'Waiver',
  'Files',
  'Link',
] as const;

/** What a list needs to know about each of its rows. */
interface Listed {
  /** Identifies the entry in the page's address. */
  readonly id: string;
  /** The lists that contain the entry. A link to the entry opens the first list. */
  readonly boxes: readonly [Box, ...Box[]];
  readonly icon: Severity | 'file' | 'error' | 'forgiven';
  readonly title: string;
  /** The paths of all files of an issue or a problem. An entry about a file has one path. */
  readonly paths: readonly string[];
  /** ISO 8601, for the order by date. Empty if there is no date. */
  readonly date: string;
  /** What a filter compares with the chosen values. A facet that does not apply to the entry is missing. */
  readonly values: Readonly<Partial<Record<Facet, readonly string[]>>>;
  readonly cells: Readonly<Partial<Record<(typeof COLUMNS)[number], string | undefined>>>;
  /** The text to search, in lower case. */
  readonly text: string;
}

export interface IssueEntry extends Listed, ListedIssue {
  readonly kind: 'issue';
  readonly words: ReturnType<typeof describeIssue>;
}

export interface FileEntry extends Listed {
  readonly kind: 'file';
  readonly content: ReportedContent;
  readonly words: ReturnType<typeof describeContent>;
}

export interface ProblemEntry extends Listed {
  readonly kind: 'problem';
  readonly cause: ReportedCause;
}

/** One row of a list. */
export type Entry = IssueEntry | FileEntry | ProblemEntry;

/** What the page shows: the report, and its entries in the order in which each list shows them. */
export type PageData = Readonly<{ report: Report; all: readonly Entry[] }>;

export function listEntries(report: Report): readonly Entry[] {
  const { contents, causes, verdict, reason } = report;
  // The reason why a run was skipped is not a problem, and the head of the page already names that reason.
  const problems = causes.filter((cause) => verdict !== 'skipped' || cause.reason !== reason);
  const files = contents.flatMap((content) => content.paths.map((path) => ({ content, path })));
  const page = { report, shared: sharedFolder([...contents, ...causes].flatMap(({ paths }) => paths)) };
  return [
    ...problems.map((cause, index) => problemEntry(`problem-${index + 1}`, cause, page)),
    ...listIssues(report).map((listed) => issueEntry(listed, page)),
    ...files.map((file, index) => fileEntry(`file-${index + 1}`, file, page)),
  ];
}

type Page = Readonly<{ report: Report; shared: string }>;

function problemEntry(id: string, cause: ReportedCause, { report, shared }: Page): ProblemEntry {
  const { message: title, paths, steps } = cause;
  const icon = report.isPassing ? 'forgiven' : 'error';
  const cells = {
    'In this gate': 'Problem',
    Headline: describeCause(cause),
    Summary: describeSteps(steps),
    Files: paths.join('\n'),
  };
  const values = { folder: foldersBelow(shared, paths) };
  const text = searchText(Object.values(cells));
  return { kind: 'problem', id, boxes: ['problems'], icon, title, paths, cause, date: '', values, cells, text };
}

type File = Readonly<{ content: ReportedContent; path: string }>;

function fileEntry(id: string, { content, path }: File, { report, shared }: Page): FileEntry {
  const words = describeContent(content, report);
  const cells = { 'In this gate': words.result, Summary: words.kind, Files: path };
  return {
    kind: 'file',
    id,
    boxes: ['files'],
    icon: 'file',
    title: path.slice(path.lastIndexOf('/') + 1),
    paths: [path],
    content,
    words,
    date: content.analysedAt ?? '',
    values: { ...valuesOfContent(content), folder: foldersBelow(shared, [path]) },
    cells,
    text: searchText(Object.values(cells)),
  };
}

function issueEntry(listed: ListedIssue, { report, shared }: Page): IssueEntry {
  const { content, issue, topics } = listed;
  const { severity, ruleCode, headline, summary, reasoning, sidekickId, url, precedents } = issue;
  const { createdAt, updatedAt } = issue;
  const words = describeIssue(issue, report);
  const effect = effectOnCheck(issue);
  const isNew = yesOrNo(issue.isNew, '');
  const searched = {
    Severity: severity,
    'In this gate': words.effect,
    'Status at the service': words.status,
    Rule: ruleCode,
    Number: words.number,
    Headline: headline,
    Summary: summary,
    Reasoning: reasoning,
    Topic: topics.join('\n'),
    Checker: sidekickId,
    Waiver: words.waiver,
    Files: content.paths.join('\n'),
    Link: url,
  };
  return {
    ...listed,
    kind: 'issue',
    boxes: effect === 'uncounted' ? [effect, 'all'] : ['active', effect, 'all'],
    icon: severity,
    title: headline || summary,
    paths: content.paths,
    words,
    date: updatedAt ?? createdAt ?? content.analysedAt ?? '',
    values: {
      ...valuesOfContent(content),
      severity: [severity],
      rule: [ruleCode],
      folder: foldersBelow(shared, content.paths),
      topic: topics,
      status: [words.status],
      checker: [sidekickId ?? ''],
      new: [isNew],
    },
    cells: { ...searched, new: isNew, Created: day(createdAt ?? ''), Updated: day(updatedAt ?? '') },
    // The search leaves out dates, by which a list can be sorted, and `new`, which has a filter.
    text: searchText([...Object.values(searched), ...precedents.flatMap(({ title, decision }) => [title, decision])]),
  };
}

function valuesOfContent({ category, mime, isChanged }: ReportedContent): Entry['values'] {
  return { kind: [category ?? mime], changed: [yesOrNo(isChanged, 'unknown')] };
}

function yesOrNo(fact: boolean | undefined, unknown: string): string {
  return fact === undefined ? unknown : fact ? 'yes' : 'no';
}

function searchText(texts: readonly (string | undefined)[]): string {
  return texts.join('\n').toLowerCase();
}

/** The deepest folder that contains all paths, with a slash at its end; empty if the paths have no folder in common. */
function sharedFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const above = Array.from(first.matchAll(/\//g), ({ index }) => first.slice(0, index + 1));
  return above.findLast((folder) => paths.every((path) => path.startsWith(folder))) ?? '';
}

/** The subfolders of `shared` that contain the paths. Empty text for a path directly in `shared`. */
function foldersBelow(shared: string, paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => path.slice(0, path.indexOf('/', shared.length) + 1)))];
}

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

export function asCsv(entries: readonly Entry[], { run }: Report): string {
  const pullRequest = run.pullRequest && String(run.pullRequest.number);
  const place = { Repository: run.repository, 'Pull request': pullRequest, Run: run.url };
  const rows = entries.map(({ cells }) => [...COLUMNS.map((column) => cells[column]), ...Object.values(place)]);
  const lines = [[...COLUMNS, ...Object.keys(place)], ...rows];
  return BYTE_ORDER_MARK + lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

/** A time such as 0:01, 00:12.5, 1:02:03 or 01:02:03:12 (with frames). "5 s" matches only after "at" or "from". */
const TIME =
  /(?<![\d:.,])((?:\d{1,2}:){1,2}[0-5]\d(?:[.,]\d{1,3}|[:;]\d\d)?|(?<=\b(?:at|from) )\d{1,5}(?:\.\d+)? ?s(?:ec(?:ond)?s?)?\b)(?![\d:])/iu;

/** The first time in the texts of an issue, in seconds, at which its film starts; 0 if they contain no time. */
export function startOf({ headline, summary, reasoning }: ReportedIssue): number {
  const [, time = '0'] = TIME.exec([headline, summary, reasoning].join('\n')) ?? [];
  return time
    .split(':')
    .slice(0, 3)
    .reduce((sum, part) => sum * 60 + Number.parseFloat(part.replace(',', '.')), 0);
}
