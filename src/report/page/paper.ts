import { plural } from '../../lib/format.ts';
import { truncate } from '../budget.ts';
import { stopping } from '../phrases.ts';
import type { Report, ReportedAsset } from '../report.ts';
import { MAX_RULE_LENGTH } from './facets.ts';
import { type Html, html, type Value } from './html.ts';

const MAX_ROWS = 1_000;
const MAX_ISSUES_IN_ROW = 50;

/** What a reader of the screen finds with the filters: which issues stop the check, and which are fixed. */
export function paperLists({ assets, counts }: Report): Html {
  const stopRows = assets.flatMap((asset) =>
    row(
      asset,
      asset.issues.filter(({ failsGate }) => failsGate),
    ),
  );
  const fixedRows = assets.flatMap((asset) => row(asset, asset.fixed ?? []));
  const fixed = assets.reduce((sum, asset) => sum + (asset.fixed ?? []).length, 0);
  return html`${list(stopping(counts.failing), stopRows)}${list(`${plural(fixed, 'issue')} fixed since the version before`, fixedRows)}`;
}

type NamedIssue = Pick<ReportedAsset['issues'][number], 'severity' | 'ruleCode' | 'referenceNumber'>;

function row({ paths }: ReportedAsset, issues: readonly NamedIssue[]): readonly Html[] {
  if (issues.length === 0) return [];
  const names = issues
    .slice(0, MAX_ISSUES_IN_ROW)
    .map(({ severity, ruleCode, referenceNumber }) =>
      [
        severity,
        truncate(ruleCode, MAX_RULE_LENGTH),
        ...(referenceNumber === undefined ? [] : [`#${referenceNumber}`]),
      ].join(' '),
    );
  const hidden = issues.length - names.length;
  return [
    html`<tr><td><code>${truncate(paths[0] ?? '', 300)}</code></td><td>${names.join(', ')}${hidden > 0 && ` and ${hidden} more`}</td></tr>`,
  ];
}

function list(title: string, rows: readonly Html[]): Value {
  if (rows.length === 0) return undefined;
  const hidden = rows.length - MAX_ROWS;
  return html`<section class="paper"><h2>${title}</h2><table><thead><tr><th scope="col">File</th><th scope="col">Issues</th></tr></thead><tbody>${rows.slice(0, MAX_ROWS)}</tbody></table>${hidden > 0 && html`<p>and ${plural(hidden, 'more file')}</p>`}</section>
`;
}
