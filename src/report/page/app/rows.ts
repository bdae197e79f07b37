import { csvCell } from '../../../lib/escape.ts';
import { isJudged } from '../../../service/analysis.ts';
import { describeContent, describeIssue, describeSteps, headlineOf } from '../../phrases.ts';
import {
  EFFECTS,
  effectOnCheck,
  type ListedIssue,
  listIssues,
  problemsOf,
  type Report,
  type ReportedCause,
  type ReportedContent,
  type ReportedIssue,
} from '../../report.ts';

/** The columns that filter a list, in the order of the page. */
export const FACETS = ['Effect', 'Severity', 'New', 'Changed here', 'Rule', 'Folder', 'Kind', 'Checker'] as const;
export type Facet = (typeof FACETS)[number];

const TEXTS = ['Number', 'Headline', 'Summary', 'Reasoning', 'Precedents', 'Topic', 'Status', 'Waiver'] as const;

/** The columns of the CSV file in which rows differ. Those of the run follow them: see `asCsv`. */
const COLUMNS = [...FACETS, ...TEXTS, 'Version', 'Files', 'Link'] as const;

/** The lists of the page, in the order of the menu. */
export const LISTS = { problems: 'Problems', issues: 'Issues', files: 'Files' } as const;

type Cells = Readonly<Partial<Record<(typeof COLUMNS)[number], string | undefined>>>;

/** One row of a list, which is also a row of the CSV file. */
export interface Row {
  /** Identifies the row in the page's address. */
  readonly id: string;
  readonly list: keyof typeof LISTS;
  readonly cells: Cells;
  readonly paths: readonly string[];
  /** The text to search, in lower case. */
  readonly text: string;
  /** What the row is about: one of a problem, an issue in a file, and a file. */
  readonly cause?: ReportedCause;
  readonly listed?: ListedIssue;
  readonly content?: ReportedContent;
}

/** Lists all rows in the order in which the page shows them. */
export function listRows(report: Report): readonly Row[] {
  const files = report.contents.flatMap((content) => content.paths.map((path) => ({ content, path })));
  const rows: readonly Omit<Row, 'text'>[] = [
    ...problemsOf(report).map((cause, index) => {
      const id = `problem-${index + 1}`;
      const paths = cause.path === undefined ? [] : [cause.path];
      return { id, list: 'problems', paths, cells: cellsOfCause(cause, report), cause } as const;
    }),
    ...listIssues(report).map((listed) => {
      const { id, content } = listed;
      return { id, list: 'issues', paths: content.paths, cells: cellsOfIssue(listed, report), listed } as const;
    }),
    ...files.map(({ content, path }, index) => {
      const cells = { ...cellsOfFile(content, report), Headline: path.slice(path.lastIndexOf('/') + 1) };
      return { id: `file-${index + 1}`, list: 'files', paths: [path], cells, content } as const;
    }),
  ];
  const shared = sharedFolder(rows.flatMap(({ paths }) => paths));
  return rows.map((row) => {
    const cells = { ...row.cells, Folder: foldersBelow(shared, row.paths).join('\n'), Files: row.paths.join('\n') };
    return { ...row, cells, text: Object.values(cells).join('\n').toLowerCase() };
  });
}

function cellsOfCause({ message, detail, steps, isChanged }: ReportedCause, { isPassing }: Report): Cells {
  return {
    Effect: isPassing ? 'Does not count' : 'Stops the check',
    'Changed here': yesOrNo(isChanged),
    Headline: message,
    Summary: describeSteps(steps),
    Reasoning: detail,
  };
}

/** The effect of a file is the strongest of its issues. Without issues, it is the result. */
function cellsOfFile(content: ReportedContent, report: Report): Cells {
  const { category, mime, isChanged, issues } = content;
  const { version, kind, result } = describeContent(content, report);
  const strongest = EFFECTS.find((effect) => issues.some((issue) => effectOnCheck(issue) === effect)) ?? result;
  return {
    Effect: isJudged(content) || strongest === 'Stops the check' ? strongest : result,
    'Changed here': yesOrNo(isChanged),
    Kind: category ?? mime,
    Version: version,
    Summary: `${result}: ${kind}`,
  };
}

function cellsOfIssue({ issue, content }: ListedIssue, report: Report): Cells {
  const { severity, ruleCode, summary, reasoning, sidekickId, url, precedents } = issue;
  const { number, status, waiver } = describeIssue(issue);
  const topics = content.topics.filter(({ issueIds }) => issueIds.includes(issue.id)).map(({ title }) => title);
  const decided = precedents.map(({ title, decision, date }) => [title, decision, date].filter(Boolean).join(', '));
  return {
    ...cellsOfFile(content, report),
    Effect: effectOnCheck(issue),
    Severity: severity,
    New: yesOrNo(issue.isNew),
    Rule: ruleCode,
    Checker: sidekickId,
    Number: number,
    Headline: headlineOf(issue),
    Summary: summary,
    Reasoning: reasoning,
    Precedents: decided.join('\n'),
    Topic: topics.join('\n'),
    Status: status,
    Waiver: waiver,
    Link: url,
  };
}

function yesOrNo(fact: boolean | undefined): string {
  return fact === undefined ? '' : fact ? 'yes' : 'no';
}

/** The deepest folder that contains all paths, with a slash at its end; empty if the paths have no folder in common. */
function sharedFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const above = Array.from(first.matchAll(/\//g), ({ index }) => first.slice(0, index + 1));
  return above.findLast((folder) => paths.every((path) => path.startsWith(folder))) ?? '';
}

/** The subfolders of `shared` that contain the paths, or `shared` itself. */
function foldersBelow(shared: string, paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => path.slice(0, path.indexOf('/', shared.length) + 1) || shared))];
}

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

export function asCsv(rows: readonly Row[], { run }: Report): string {
  const pullRequest = run.pullRequest && String(run.pullRequest.number);
  const place = { Repository: run.repository, 'Pull request': pullRequest, Run: run.url };
  const lines = rows.map(({ cells }) => [...COLUMNS.map((column) => cells[column]), ...Object.values(place)]);
  const table = [[...COLUMNS, ...Object.keys(place)], ...lines];
  return BYTE_ORDER_MARK + table.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

/** A time such as 0:01 or 1:02:03. */
const TIME = /(?<![\w:.,])((?:\d{1,2}:){1,2}[0-5]\d)(?![\d:])/u;

/** The first time in the texts of an issue, in seconds, at which its film starts; 0 if they contain no time. */
export function startOf({ headline, summary, reasoning }: ReportedIssue): number {
  const [, time = '0'] = TIME.exec([headline, summary, reasoning].join('\n')) ?? [];
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
