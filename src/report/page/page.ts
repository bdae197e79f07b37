import { createHash } from 'node:crypto';
import { plural } from '../../lib/format.ts';
import { truncate } from '../budget.ts';
import { cleanFiles, countFiles, describeFile, provenance, title } from '../phrases.ts';
import type { Report, ReportedAsset } from '../report.ts';
import { pathLink } from './file.ts';
import { finder } from './finder.ts';
import { EARLY_SCRIPT, SCRIPT, STYLE } from './generated.ts';
import { causeTable, nextSteps, pageHead, sentence } from './head.ts';
import { type Html, html, joinHtml, trusted, type Value } from './html.ts';
import type { EmbeddedMedia } from './media.ts';
import { type PageModel, pageModel } from './model.ts';
import { paperLists } from './paper.ts';

const MAX_CLEAN_FILES = 3_000;
const MAX_CLEAN_PATHS = 20;
const MAX_NOTICES = 200;
/** More would push the issues off the screen. */
const MAX_OPEN_NOTICES = 5;

const hash = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/** Not in the template: the bundler would rewrite a tagged template that closes a script. */
function script(source: string): Html {
  return trusted(`<script>${source}</script>`);
}

/** The page may show what is in it, run its own two scripts, and reach nothing. */
function policy(style: string): string {
  return [
    `default-src 'none'`,
    `style-src ${hash(style)}`,
    `script-src ${hash(EARLY_SCRIPT)} ${hash(SCRIPT)}`,
    'img-src data:',
    'media-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** At the foot of each sheet of paper, so that a single sheet can be traced to its run. */
function runningFoot({ run, judgedAt }: Report): string {
  const identity = `${run.repository}, commit ${run.commit.slice(0, 12)}, checked ${judgedAt.slice(0, 16)}Z`;
  // Nothing that could end the text in the style is let through.
  return ` @page { @bottom-left { content: "${identity.replaceAll(/[^\w ,.:/-]/g, '?').slice(0, 120)}" } }`;
}

/**
 * report.html: one page that holds everything it shows. It is complete without scripts; with them it can be searched
 * and filtered, and files far down become part of the document only when the page is open.
 *
 * @param media by the SHA-256 of the content
 */
export function renderPage(report: Report, media: ReadonlyMap<string, EmbeddedMedia> = new Map()): string {
  const model = pageModel(report, media);
  const style = STYLE + runningFoot(report);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy(style))}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${truncate(title(report), 300)}</title><style>${trusted(style)}</style></head><body>
<a class="skip" href="#files">Skip to the issues</a>
<p id="partial"></p>
${pageHead(report)}
${nextSteps(report)}
${notices(report.notices, model)}
${paperLists(report)}
<div class="columns${model.index.length === 0 && ' single'}">
${finder(model)}
${script(EARLY_SCRIPT)}
<main id="files" tabindex="-1">
${causeTable(report)}
<p id="also"></p>
<div id="nothing" class="card" hidden><h2>No issue matches</h2><p id="wanted"></p><p><button type="button" class="clear">Clear search and filters</button></p></div>
${model.groups}
${cleanList(model.clean, report)}
</main></div>
${footer(report)}
${DIALOGS}
${script(SCRIPT)}</body></html>
`.source;
}

function cleanList(clean: readonly ReportedAsset[], { mode, run }: Report): Value {
  if (clean.length === 0) return undefined;
  const rows = clean.slice(0, MAX_CLEAN_FILES).map((asset) => {
    const paths = asset.paths.slice(0, MAX_CLEAN_PATHS).map((path) => pathLink(run, path));
    const hidden = asset.paths.length - paths.length;
    return html`<tr><td>${joinHtml(paths, html`<br>`)}${hidden > 0 && html`<br>and ${plural(hidden, 'more path')}`}</td><td>${describeFile(asset)}; ${truncate(provenance(asset), 300)}<span class="paper">; SHA-256 ${asset.sha256}</span></td></tr>`;
  });
  const hidden = countFiles(clean.slice(rows.length));
  return html`<section class="card clean" aria-labelledby="clean"><details><summary><h2 id="clean">${cleanFiles(mode, countFiles(clean))}</h2></summary><table><thead><tr><th scope="col">File</th><th scope="col">What it is, how it was checked</th></tr></thead><tbody>${rows}</tbody></table>${hidden > 0 && html`<p>${plural(hidden, 'more file')} in report.json</p>`}</details></section>
`;
}

/** Above the issues: something may not have been checked. */
function notices(all: readonly string[], { leftOut }: PageModel): Value {
  const notes = [...leftOutNote(leftOut.issues, 'issue'), ...leftOutNote(leftOut.files, 'file'), ...all];
  if (notes.length === 0) return undefined;
  const shown = notes.slice(0, MAX_NOTICES).map((note) => html`<li>${sentence(note)}</li>`);
  const hidden = notes.length - shown.length;
  return html`<section class="steps" aria-labelledby="notices"><details class="card fold"${notes.length <= MAX_OPEN_NOTICES && ' open'}><summary><h2 id="notices">Also good to know</h2></summary><ul>${shown}${hidden > 0 && html`<li>and ${plural(hidden, 'more notice')}</li>`}</ul></details></section>
`;
}

function leftOutNote(number: number, noun: string): readonly string[] {
  if (number <= 0) return [];
  return [
    `${plural(number, noun)}, the least severe, ${number === 1 ? 'is' : 'are'} left out of this page; report.json has all.`,
  ];
}

function footer({ submission, mode }: Report): Html {
  const parts = [
    submission.id && html`submission <code>${truncate(submission.id, 100)}</code> ${truncate(submission.status, 40)}`,
    submission.workflowId && html`workflow <code>${truncate(submission.workflowId, 100)}</code>`,
    mode === 'sandbox' ? html`a sandbox costs no credits` : html`only files that are sent cost credits`,
  ].filter((part) => part instanceof Object);
  return html`<footer class="soft">${joinHtml(parts, ' · ')}</footer>`;
}

const KEYS: readonly (readonly [string, string])[] = [
  ['j', 'next issue'],
  ['k', 'previous issue'],
  ['/', 'search'],
  ['c', 'copy the link to this issue'],
  ['?', 'this help'],
  ['Esc', 'close, or leave the search'],
];

const DIALOGS: Html = html`<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2><table>${KEYS.map(
  ([key, use]) => html`<tr><th scope="row"><kbd>${key}</kbd></th><td>${use}</td></tr>`,
)}</table><form method="dialog"><button>Close</button></form></dialog>
<dialog id="lightbox" aria-label="Image"><form method="dialog"><button type="button" id="smaller" aria-label="Smaller">−</button><button type="button" id="larger" aria-label="Larger">+</button><button type="button" id="fit">Fit</button><button>Close</button></form><div class="stage" tabindex="0" role="group" aria-label="Enlarged image, scroll to move"></div></dialog>
<p id="copied" role="status"></p>`;
