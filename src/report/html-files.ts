import { html } from '../lib/escape.ts';
import { count, formatBytes, plural } from '../lib/format.ts';
import type { Issue } from '../service/issue.ts';
import { dataUrl, type EmbeddedMedia } from './html-media.ts';
import { link } from './link.ts';
import { andMore, day, kind, novelty, provenance, STANDING_WORDS, stopping, version } from './phrases.ts';
import type { ReportedAsset, ReportedIssue } from './report.ts';
import { truncate } from './truncate.ts';

const MAX_TEXT_LENGTH = 20_000;
const MAX_PRECEDENTS = 50;
const MAX_PATHS = 50;
const MAX_TOPICS = 5;
const MAX_FIXED = 500;

const text = (value: string, most: number = MAX_TEXT_LENGTH): string => html(truncate(value, most));

export interface ShownFile {
  readonly asset: ReportedAsset;
  /** Worst first; the others did not fit the page. */
  readonly issues: readonly ReportedIssue[];
  readonly topics: ReadonlyMap<string, readonly string[]>;
  readonly media: EmbeddedMedia | undefined;
}

/** One content: its media, what was found in it now, and what was fixed since the version before. */
export function fileSection(file: ShownFile, index: number): string {
  const { asset, issues } = file;
  const figure = mediaFigure(asset, file.media);
  const hidden = asset.issues.length - issues.length;
  const now = [
    `<h3>${asset.fixed === undefined ? 'Found' : 'Found in this version'}</h3>`,
    ...issues.map((issue) => issueBlock(issue, file.topics.get(issue.id) ?? [])),
    issues.length === 0 && hidden === 0 ? `<p class="soft">${nothingFound(asset)}</p>` : '',
    hidden > 0 ? `<p class="soft">${plural(hidden, 'less severe issue')} only in report.json</p>` : '',
  ];
  const before = asset.fixed === undefined ? '' : fixedColumn(asset.fixed);
  const [first = '', ...others] = asset.paths.slice(0, MAX_PATHS);
  const more = asset.paths.length - MAX_PATHS;
  const same =
    others.length > 0
      ? `<p class="soft">Same bytes in ${others.map((path) => `<code>${text(path, 500)}</code>`).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}</p>`
      : '';
  return `<section class="card file" aria-labelledby="file-${index}" data-file="${html(truncate(asset.paths.join('\n'), 5_000).toLowerCase())}">
<div class="head"><h2 id="file-${index}"><code>${text(first, 500)}</code></h2>${mark(asset)}<span class="soft">${text(facts(asset), 500)}</span></div>${same}
<div class="beside${figure === '' ? '' : ' media'}">${figure}<div class="versions${before === '' ? '' : ' both'}"><div class="column">${now.join('')}</div>${before}</div></div>
</section>`;
}

function nothingFound(asset: ReportedAsset): string {
  if (asset.outcome === 'failed') return 'The analysis failed: nothing is known about this file.';
  return asset.outcome === 'judged' ? 'No issue.' : 'Not judged: nothing is known about this file.';
}

function mark(asset: ReportedAsset): string {
  const failing = asset.issues.filter((issue) => issue.failsGate).length;
  if (failing > 0) return `<span class="tag stop">${stopping(failing)}</span>`;
  return asset.outcome === 'judged' ? '' : '<span class="tag stop">not judged</span>';
}

export function facts(asset: ReportedAsset): string {
  const which = version(asset);
  return `${kind(asset)}, ${formatBytes(asset.size)}${which === '' ? '' : `, version ${which}`}; ${provenance(asset)}`;
}

function mediaFigure(asset: ReportedAsset, media: EmbeddedMedia | undefined): string {
  const url = media === undefined ? undefined : dataUrl(media);
  if (url === undefined || media === undefined) return '';
  const name = text(asset.paths[0] ?? '', 300);
  const caption = `<figcaption>${text(media.mime, 60)}, as it was checked</figcaption>`;
  if (media.mime.startsWith('image/'))
    return `<figure><img src="${url}" alt="The checked image ${name}">${caption}</figure>`;
  const tag = media.mime.startsWith('video/') ? 'video' : 'audio';
  return `<figure><${tag} controls preload="metadata" aria-label="The checked ${tag} ${name}" src="${url}"></${tag}>${caption}</figure>`;
}

function badge(issue: Issue): string {
  return `<span class="badge ${issue.severity}">${issue.severity}</span>`;
}

function issueLine(issue: Issue, url: string | undefined): string {
  const number = issue.referenceNumber === undefined ? '' : link(url, `#${issue.referenceNumber}`);
  const told =
    issue.severity === issue.reportedSeverity
      ? ''
      : `<span class="tag">told as ${text(issue.reportedSeverity, 40)}</span>`;
  return `${badge(issue)}${told}<h4>${text(issue.headline || issue.summary, 300)}</h4>${number}<code>${text(issue.ruleCode, 200)}</code>`;
}

function issueBlock(issue: ReportedIssue, topics: readonly string[]): string {
  const age = novelty(issue);
  const { waiver } = issue;
  const tags = [
    issue.failsGate
      ? '<span class="tag stop">stops the check</span>'
      : `<span class="tag">${STANDING_WORDS[issue.standing]}</span>`,
    `<span class="tag">${text(issue.status, 80)}</span>`,
    age === '' ? '' : `<span class="tag">${age}</span>`,
  ];
  const extra = [
    waiver
      ? `<p class="soft">Waived by ${text(waiver.owner, 100)} until ${text(waiver.expires, 40)}: ${text(waiver.reason, 1_000)}</p>`
      : '',
    topicLine(topics),
    why(issue),
  ];
  return `<article class="issue" data-issue data-severity="${issue.severity}" data-status="${text(issue.status, 80)}" data-standing="${issue.standing}" data-age="${age}" data-version="this">
<div class="line">${issueLine(issue, issue.url)}${tags.join('')}</div><p class="text">${text(issue.summary)}</p>${extra.join('')}</article>`;
}

function topicLine(titles: readonly string[]): string {
  if (titles.length === 0) return '';
  const shown = titles.slice(0, MAX_TOPICS).map((title) => text(title, 200));
  const more = andMore(titles.length - shown.length, 'topic', (words) => `; ${words}`);
  return `<p class="soft">Topic: ${shown.join('; ')}${more}</p>`;
}

function why(issue: ReportedIssue): string {
  const precedents = issue.precedents
    .slice(0, MAX_PRECEDENTS)
    .map(
      (one) =>
        `<li>${link(one.url, text(one.title || one.url || 'untitled', 300))}: ${text(one.decision, 1_000)}${one.date ? ` (${text(day(one.date), 40)})` : ''}</li>`,
    );
  if (!issue.reasoning && precedents.length === 0) return '';
  const reasoning = issue.reasoning ? `<p class="text">${text(issue.reasoning)}</p>` : '';
  const more = andMore(issue.precedents.length - precedents.length, 'precedent', (words) => `<li>${words}</li>`);
  const list = precedents.length > 0 ? `<p>Precedents</p><ul>${precedents.join('')}${more}</ul>` : '';
  return `<details${issue.failsGate ? ' open' : ''}><summary>Why ${issue.severity}</summary><div>${reasoning}${list}</div></details>`;
}

function fixedColumn(fixed: readonly Issue[]): string {
  const items = fixed
    .slice(0, MAX_FIXED)
    .map(
      (issue) =>
        `<article class="issue" data-issue data-severity="${issue.severity}" data-status="" data-standing="" data-age="" data-version="before"><div class="line">${issueLine(issue, undefined)}<span class="tag fixed">fixed since the version before</span></div></article>`,
    );
  const more = andMore(fixed.length - items.length, 'fixed issue', (words) => `<p class="soft">${words}</p>`);
  const nothing = items.length === 0 ? '<p class="soft">Nothing was fixed.</p>' : '';
  return `<div class="column"><h3>In the version before, fixed since</h3>${items.join('')}${nothing}${more}</div>`;
}
