import { createHash } from 'node:crypto';
import { markdown, prose } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { truncate } from './budget.ts';
import { comparisonUrl, fileAtCommitUrl, link } from './github-links.ts';
import { countFiles, describeCause, describeFile, provenance, resultOf, SEVERITY_MARKS, stopping } from './phrases.ts';
import type { ListedIssue, Report, ReportedCause, ReportedContent } from './report.ts';

type Run = Report['run'];

/** Two screens, however large the run. */
const MAX_CAUSES = 10;
const MAX_RULES = 12;
const MAX_FILES = 50;
const MAX_PATHS = 3;

interface Table<T> {
  readonly columns: readonly string[];
  readonly items: readonly T[];
  readonly max: number;
  readonly cells: (item: T) => readonly string[];
  readonly noun: string;
}

/** Empty without items; what is left out is counted. */
function table<T>({ columns, items, max, cells, noun }: Table<T>): string {
  if (items.length === 0) return '';
  const rows = [columns, columns.map(() => ':--'), ...items.slice(0, max).map(cells)];
  const hidden = items.length - max;
  return [
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    ...(hidden > 0 ? ['', `and ${plural(hidden, `more ${noun}`)} in <code>report.html</code>`] : []),
  ].join('\n');
}

/** Links to the file at the commit, in a pull request to its place among the changes. */
function pathLink(path: string, run: Run): string {
  const url = comparisonUrl(run, createHash('sha256').update(path).digest('hex')) ?? fileAtCommitUrl(run, path);
  return link(url, `<code>${markdown(truncate(path, 200))}</code>`);
}

/** At most `max` paths, and how many there are more. */
export function pathLinks(paths: readonly string[], run: Run, max = MAX_PATHS): string {
  const hidden = paths.length - max;
  const shown = paths.slice(0, max).map((path) => pathLink(path, run));
  return shown.join(', ') + (hidden > 0 ? ` and ${count(hidden)} more` : '');
}

export function causeTable(causes: readonly ReportedCause[], run: Run): string {
  return table({
    columns: ['File', 'What happened'],
    items: causes,
    max: MAX_CAUSES,
    cells: (cause) => {
      const { paths } = cause;
      const number = paths.length > 1 ? `${plural(paths.length, 'file')}: ` : '';
      return [number + pathLinks(paths, run) || '–', prose(truncate(describeCause(cause), 1_000))];
    },
    noun: 'problem',
  });
}

/** @param listed worst first, so that the rules are in the order of their worst issue */
export function ruleTable(listed: readonly ListedIssue[], run: Run): string {
  return table({
    columns: ['Rule, and its worst issue', 'Issues'],
    items: [...Map.groupBy(listed, ({ issue }) => issue.ruleCode)],
    max: MAX_RULES,
    cells: ([ruleCode, entries]) => {
      const rule = `<code>${markdown(truncate(ruleCode, 80))}</code>`;
      const worst = entries.slice(0, 1).map(({ issue, asset }) => {
        const headline = markdown(truncate(issue.headline || issue.summary, 120));
        return `${SEVERITY_MARKS[issue.severity]}&nbsp;${rule} ${headline}<br>${pathLinks(asset.paths, run, 1)}`;
      });
      const failing = entries.filter(({ issue }) => issue.failsGate).length;
      const files = countFiles([...new Set(entries.map(({ asset }) => asset))]);
      const stops = failing === 0 ? '' : `<br>❌&nbsp;${stopping(failing)}`;
      return [worst.join(''), `<b>${count(entries.length)}</b> in ${plural(files, 'file')}${stops}`];
    },
    noun: 'rule',
  });
}

export function fileTable({ assets, mode, run }: Report): string {
  return table({
    columns: ['File', 'Issues'],
    items: assets,
    max: MAX_FILES,
    cells: (asset) => {
      const details = [describeFile(asset), provenance(asset)].map((text) => markdown(truncate(text, 200)));
      return [`${pathLinks(asset.paths, run)}<br>${details.join('; ')}`, issueCounts(asset, mode)];
    },
    noun: 'row',
  });
}

function issueCounts(asset: ReportedContent, mode: Report['mode']): string {
  const active = asset.issues.filter(({ standing }) => standing === 'active');
  const others = asset.issues.length - active.length;
  return [
    ...(asset.outcome === 'judged' && asset.issues.length > 0 ? [] : [resultOf(asset, mode).toLowerCase()]),
    ...SEVERITIES.flatMap((severity) => {
      const number = active.filter((issue) => issue.severity === severity).length;
      return number === 0 ? [] : [`${SEVERITY_MARKS[severity]}&nbsp;${count(number)}&nbsp;${severity}`];
    }),
    ...(others > 0 ? [`${count(others)} not counted`] : []),
  ].join(', ');
}
