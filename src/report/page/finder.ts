import { count, plural } from '../../lib/format.ts';
import type { Facet } from './facets.ts';
import { type Html, html, type Value } from './html.ts';
import type { IndexedFile, PageModel } from './model.ts';

/** A longer list of values scrolls by itself. */
const MAX_SHORT_LIST = 12;

/**
 * The index that stays in view: severities, rules and files, each with its number of issues. With scripts it is the
 * filter of the page as well.
 */
export function finder({ facets, index, issueCount, uncounted }: PageModel): Html {
  if (index.length === 0) return html``;
  const hasIssues = facets.length > 0;
  return html`<nav class="finder" aria-label="Find issues and files">${hasIssues && BRIEF}<details class="fold" open><summary>Find and filter</summary>
${hasIssues && searchBox(issueCount, uncounted)}
<form id="filters">${facets.map(facetGroup)}</form>
${fileIndex(index)}
${hasIssues && html`<p class="needs-script to-issues"><button type="button" id="show">Show ${plural(issueCount, 'issue')}</button></p>`}</details></nav>
`;
}

/** On a phone, beside the folded filters: what they leave out must be seen. */
const BRIEF: Html = html`<p class="brief needs-script" hidden><span id="brief"></span> · <button type="button" class="clear">Clear</button></p>`;

/** @param uncounted how many of the issues are in no number of the head */
function searchBox(issueCount: number, uncounted: number): Html {
  const note = uncounted > 0 && `, incl. ${count(uncounted)} waived, known or closed`;
  return html`<div class="needs-script"><label class="search">Search <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="Path, rule, number, text" aria-keyshortcuts="/"></label>
<p id="found" role="status">${plural(issueCount, 'issue')}${note}</p>
<p class="actions"><button type="button" class="clear" disabled>Clear all</button><button type="button" id="keys" aria-haspopup="dialog">Keys</button></p></div>`;
}

function facetGroup({ name, label, values, hidden }: Facet): Html {
  const isLong = values.length > MAX_SHORT_LIST;
  const rows = values.map(
    ({ value, label: text, title, count: number }) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"><span${name === 'severity' && html` class="${value}"`}>${text}</span><b>${count(number)}</b>${title && html`<small>${title}</small>`}</label>`,
  );
  return html`<fieldset${isLong && html` class="long"`}><legend>${label}</legend><div class="values"${isLong && html` tabindex="0" role="group" aria-label="${label}"`}>${rows}</div>${hidden > 0 && html`<p class="soft">and ${count(hidden)} more: use the search</p>`}</fieldset>
`;
}

function fileIndex(index: readonly IndexedFile[]): Html {
  return html`<h2 id="index">Files, worst first (✕ stops the check)</h2><ul class="index" aria-labelledby="index">${index.map(fileEntry)}</ul>`;
}

function fileEntry({ id, path, issues, isUnjudged, hasFailing }: IndexedFile): Value {
  const cut = path.lastIndexOf('/') + 1;
  const name = html`<span>${path.slice(0, cut)}<wbr>${path.slice(cut)}</span>`;
  return html`<li><a href="#${id}">${name}<b${hasFailing && html` class="stop"`}>${isUnjudged && issues === 0 ? '?' : count(issues)}</b></a></li>`;
}
