import { count, plural } from '../../lib/format.ts';
import { SEVERITIES } from '../../service/issue.ts';
import { truncate } from '../budget.ts';
import { branchUrl, commitUrl, pullRequestUrl, repositoryUrl } from '../github-links.ts';
import {
  causesTitle,
  consequence,
  cost,
  hasJudged,
  SEVERITY_NAMES,
  tabledCauses,
  threshold,
  title,
  verdictMark,
} from '../phrases.ts';
import type { Report } from '../report.ts';
import { pathLink } from './file.ts';
import { type Html, html, joinHtml, link, prose, type Value } from './html.ts';

const MAX_STEPS = 20;
const MAX_CAUSES = 1_000;

export const sentence = (text: string): Html => prose(truncate(text, 2_000));

/** The verdict, what it is about, and the numbers behind it. */
export function pageHead(report: Report): Html {
  const memory = report.lastKnown && html`<p>${sentence(report.lastKnown.message)}</p>`;
  return html`<header class="verdict ${tone(report)}">
<div class="said"><h1><span aria-hidden="true">${verdictMark(report)}</span> ${sentence(title(report))}</h1>
<p class="context">${joinHtml(context(report), html` <span aria-hidden="true">·</span> `)}</p>
<p>${prose(consequence(report))} ${threshold(report)}${notCounted(report)}</p>${memory}
${numbers(report)}${addresses(report.run)}</div>
${chart(report)}
</header>
`;
}

/** On a phone there is no room for it above the first issue. */
function notCounted({ policy: { failOnSeverity, failOnIssues, ignoreStatuses } }: Report): Value {
  if (failOnSeverity === 'never') return undefined;
  const statuses = truncate(ignoreStatuses.join(' or '), 300);
  const kinds = [
    'waived',
    ...(failOnIssues === 'new' ? ['known on the base branch'] : []),
    ...(statuses === '' ? [] : [`closed at the service (status ${statuses})`]),
  ];
  const list = [kinds.slice(0, -1).join(', '), kinds.at(-1)].filter(Boolean).join(' or ');
  return html`<span class="roomy"> Issues that are ${list} do not count.</span>`;
}

function tone(report: Report): 'good' | 'bad' | 'warn' | 'none' {
  if (report.verdict === 'skipped') return 'none';
  if (report.verdict === 'pass') return report.mode === 'sandbox' || report.lastKnown ? 'warn' : 'good';
  return report.isPassing ? 'warn' : 'bad';
}

/** Where and when the files were checked, each a link. */
function context({ run, gate, judgedAt }: Report): readonly Html[] {
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  const branch = truncate(run.branch ?? run.ref, 200);
  const place = run.pullRequest
    ? link(pullRequestUrl(run), `Pull request #${run.pullRequest.number}`)
    : branch !== '' && link(branchUrl(run), branch.replace(/^refs\/(?:heads|tags)\//, ''));
  return [
    html`<b>${truncate(gate, 100)}</b>`,
    run.repository && link(repositoryUrl(run), truncate(run.repository, 200)),
    place,
    run.commit && html`commit ${link(commitUrl(run), html`<code>${run.commit.slice(0, 7)}</code>`)}`,
    run.url ? link(run.url, `run of ${when}`) : html`${when}`,
  ].filter((part) => part instanceof Object);
}

/** A link cannot be followed on paper. */
function addresses(run: Report['run']): Value {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Pull request', pullRequestUrl(run)],
    ['Commit', commitUrl(run)],
    ['Run', run.url],
  ];
  return html`<p class="paper">${rows.map(([name, url]) => url && html`${name}: ${truncate(url, 300)}<br>`)}</p>`;
}

function numbers(report: Report): Value {
  const { counts } = report;
  const fixed = report.assets.reduce((sum, asset) => sum + (asset.fixed ?? []).length, 0);
  const judged: readonly (readonly [string, number, string])[] = hasJudged(report)
    ? [
        ['Active issues', counts.issues, '#gate=stops,counted'],
        ['Stop the check', counts.failing, '#gate=stops'],
        ['Known', counts.known, '#gate=known'],
        ['Waived', counts.waived, '#gate=waived'],
        ['Closed at the service', counts.ignored, '#gate=closed'],
        ['Fixed', fixed, '#change=fixed'],
      ]
    : [];
  const shown = judged
    .filter(([, number], index) => index === 0 || number > 0)
    .map(([name, number, filter]) => {
      const value = number === 0 ? html`0` : html`<a href="${filter}">${count(number)}</a>`;
      return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
    });
  if (report.assets.length === 0) return undefined;
  return html`<dl class="numbers"><div><dt>Files</dt><dd>${count(counts.filesMatched)}</dd></div>${shown}<div><dt>Cost</dt><dd>${cost(report)}</dd></div></dl>`;
}

/** Each bar is a link that filters the page. */
function chart(report: Report): Value {
  const { counts } = report;
  if (!hasJudged(report) || counts.issues === 0) return undefined;
  const max = Math.max(1, ...SEVERITIES.map((severity) => counts.bySeverity[severity]));
  const rows = SEVERITIES.map((severity) => {
    const number = counts.bySeverity[severity];
    const width = number > 0 ? Math.max(1, Math.round((number / max) * 1_000) / 10) : 0;
    const bar = html`<span class="name ${severity}">${SEVERITY_NAMES[severity]}</span><svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 14"><rect class="fill-${severity}" width="${width}" height="14"/></svg><b>${count(number)}</b>`;
    return number === 0
      ? html`<div class="bar">${bar}</div>`
      : html`<a class="bar" href="#severity=${severity}&amp;gate=stops,counted">${bar}</a>`;
  });
  return html`<section class="chart" aria-labelledby="bars"><h2 id="bars">Active issues by severity</h2>${rows}</section>`;
}

/** Folded on a phone, where the first issue comes before advice. */
export function nextSteps(report: Report): Html {
  const steps = report.nextSteps.slice(0, MAX_STEPS).map((step) => html`<li>${sentence(step)}</li>`);
  const hidden = report.nextSteps.length - steps.length;
  const { reason, docs } = report;
  const guide =
    reason !== '' && docs !== undefined
      ? html`<p class="soft">More about <code>${reason}</code>: ${link(`${docs}/troubleshooting.md#${reason}`, 'troubleshooting')}.</p>`
      : undefined;
  if (steps.length === 0 && !guide) return html``;
  return html`<section class="steps" aria-labelledby="steps"><details class="card fold" open><summary><h2 id="steps">What to do now</h2></summary><ol>${steps}</ol>${hidden > 0 && html`<p>and ${plural(hidden, 'more step')}</p>`}${guide}</details></section>
`;
}

/** All of them: the page is the place for a long list. */
function fileList(run: Report['run'], paths: readonly string[]): Html {
  const links = paths.slice(0, MAX_CAUSES).map((path) => html`${pathLink(run, path)}`);
  const hidden = paths.length - links.length;
  return html`${paths.length > 1 && `${plural(paths.length, 'file')}: `}${joinHtml(links, html`, `)}${hidden > 0 && ` and ${count(hidden)} more`}`;
}

export function causeTable(report: Report): Html {
  const all = tabledCauses(report);
  if (all.length === 0) return html``;
  const hasFiles = all.some(({ paths }) => paths.length > 0);
  const rows = all.slice(0, MAX_CAUSES).map(({ paths, message, fix }) => {
    const file = paths.length === 0 ? '–' : fileList(report.run, paths);
    return html`<tr>${hasFiles && html`<td>${file}</td>`}<td>${sentence(message)}</td><td>${sentence(fix)}</td></tr>`;
  });
  const hidden = all.length - rows.length;
  return html`<section class="card" aria-labelledby="causes"><h2 id="causes">${causesTitle(report)}</h2><div class="scroll" tabindex="0" role="group" aria-labelledby="causes"><table><thead><tr>${hasFiles && html`<th scope="col">File</th>`}<th scope="col">What happened</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table></div>${hidden > 0 && html`<p>${plural(hidden, 'more problem')} in report.json</p>`}</section>
`;
}
