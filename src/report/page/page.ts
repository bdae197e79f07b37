import { createHash } from 'node:crypto';
import { html } from '../../lib/escape.ts';
import { plural, truncate } from '../../lib/format.ts';
import { countFiles, listIssues } from '../facts.ts';
import { link } from '../links.ts';
import { title } from '../phrases.ts';
import type { Report, ReportedContent } from '../report.ts';
import { SCRIPT, STYLE } from './generated.ts';

/** The bytes of files as `data:` addresses, by the SHA-256 of the content. */
export type EmbeddedMedia = ReadonlyMap<string, string>;

/** The limit for the report in report.html, without its media: more data would make the page slow. */
const MAX_DATA_BYTES = 19_000_000;
/**
 * In a report that is too large, every list is cut to this number of items, and every text to this number of
 * characters. The number is lowered until the report fits.
 */
const MAX_ITEMS = 20_000;

function hash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}

/** This policy lets the page show its own content and run its own script, but make no request. */
function policy(): string {
  return [
    `default-src 'none'`,
    `style-src ${hash(STYLE)}`,
    `script-src ${hash(SCRIPT)}`,
    'img-src data:',
    'media-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

/**
 * Renders report.html: the report as data, and an app that shows the report. The media come last, so that the first
 * issue is on the screen before they are loaded. Media are in scripts of type text/plain, which a browser neither runs
 * nor shows.
 */
export function renderPage(report: Report, media: EmbeddedMedia = new Map()): string {
  const embedded = Array.from(
    media,
    ([sha256, data]) => `<script type="text/plain" id="media-${sha256}">${data}</script>`,
  ).join('\n');
  const shell = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${html(truncate(title(report), 400))}</title><style>${STYLE}</style></head><body>
<noscript><h1>${html(truncate(title(report), 2_000))}</h1>
<p>This page needs scripts to show the issues. You find the same results in the ${link(report.run.url, 'summary of the run')}, and in the file <code>report.json</code>, which was written together with this page.</p></noscript>
<div id="app"></div><div id="paper"></div>
`;
  return `${shell}<script type="application/json" id="report">${pageData(report)}</script>
<script>${SCRIPT}</script>
${embedded}</body></html>
`;
}

/** The report or, if that is too large, its most severe issues, with shorter lists and texts. */
function pageData(report: Report): string {
  let data = scriptData(report);
  for (let most = MAX_ITEMS; most > 0 && Buffer.byteLength(data) > MAX_DATA_BYTES; most = Math.floor(most * 0.75))
    data = scriptData(worstOf(report, most), most);
  return data;
}

/** The report as JSON, with at most `most` items in a list and `most` characters in a text. */
function scriptData(report: Report, most = Number.POSITIVE_INFINITY): string {
  const shorten = (_: string, value: unknown): unknown => {
    if (typeof value === 'string') return truncate(value, most);
    return Array.isArray(value) ? value.slice(0, most) : value;
  };
  // A text that contains `<` could close the script element around the JSON.
  return JSON.stringify(report, shorten).replaceAll('<', '\\u003c');
}

/** Keeps the first `most` contents and the `most` worst issues. A notice counts the files and issues left out. */
function worstOf(report: Report, most: number): Report {
  const all = listIssues(report);
  const kept = new Set(all.slice(0, most).map(({ issue }) => issue));
  const contents = report.contents
    .slice(0, most)
    .map((content) => ({ ...content, issues: content.issues.filter((issue) => kept.has(issue)) }));
  const issues = plural(all.length - contents.flatMap((content) => content.issues).length, 'issue');
  const files = plural(countFiles(report.contents.slice(most)), 'file');
  const notice = `This page leaves out ${issues} and ${files}, the least severe, and cuts long texts; report.json has all.`;
  return { ...report, contents, notices: [notice, ...report.notices] };
}

/**
 * Types that every current browser can show. PDF is left out: browsers show a PDF only in a frame that is not
 * sandboxed, and there the scripts in the PDF would run.
 */
const SHOWABLE = [
  /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/,
  /^video\/(?:mp4|webm|ogg)$/,
  /^audio\/(?:mpeg|mp4|wav|ogg|flac|aac|webm)$/,
];

/** As Base64, 30 MB of media are 40 MB of text, and a browser opens a page of this size without a delay. */
const MAX_MEDIA_BYTES = 30_000_000;

/** Selects the contents to embed in report.html, in the given order. Skips those larger than the rest of `budget`. */
export function mediaToEmbed(
  contents: readonly ReportedContent[],
  budget: number = MAX_MEDIA_BYTES,
): readonly ReportedContent[] {
  let left = budget;
  return contents.filter(({ issues, outcome, source, mime, size }) => {
    // A preview helps with files that have issues, and with files that the service could not analyse.
    const isBroken = outcome === 'failed' || (outcome === 'unjudged' && source === 'sent');
    const isEmbedded = (isBroken || issues.length > 0) && SHOWABLE.some((types) => types.test(mime)) && size <= left;
    if (isEmbedded) left -= size;
    return isEmbedded;
  });
}
