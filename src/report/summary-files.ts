import { markdown } from '../lib/escape.ts';
import { count, formatBytes } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { kind, provenance, SEVERITY_MARKS, version } from './phrases.ts';
import type { Report, ReportedAsset } from './report.ts';
import { pathCode } from './summary-issues.ts';
import { truncate } from './truncate.ts';

const MAX_PATHS = 4;

/** Nothing in it needs a reader's eye. */
export function isClean(asset: ReportedAsset): boolean {
  return asset.outcome === 'judged' && asset.issues.length === 0 && (asset.fixed ?? []).length === 0;
}

function fileMark(asset: ReportedAsset, mode: Report['mode']): string {
  if (asset.issues.some((issue) => issue.failsGate)) return '❌';
  if (asset.outcome !== 'judged') return '⚠️';
  if (asset.issues.some((issue) => issue.standing === 'active')) return '☑️';
  return mode === 'sandbox' ? '🧪' : '✅';
}

/** A table of files. What is compared has a column only where there is something to compare with. */
export interface FileTable {
  readonly head: string;
  readonly row: (asset: ReportedAsset) => string;
}

interface Column {
  readonly name: string;
  readonly cell: (asset: ReportedAsset) => string;
}

export function fileTable(assets: readonly ReportedAsset[], mode: Report['mode']): FileTable {
  const columns: readonly Column[] = [
    { name: 'File', cell: (asset) => `${fileMark(asset, mode)}&nbsp;${paths(asset)}` },
    {
      name: 'Kind',
      cell: (asset) => `${markdown(truncate(kind(asset), 60))}, ${formatBytes(asset.size).replace(' ', '&nbsp;')}`,
    },
    { name: 'Version', cell: version },
    { name: 'Issues', cell: (asset) => issuesCell(asset) || (mode === 'sandbox' ? 'not analysed' : 'none') },
    ...COMPARISONS.filter(({ cell }) => assets.some((asset) => cell(asset) !== '')).map(({ name, cell }) => ({
      name,
      cell: (asset: ReportedAsset) => cell(asset) || '–',
    })),
    { name: 'Analysis', cell: (asset) => markdown(truncate(provenance(asset), 200)) },
  ];
  return {
    head: [`| ${columns.map(({ name }) => name).join(' | ')} |`, `|${' :-- |'.repeat(columns.length)}`].join('\n'),
    row: (asset) => `| ${columns.map(({ cell }) => cell(asset)).join(' | ')} |`,
  };
}

/** Against two different things: the base branch, and what this path held before. */
const COMPARISONS: readonly Column[] = [
  { name: 'Against the base branch', cell: againstBase },
  { name: 'Fixed since the version before', cell: ({ fixed = [] }) => (fixed.length > 0 ? count(fixed.length) : '') },
];

function paths(asset: ReportedAsset): string {
  const hidden = asset.paths.length - MAX_PATHS;
  return (
    asset.paths.slice(0, MAX_PATHS).map(pathCode).join('<br>') + (hidden > 0 ? `<br>and ${count(hidden)} more` : '')
  );
}

function issuesCell(asset: ReportedAsset): string {
  if (asset.outcome === 'failed') return 'analysis failed';
  const active = asset.issues.filter((issue) => issue.standing === 'active');
  const counts = SEVERITIES.map((severity) => ({
    severity,
    number: active.filter((issue) => issue.severity === severity).length,
  }));
  const told = counts
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => `${SEVERITY_MARKS[severity]}&nbsp;${count(number)}&nbsp;${severity}`);
  const lines = [...(asset.outcome === 'unjudged' ? ['not judged'] : []), ...told, ...apart(asset)];
  return lines.join('<br>');
}

/** "1 waived", "2 closed": there, but not counted. */
function apart({ issues }: ReportedAsset): readonly string[] {
  const waived = issues.filter((issue) => issue.standing === 'waived').length;
  const closed = issues.filter((issue) => issue.standing === 'ignored').length;
  return [waived > 0 ? `${count(waived)} waived` : '', closed > 0 ? `${count(closed)} closed` : ''].filter(
    (word) => word !== '',
  );
}

function againstBase({ issues }: ReportedAsset): string {
  const fresh = issues.filter((issue) => issue.isNew === true && issue.standing === 'active').length;
  const both = issues.filter((issue) => issue.isNew === false).length;
  return [fresh > 0 ? `${count(fresh)} new` : '', both > 0 ? `${count(both)} also on the base branch` : '']
    .filter((part) => part !== '')
    .join(', ');
}
