import { markdown } from '../lib/escape.ts';
import { count } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { truncate } from './budget.ts';
import { describeChanges, describeFile, provenance, SEVERITY_MARKS } from './phrases.ts';
import type { Report, ReportedAsset } from './report.ts';
import { pathLink } from './summary-issues.ts';

const MAX_PATHS = 4;

/** Two columns, since a phone shows no more. */
export const FILE_TABLE_HEAD = '| File | Issues |\n| :-- | :-- |';

export function fileRow(asset: ReportedAsset, { mode, run }: Report): string {
  const facts = [describeFile(asset), provenance(asset)].map((fact) => markdown(truncate(fact, 200)));
  const changes = [sinceVersion(asset), sinceBase(asset)].filter(Boolean);
  const cells = [
    `${fileMark(asset, mode)}&nbsp;${paths(asset, run)}<br><sub>${[...facts, ...changes].join('; ')}</sub>`,
    issueCounts(asset) || (mode === 'sandbox' ? 'not analysed' : 'none'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function fileMark(asset: ReportedAsset, mode: Report['mode']): string {
  if (asset.issues.some((issue) => issue.failsGate)) return '❌';
  if (asset.outcome !== 'judged') return '⚠️';
  if (asset.issues.some((issue) => issue.standing === 'active')) return '☑️';
  return mode === 'sandbox' ? '🧪' : '✅';
}

function paths(asset: ReportedAsset, run: Report['run']): string {
  const shown = asset.paths.slice(0, MAX_PATHS).map((path) => pathLink(path, run));
  const hidden = asset.paths.length - shown.length;
  return shown.join('<br>') + (hidden > 0 ? `<br>and ${count(hidden)} more` : '');
}

function issueCounts(asset: ReportedAsset): string {
  if (asset.outcome === 'failed') return 'analysis failed';
  const of = (wanted: (issue: ReportedAsset['issues'][number]) => boolean): number =>
    asset.issues.filter(wanted).length;
  const active = SEVERITIES.map((severity) => ({
    severity,
    number: of((issue) => issue.standing === 'active' && issue.severity === severity),
  }));
  const known = of(({ standing }) => standing === 'known');
  const waived = of(({ standing }) => standing === 'waived');
  const closed = of(({ standing }) => standing === 'ignored');
  return [
    ...(asset.outcome === 'unjudged' ? ['not judged'] : []),
    ...active
      .filter(({ number }) => number > 0)
      .map(({ severity, number }) => `${SEVERITY_MARKS[severity]} ${count(number)} ${severity}`),
    ...(known > 0 ? [`${count(known)} known`] : []),
    ...(waived > 0 ? [`${count(waived)} waived`] : []),
    ...(closed > 0 ? [`${count(closed)} closed`] : []),
  ].join(', ');
}

function sinceVersion(asset: ReportedAsset): string {
  const changes = describeChanges(asset);
  return changes === '' ? '' : `since the version before: ${changes}`;
}

function sinceBase({ issues }: ReportedAsset): string {
  const added = issues.filter((issue) => issue.isNew === true && issue.standing === 'active').length;
  const both = issues.filter((issue) => issue.isNew === false).length;
  return [
    added > 0 ? `${count(added)} not on the base branch` : '',
    both > 0 ? `${count(both)} also on the base branch` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
