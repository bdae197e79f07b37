import { createHash } from 'node:crypto';
import { html, htmlProse } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES, type Severity } from '../service/issue.ts';
import { causesTitle, tabledCauses } from './causes.ts';
import { facts, fileSection, type ShownFile } from './html-files.ts';
import type { EmbeddedMedia } from './html-media.ts';
import { SCRIPT } from './html-script.ts';
import { STYLE } from './html-style.ts';
import { link, moreAbout } from './link.ts';
import { type ListedIssue, worstFirst } from './order.ts';
import { andMore, cleanFiles, consequence, cost, countFiles, SEVERITY_NAMES, threshold, title } from './phrases.ts';
import type { Report, ReportedAsset, ReportedIssue } from './report.ts';
import { isClean } from './summary-files.ts';
import { truncate } from './truncate.ts';

/** A page with more is too slow to be of use; report.json has them all. */
const MAX_ISSUES = 5_000;
const MAX_FILES = 5_000;
const MAX_CLEAN_FILES = 20_000;
const MAX_PATHS = 20;
const MAX_NOTICES = 200;
const MAX_STEPS = 20;
/** From here on the browser lays out only what is in view. */
const MANY_FILES = 100;

const text = (value: string, most: number = 2_000): string => html(truncate(value, most));
const sentence = (value: string): string => htmlProse(truncate(value, 2_000));

const hash = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/** report.html: one page that holds everything it shows, asks the network for nothing and runs no words of the report. */
export function renderHtml(report: Report, media: ReadonlyMap<string, EmbeddedMedia> = new Map()): string {
  const all = worstFirst(report);
  const notable = report.assets.filter((asset) => !isClean(asset));
  const shown = shownFiles(notable.slice(0, MAX_FILES), all.slice(0, MAX_ISSUES), media);
  const clean = report.assets.filter(isClean);
  const leftOut = [
    leftOutNote(all.length - MAX_ISSUES, 'issue'),
    leftOutNote(countFiles(notable.slice(shown.length)), 'file'),
  ];
  const policy = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; img-src data:; media-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${text(title(report), 300)}</title><style>${STYLE}</style></head><body>
<a class="skip" href="#files">Skip to the files</a>
<header>${verdict(report)}</header>
<main>
<div class="two">${nextSteps(report)}${picture(report)}</div>
${causes(report)}
${filters(report, all)}
<div id="files" class="column${shown.length > MANY_FILES ? ' many' : ''}" tabindex="-1">
${shown.map(fileSection).join('\n')}
</div>
${cleanList(clean, report.mode)}
${notices([...leftOut.filter((note) => note !== ''), ...report.notices])}
</main>
<footer class="soft">${footer(report)}</footer>
<script>${SCRIPT}</script></body></html>
`;
}

function shownFiles(
  assets: readonly ReportedAsset[],
  listed: readonly ListedIssue[],
  media: ReadonlyMap<string, EmbeddedMedia>,
): readonly ShownFile[] {
  const issuesOf = new Map<ReportedAsset, ReportedIssue[]>();
  const topicsOf = new Map<ReportedAsset, Map<string, readonly string[]>>();
  for (const { asset, issue, topics } of listed) {
    issuesOf.set(asset, issuesOf.get(asset) ?? []);
    issuesOf.get(asset)?.push(issue);
    topicsOf.set(asset, (topicsOf.get(asset) ?? new Map<string, readonly string[]>()).set(issue.id, topics));
  }
  return assets.map((asset) => ({
    asset,
    issues: issuesOf.get(asset) ?? [],
    topics: topicsOf.get(asset) ?? new Map<string, readonly string[]>(),
    media: asset.paths.map((path) => media.get(path)).find((one) => one !== undefined),
  }));
}

function tone(report: Report): 'good' | 'bad' | 'warn' | '' {
  if (report.verdict === 'skipped') return '';
  if (report.verdict === 'pass') return report.mode === 'sandbox' || report.lastKnown ? 'warn' : 'good';
  return report.green ? 'warn' : 'bad';
}

function verdict(report: Report): string {
  const { counts } = report;
  const told: readonly (readonly [string, string])[] = [
    ['Check', report.green ? 'green' : 'red'],
    ['Files', count(counts.filesMatched)],
    ['Active issues', count(counts.issues)],
    ['Stop the check', count(counts.failing)],
    ['Known', orNothing(counts.known)],
    ['Waived', orNothing(counts.waived)],
    ['Closed in the service', orNothing(counts.ignored)],
    ['What it cost', cost(report)],
  ];
  const facts = told
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`)
    .join('');
  const memory = report.lastKnown ? `<p>${sentence(report.lastKnown.message)}</p>` : '';
  return `<div class="card verdict ${tone(report)}"><p class="stamp">${text(report.gate, 100)}</p><h1>${sentence(title(report))}</h1><p><strong>${consequence(report)}</strong></p>${memory}<p>${threshold(report)}</p><dl class="facts">${facts}</dl></div>`;
}

function orNothing(number: number): string {
  return number === 0 ? '' : count(number);
}

function nextSteps(report: Report): string {
  const steps = listItems(report.nextSteps, MAX_STEPS, 'step');
  const list = steps !== '' ? `<ol>${steps}</ol>` : '<p>Nothing has to be done.</p>';
  const more = moreAbout(report);
  return `<section class="card" aria-labelledby="next"><h2 id="next">What to do now</h2>${list}${more === '' ? '' : `<p class="soft">${more}</p>`}</section>`;
}

function listItems(sentences: readonly string[], most: number, noun: string): string {
  const items = sentences.slice(0, most).map((one) => `<li>${sentence(one)}</li>`);
  return items.join('') + andMore(sentences.length - items.length, noun, (words) => `<li>${words}</li>`);
}

function picture({ counts }: Report): string {
  const most = Math.max(1, ...SEVERITIES.map((severity) => counts.bySeverity[severity]));
  const rows = SEVERITIES.map((severity) => {
    const number = counts.bySeverity[severity];
    const width = Math.round((number / most) * 1_000) / 10;
    return `<span class="${severity}">${SEVERITY_NAMES[severity]}</span><svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 14"><rect class="fill-${severity}" width="${number > 0 ? Math.max(1, width) : 0}" height="14"/></svg><strong>${count(number)}</strong>`;
  });
  return `<section class="card" aria-labelledby="bars"><h2 id="bars">Active issues by severity</h2><div class="bars">${rows.join('')}</div></section>`;
}

function causes(report: Report): string {
  const all = tabledCauses(report);
  if (all.length === 0) return '';
  const hasFiles = all.some(({ path }) => path !== undefined);
  const shown = all.slice(0, 1_000);
  const rows = shown.map(({ path, message, fix }) => {
    const file = path === undefined ? '–' : `<code>${text(path, 500)}</code>`;
    return `<tr>${hasFiles ? `<td>${file}</td>` : ''}<td>${sentence(message)}</td><td>${sentence(fix)}</td></tr>`;
  });
  const hidden = all.length - shown.length;
  return `<section class="card" aria-labelledby="causes"><h2 id="causes">${causesTitle(report)}</h2><div class="scroll" tabindex="0" role="group" aria-label="Problems"><table><thead><tr>${hasFiles ? '<th scope="col">File</th>' : ''}<th scope="col">What happened</th><th scope="col">What to do</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>${hidden > 0 ? `<p>${plural(hidden, 'more problem')} in report.json</p>` : ''}</section>`;
}

function filters(report: Report, listed: readonly ListedIssue[]): string {
  if (listed.length === 0 && !report.assets.some((asset) => (asset.fixed ?? []).length > 0)) return '';
  const statuses = [...new Set(listed.slice(0, MAX_ISSUES).map(({ issue }) => truncate(issue.status, 80)))].slice(
    0,
    50,
  );
  const of = (severity: Severity): number => listed.filter(({ issue }) => issue.severity === severity).length;
  const severities = SEVERITIES.map(
    (severity) =>
      `<label class="check"><input type="checkbox" name="severity" value="${severity}" checked><span class="${severity}">${SEVERITY_NAMES[severity]}</span> ${count(of(severity))}</label>`,
  );
  return `<section class="card filters" aria-labelledby="filter" hidden><h2 id="filter">Filter the issues</h2><form id="filters">
<fieldset><legend>Severity</legend>${severities.join('')}</fieldset>
${select('Counted as', 'standing', [
  ['active', 'active'],
  ['known', 'known'],
  ['waived', 'waived'],
  ['ignored', 'closed in the service'],
])}
${select(
  'Status',
  'status',
  statuses.map((status) => [status, status]),
)}
${select('Since the base branch', 'age', [
  ['new', 'new'],
  ['also on the base branch', 'also on the base branch'],
])}
${select('Since the version before', 'version', [
  ['this', 'found in this version'],
  ['before', 'fixed'],
])}
<label class="field">File<input type="search" name="file" autocomplete="off"></label><button type="button">Show all</button></form>
<p id="told" role="status"></p></section>`;
}

function select(label: string, name: string, options: readonly (readonly [string, string])[]): string {
  const rest = options.map(([value, word]) => `<option value="${html(value)}">${html(word)}</option>`);
  return `<label class="field">${label}<select name="${name}"><option value="">all</option>${rest.join('')}</select></label>`;
}

function cleanList(clean: readonly ReportedAsset[], mode: Report['mode']): string {
  if (clean.length === 0) return '';
  const rows = clean.slice(0, MAX_CLEAN_FILES).map((asset) => {
    const paths = asset.paths.slice(0, MAX_PATHS).map((path) => `<code>${text(path, 500)}</code>`);
    const more = andMore(asset.paths.length - paths.length, 'path', (words) => `<br>${words}`);
    return `<tr><td>${paths.join('<br>')}${more}</td><td>${text(facts(asset), 500)}</td></tr>`;
  });
  const hidden = countFiles(clean.slice(rows.length));
  return `<section class="card" aria-labelledby="clean"><h2 id="clean">${cleanFiles(mode, countFiles(clean))}</h2><details><summary>Show the list</summary><table><thead><tr><th scope="col">File</th><th scope="col">What it is, how it was checked</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>${hidden > 0 ? `<p>${plural(hidden, 'more file')} in report.json</p>` : ''}</section>`;
}

function leftOutNote(number: number, noun: string): string {
  if (number <= 0) return '';
  return `${plural(number, noun)}, the least severe, ${number === 1 ? 'is' : 'are'} left out of this page; report.json has all.`;
}

function notices(all: readonly string[]): string {
  if (all.length === 0) return '';
  return `<section class="card" aria-labelledby="notices"><h2 id="notices">Also good to know</h2><ul>${listItems(all, MAX_NOTICES, 'notice')}</ul></section>`;
}

function footer({ run, submission, judgedAt, mode }: Report): string {
  return [
    run.repository && `${text(run.repository, 200)} at ${text(run.ref, 200)} (${text(run.commit.slice(0, 7))})`,
    run.url && link(run.url, 'the run'),
    submission.id && `submission ${text(submission.id, 100)} ${text(submission.status, 40)}`,
    judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC'),
    mode === 'sandbox' ? 'sandbox: no credits' : 'only what is sent costs credits',
  ]
    .filter((part) => part !== '' && part !== undefined)
    .join(' · ');
}
