import type { Cause } from '../../lib/cause.ts';
import { count, plural } from '../../lib/format.ts';
import { type Issue, severityRank } from '../../service/issue.ts';
import { truncate } from '../budget.ts';
import { comparisonUrl, fileUrl } from '../github-links.ts';
import { describeChanges, describeFile, provenance, stopping } from '../phrases.ts';
import type { Report, ReportedAsset } from '../report.ts';
import { MAX_PATHS } from './facets.ts';
import { type Html, html, joinHtml, link, prose, type Value } from './html.ts';
import { fixedBlock } from './issue.ts';
import { type EmbeddedMedia, mediaFigure, shownAs } from './media.ts';

const MAX_FIXED = 500;
const MAX_PATH_LENGTH = 500;

/** A file of the page. */
export interface PageFile {
  readonly asset: ReportedAsset;
  /** `file-1` for the worst. */
  readonly id: string;
  readonly media: EmbeddedMedia | undefined;
  /** Why it could not be judged. */
  readonly causes: readonly Cause[];
}

/** The id of the film or sound beside the issues. */
export function playableId({ id, media }: PageFile): string | undefined {
  const shown = shownAs(media);
  return shown === 'film' || shown === 'sound' ? `${id}-media` : undefined;
}

export function pathLink(run: Report['run'], path: string): Html {
  return link(fileUrl(run, path), html`<code>${truncate(path, MAX_PATH_LENGTH)}</code>`);
}

/** Everything about a file but its issues. */
export interface FileFrame {
  readonly head: Html;
  readonly before: Html;
  readonly after: Html;
}

export function fileFrame(file: PageFile, run: Report['run'], newFixedId: (issue: Issue) => string): FileFrame {
  const { asset, id, media } = file;
  const figure = mediaFigure(asset, { media, run, id: `${id}-media` });
  return {
    head: html`<div class="head"><h2 id="${id}-name">${pathLink(run, asset.paths[0] ?? '')}</h2>${mark(asset)}</div>`,
    before: html`<p class="soft facts-line">${describeFile(asset)}; ${truncate(provenance(asset), 300)}<span class="paper">; SHA-256 ${asset.sha256}</span></p>${copies(asset, run)}${versionLine(asset, run)}
<div class="beside ${shownAs(media)}">${figure}<div class="issues">
`,
    after: html`${notJudged(file)}${fixedList(asset, newFixedId)}</div></div>`,
  };
}

export function fileSection({ asset, id }: PageFile, frame: FileFrame, issues: readonly Html[]): Html {
  const hidden = asset.issues.length - issues.length;
  const note = hidden > 0 && html`<p class="soft">${plural(hidden, 'less severe issue')} only in report.json</p>`;
  return html`<section class="file${issues.length === 0 && ' bare'}" id="${id}" aria-labelledby="${id}-name">
${frame.head}${frame.before}${issues}${note}${frame.after}
</section>
`;
}

function mark(asset: ReportedAsset): Value {
  const failing = asset.issues.filter((issue) => issue.failsGate).length;
  if (failing > 0) return html`<span class="tag stop whole">${stopping(failing)}</span>`;
  return asset.outcome !== 'judged' && html`<span class="tag stop">Not judged</span>`;
}

function copies({ paths }: ReportedAsset, run: Report['run']): Value {
  const [, ...others] = paths.slice(0, MAX_PATHS);
  if (others.length === 0) return undefined;
  const hidden = paths.length - others.length - 1;
  const list = joinHtml(
    others.map((path) => pathLink(run, path)),
    ', ',
  );
  return html`<p class="soft copies">The same bytes are in ${list}${hidden > 0 && ` and ${count(hidden)} more`}</p>`;
}

function versionLine(asset: ReportedAsset, run: Report['run']): Value {
  const changes = describeChanges(asset);
  if (changes === '') return undefined;
  const url = comparisonUrl(run, asset.paths[0] ?? '');
  return html`<p class="versions">Since the version before: <b>${changes}</b>${url && html` · ${link(url, 'Compare on GitHub')}`}</p>`;
}

function notJudged({ asset, causes }: PageFile): Value {
  if (asset.outcome === 'judged') {
    return asset.issues.length === 0 && html`<p class="soft">No issue in this version.</p>`;
  }
  const why = causes.map(({ message, fix }) => html` ${prose(truncate(message, 1_000))} ${prose(truncate(fix, 600))}`);
  return html`<p class="unjudged"><b>${asset.outcome === 'failed' ? 'The analysis failed.' : 'Not judged.'}</b> Nothing is known about this file.${why}</p>`;
}

/** The fixed issues that the page shows, worst first. */
export function shownFixed({ fixed = [] }: ReportedAsset): readonly Issue[] {
  return fixed.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity)).slice(0, MAX_FIXED);
}

function fixedList(asset: ReportedAsset, newFixedId: (issue: Issue) => string): Value {
  const fixed = shownFixed(asset);
  if (fixed.length === 0) return undefined;
  const hidden = (asset.fixed ?? []).length - fixed.length;
  return html`<div class="gone">${fixed.map((issue) => fixedBlock(issue, newFixedId(issue)))}${hidden > 0 && html`<p class="soft">and ${plural(hidden, 'more fixed issue')} in report.json</p>`}</div>`;
}
