import { csvCell } from '../../../lib/escape.ts';
import type { Severity } from '../../../service/issue.ts';
import { effectOnCheck, listIssues } from '../../facts.ts';
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

/** One row of a list: an issue, a file or a problem. */
export interface Entry {
  /** Identifies the entry in the page's address. */
  readonly id: string;
  /** The lists that contain the entry. A link to the entry opens the first list. */
  readonly boxes: readonly [Box, ...Box[]];
  readonly icon: Severity | 'file' | 'error' | 'forgiven';
  readonly title: string;
  /** The effect of an issue on the check, the result of a file, or "Problem". */
  readonly effect: string;
  /** The paths of all files of an issue or a problem. An entry about a file has one path. */
  readonly paths: readonly string[];
  readonly content?: ReportedContent;
  readonly issue?: ReportedIssue;
  /** The words for the issue. */
  readonly words?: ReturnType<typeof describeIssue>;
  readonly topics?: readonly string[];
  /** The kind of a file: "image, 1.2 MB". Undefined for an issue or a problem. */
  readonly kind?: string;
  readonly cause?: ReportedCause;
  /** The subfolders of `sharedFolder` that contain the paths. Empty text for a path directly in `sharedFolder`. */
  readonly folders: readonly string[];
  /** The text to search, in lower case. */
  readonly text: string;
}

type EntryParts = Omit<Entry, 'folders' | 'text'>;

/** What the page shows: the report, and its entries in the order in which each list shows them. */
export type PageData = Readonly<{ report: Report; all: readonly Entry[] }>;

export function listEntries(report: Report): readonly Entry[] {
  const { contents, causes, verdict, reason, isPassing } = report;
  const shared = sharedFolder([...contents, ...causes].flatMap(({ paths }) => paths));
  const folderOf = (path: string): string => path.slice(0, path.indexOf('/', shared.length) + 1);
  const entry = (parts: EntryParts): Entry => {
    const text = textsOf(parts, report).join('\n').toLowerCase();
    return { ...parts, folders: [...new Set(parts.paths.map(folderOf))], text };
  };

  const issues = listIssues(report).map((listed) => {
    const { content, issue } = listed;
    const { severity: icon, headline, summary } = issue;
    const words = describeIssue(issue, report);
    const shown = { boxes: boxesOf(issue), icon, title: headline || summary, effect: words.effect, words };
    return entry({ ...listed, ...shown, paths: content.paths });
  });

  const files = contents
    .flatMap((content) => content.paths.map((path) => ({ content, path, ...describeContent(content, report) })))
    .map(({ content, path, kind, result }, index) =>
      entry({
        id: `file-${index + 1}`,
        boxes: ['files'],
        icon: 'file',
        title: path.slice(path.lastIndexOf('/') + 1),
        effect: result,
        kind,
        paths: [path],
        content,
      }),
    );

  const problems = causes
    // The reason why a run was skipped is not a problem, and the head of the page already names that reason.
    .filter((cause) => verdict !== 'skipped' || cause.reason !== reason)
    .map((cause, index) =>
      entry({
        id: `problem-${index + 1}`,
        boxes: ['problems'],
        icon: isPassing ? 'forgiven' : 'error',
        title: cause.message,
        effect: 'Problem',
        paths: cause.paths,
        cause,
      }),
    );
  return [...problems, ...issues, ...files];
}

function boxesOf(issue: ReportedIssue): Entry['boxes'] {
  const effect = effectOnCheck(issue);
  return effect === 'uncounted' ? [effect, 'all'] : ['active', effect, 'all'];
}

/** The deepest folder that contains all paths, with a slash at its end; empty if the paths have no folder in common. */
function sharedFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const above = Array.from(first.matchAll(/\//g), ({ index }) => first.slice(0, index + 1));
  return above.findLast((folder) => paths.every((path) => path.startsWith(folder))) ?? '';
}

/** The texts that the search looks into. Dates have an order of the list instead, and `isNew` has a filter. */
function textsOf({ issue, words, cause, kind, effect, paths, topics = [] }: EntryParts, report: Report) {
  if (cause) return [effect, describeCause(cause), describeSteps(cause.steps, report), ...paths];
  if (!issue) return [effect, kind, ...paths];
  const { severity, ruleCode, headline, summary, reasoning, sidekickId, url, precedents } = issue;
  const facts = [severity, effect, words?.status, ruleCode, words?.number, sidekickId, words?.waiver];
  const ofPrecedents = precedents.flatMap(({ title, decision }) => [title, decision]);
  return [...facts, headline, summary, reasoning, url, ...topics, ...paths, ...ofPrecedents];
}

/** The cells of an entry in the CSV file, by the name of their column. */
function cellsOf(entry: Entry, report: Report): Record<string, string | undefined> {
  const { issue, words, cause, kind, effect, paths, topics = [] } = entry;
  const happened = cause && describeCause(cause);
  const toDo = cause && describeSteps(cause.steps, report);
  return {
    Severity: issue?.severity,
    'In this gate': effect,
    new: issue && yesOrNo(issue.isNew, ''),
    'Status at the service': words?.status,
    Rule: issue?.ruleCode,
    Number: words?.number,
    Headline: happened ?? issue?.headline,
    Summary: toDo ?? issue?.summary ?? kind,
    Reasoning: issue?.reasoning,
    Topic: topics.join('\n'),
    Checker: issue?.sidekickId,
    Created: day(issue?.createdAt ?? ''),
    Updated: day(issue?.updatedAt ?? ''),
    Waiver: words?.waiver,
    Files: paths.join('\n'),
    Link: issue?.url,
  };
}

export function yesOrNo(fact: boolean | undefined, unknown: string): string {
  return fact === undefined ? unknown : fact ? 'yes' : 'no';
}

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

export function asCsv(entries: readonly Entry[], report: Report): string {
  const { run } = report;
  const pullRequest = run.pullRequest && String(run.pullRequest.number);
  const place = { Repository: run.repository, 'Pull request': pullRequest, Run: run.url };
  const rows = entries.map((entry) => ({ ...cellsOf(entry, report), ...place }));
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** A time such as 0:01, 00:12.5, 1:02:03 or 01:02:03:12 (with frames). "5 s" matches only after "at" or "from". */
const TIME =
  /(?<![\d:.,])((?:\d{1,2}:){1,2}[0-5]\d(?:[.,]\d{1,3}|[:;]\d\d)?|(?<=\b(?:at|from) )\d{1,5}(?:\.\d+)? ?s(?:ec(?:ond)?s?)?\b)(?![\d:])/iu;

/** The first time in a text, in seconds; 0 if the text contains no time. */
export function firstTime(text: string): number {
  const [, time = '0'] = TIME.exec(text) ?? [];
  return time
    .split(':')
    .slice(0, 3)
    .reduce((sum, part) => sum * 60 + Number.parseFloat(part.replace(',', '.')), 0);
}
