import { markdown } from '../escape.ts';
import { SEVERITIES } from '../service/issue.ts';
import { clip } from './clip.ts';
import type { Report, ReportedAsset } from './report.ts';
import { pathCode } from './summary-issues.ts';
import { count, kind, plural, provenance, SEVERITY_MARKS, size } from './words.ts';

const MOST_PATHS = 4;

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

/** A table of files. What changed since last time has a column only where there is something to compare. */
export interface FileTable {
  readonly head: string;
  readonly row: (asset: ReportedAsset) => string;
}

export function fileTable(assets: readonly ReportedAsset[], mode: Report['mode']): FileTable {
  const hasChanges = assets.some((asset) => changes(asset) !== '');
  const names = ['File', 'Kind', 'Version', 'Issues', ...(hasChanges ? ['Since last time'] : []), 'Analysis'];
  return {
    head: [`| ${names.join(' | ')} |`, `|${' :-- |'.repeat(names.length)}`].join('\n'),
    row: (asset) => fileRow(asset, hasChanges, mode),
  };
}

function fileRow(asset: ReportedAsset, hasChanges: boolean, mode: Report['mode']): string {
  const hidden = asset.paths.length - MOST_PATHS;
  const paths = asset.paths.slice(0, MOST_PATHS).map(pathCode).join('<br>');
  const cells = [
    `${fileMark(asset, mode)}&nbsp;${paths}${hidden > 0 ? `<br>and ${count(hidden)} more` : ''}`,
    `${markdown(clip(kind(asset), 60))}, ${size(asset.size).replace(' ', '&nbsp;')}`,
    version(asset),
    issuesCell(asset) || (mode === 'sandbox' ? 'not analysed' : 'none'),
    ...(hasChanges ? [changes(asset) || '–'] : []),
    markdown(clip(provenance(asset), 200)) +
      (asset.retries > 0 ? `, tried again ${plural(asset.retries, 'time')}` : ''),
  ];
  return `| ${cells.join(' | ')} |`;
}

function version({ versionNumber, versionCount }: ReportedAsset): string {
  if (versionNumber === undefined) return '';
  return versionCount === undefined ? `${versionNumber}` : `${versionNumber} of ${versionCount}`;
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

function changes(asset: ReportedAsset): string {
  const fresh = asset.issues.filter((issue) => issue.isNew === true && issue.standing === 'active').length;
  const known = asset.issues.filter((issue) => issue.isNew === false).length;
  const told: readonly (readonly [number, string])[] = [
    [fresh, 'new'],
    [known, 'known'],
    [asset.fixed?.length ?? 0, 'earlier one fixed'],
  ];
  return told
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${count(number)} ${word}`)
    .join(', ');
}
