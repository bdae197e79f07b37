import type { Issue } from '../../service/issue.ts';
import { truncate } from '../budget.ts';
import { day, GATE_LABELS, gateOf } from '../phrases.ts';
import type { ListedIssue, Report, ReportedIssue } from '../report.ts';
import { facetValues, MAX_RULE_LENGTH } from './facets.ts';
import { type Html, html, joinHtml, link, type Value } from './html.ts';

const MAX_TEXT_LENGTH = 20_000;
const MAX_OPEN_LENGTH = 600;
const MAX_PRECEDENTS = 50;
const MAX_TOPICS = 5;

export interface IssuePlace {
  /** Unique in the page, and the same in the next run if the service gives reference numbers. */
  readonly id: string;
  /** The id of the film or sound beside it, to which times in the text are links. */
  readonly playable: string | undefined;
  readonly policy: Report['policy'];
}

export function issueBlock({ issue, asset, topics }: ListedIssue, { id, playable, policy }: IssuePlace): Html {
  const { severity, gate, rule, status, change, base } = facetValues(issue, asset);
  const tags = [
    html`<span class="tag${gate === 'stops' && ' stop'}">${effect(issue, policy)}</span>`,
    html`<span class="tag">Status at the service: ${status}</span>`,
    issue.isNewInVersion && html`<span class="tag">New since the version before</span>`,
    base && html`<span class="tag">${base === 'new' ? 'Not on the base branch' : 'Also on the base branch'}</span>`,
  ].filter(Boolean);
  return html`<article class="issue ${issue.severity}" id="${id}" tabindex="-1" data-severity="${severity}" data-gate="${gate}" data-status="${status}" data-rule="${rule}" data-change="${change}"${base && html` data-base="${base}"`}>
${issueTitle(issue, issue.url)}${permalink(id, issue)}
<p class="tags">${joinHtml(tags, ' ')}</p>
<p class="text">${timed(truncate(issue.summary, MAX_TEXT_LENGTH), playable)}</p>${waiver(issue)}${topicLine(topics)}${why(issue, playable)}</article>
`;
}

/** What the issue means for the check; if it does not stop it, why not. */
function effect(issue: ReportedIssue, { failOnSeverity }: Report['policy']): string {
  const gate = gateOf(issue);
  switch (gate) {
    case 'counted':
      return failOnSeverity === 'never'
        ? 'Does not stop the check: this gate only reports'
        : `Does not stop the check: ${issue.severity} is below ${failOnSeverity}`;
    case 'known':
      return 'Does not stop the check: known on the base branch';
    case 'waived':
      return 'Does not stop the check: waived';
    case 'closed':
      return 'Does not stop the check: closed at the service';
    case 'stops':
      return GATE_LABELS.stops;
  }
}

function issueTitle(issue: Issue, url: string | undefined): Html {
  const isUnknown = issue.severity !== issue.reportedSeverity;
  return html`<h3><b class="badge">${issue.severity}</b> ${truncate(issue.headline || issue.summary, 300)}</h3>
<p class="ref"><code>${truncate(issue.ruleCode, MAX_RULE_LENGTH)}</code>${issue.referenceNumber !== undefined && html` ${link(url, `#${issue.referenceNumber}`)}`}${isUnknown && html` <span class="soft">reported as ${truncate(issue.reportedSeverity, 40)}, which counts as ${issue.severity}</span>`}</p>`;
}

function permalink(id: string, { referenceNumber }: Issue): Html {
  return html`<a class="copy" href="#${id}" aria-label="Link to issue ${referenceNumber === undefined ? '' : `#${referenceNumber}`}"></a>`;
}

/** What the version before had and this one has not. */
export function fixedBlock(issue: Issue, id: string): Html {
  return html`<article class="issue fixed" id="${id}" tabindex="-1" data-severity="${issue.severity}" data-rule="${truncate(issue.ruleCode, MAX_RULE_LENGTH)}" data-change="fixed">
${issueTitle(issue, undefined)}${permalink(id, issue)}
<p class="tags"><span class="tag good">Fixed since the version before</span></p>${issue.headline && html`<p class="text">${truncate(issue.summary, MAX_TEXT_LENGTH)}</p>`}</article>
`;
}

function waiver({ waiver: found }: ReportedIssue): Value {
  return (
    found &&
    html`<p class="soft">Waived by ${truncate(found.owner, 100)} until ${truncate(found.expires, 40)}: ${truncate(found.reason, 1_000)}</p>`
  );
}

function topicLine(titles: readonly string[]): Value {
  if (titles.length === 0) return undefined;
  const shown = titles.slice(0, MAX_TOPICS).map((title) => truncate(title, 200));
  return html`<p class="soft">Topic: ${shown.join('; ')}${more(titles.length - shown.length, '; and')}</p>`;
}

/** Open, unless it is long and stops nothing: a browser is slow with thousands of folded parts. */
function why(issue: ReportedIssue, playable: string | undefined): Value {
  const { severity, reasoning = '', failsGate } = issue;
  const list = precedentList(issue);
  if (reasoning === '') return list;
  const text = html`<p class="text">${timed(truncate(reasoning, MAX_TEXT_LENGTH), playable)}</p>`;
  return failsGate || reasoning.length <= MAX_OPEN_LENGTH
    ? html`<div class="why"><h4>Why ${severity}</h4>${text}</div>${list}`
    : html`<details><summary>Why ${severity}</summary>${text}${list}</details>`;
}

function precedentList({ precedents }: ReportedIssue): Value {
  if (precedents.length === 0) return undefined;
  const rows = precedents.slice(0, MAX_PRECEDENTS).map((one) => {
    const name = link(one.url, truncate(one.title || one.url || 'untitled', 300));
    return html`<li>${name}${one.decision && html`: ${truncate(one.decision, 1_000)}`}${one.date && ` (${truncate(day(one.date), 40)})`}</li>`;
  });
  const hidden = precedents.length - rows.length;
  return html`<h4>Precedents</h4><ul>${rows}${hidden > 0 && html`<li>${more(hidden, 'and')}</li>`}</ul>`;
}

/** "and 3 more" after what is shown; nothing if that is all. */
function more(hidden: number, before: string): string {
  return hidden > 0 ? `${before} ${hidden} more` : '';
}

/** A time such as 0:01 or 1:02:03. */
const TIME = /(?<![\d:.])((?:\d{1,2}:)?\d{1,2}:[0-5]\d)(?![\d:])/u;

/** A text in which times are links to that moment of the film or sound. */
function timed(text: string, playable: string | undefined): Value {
  if (playable === undefined) return text;
  return text
    .split(TIME)
    .map((piece, index) =>
      index % 2 === 1
        ? html`<a class="time" href="#${playable}" data-seconds="${secondsOf(piece)}">${piece}</a>`
        : piece,
    );
}

function secondsOf(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
