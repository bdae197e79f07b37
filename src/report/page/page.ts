import { createHash } from 'node:crypto';
import { html } from '../../lib/escape.ts';
import { truncate } from '../../lib/format.ts';
import { isJudged } from '../../service/analysis.ts';
import { link, title } from '../phrases.ts';
import type { Report, ReportedContent } from '../report.ts';
import { SCRIPT, STYLE } from './generated.ts';

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
 * Renders report.html: the report as data, media, and an app that shows them. Media are in scripts of type text/plain,
 * which a browser neither runs nor shows. The app comes last, so that it finds them all.
 *
 * @param media the bytes of files as `data:` addresses, by the SHA-256 of the content
 */
export function renderPage(report: Report, media: ReadonlyMap<string, string> = new Map()): string {
  const embedded = Array.from(
    media,
    ([sha256, data]) => `<script type="text/plain" id="media-${sha256}">${data}</script>`,
  ).join('\n');
  const name = html(truncate(title(report), 500));
  // A text that contains `<` could close the script element around the JSON.
  const data = JSON.stringify(report).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${name}</title><style>${STYLE}</style></head><body>
<div id="app"><h1>${name}</h1></div>
<noscript><p>This page needs scripts to show the issues. You find the same results in the ${link(report.run.url, 'summary of the run')}, and in the file <code>report.json</code>, which was written together with this page.</p></noscript>
<script type="application/json" id="report">${data}</script>
${embedded}
<script>${SCRIPT}</script></body></html>
`;
}

/** As Base64, 30 MB of media are 40 MB of text, and a browser opens a page of this size without a delay. */
const MAX_MEDIA_BYTES = 30_000_000;

/**
 * Selects the contents to embed in report.html, in the given order: those that have issues or could not be analysed. Skips
 * those for which too little space is left. No document is embedded: browsers would run the scripts in a PDF.
 */
export function mediaToEmbed(contents: readonly ReportedContent[]): readonly ReportedContent[] {
  let left = MAX_MEDIA_BYTES;
  return contents.filter((content) => {
    const { issues, source, mime, size } = content;
    const isOfInterest = issues.length > 0 || (!isJudged(content) && source !== 'not sent');
    const isEmbedded = isOfInterest && /^(?:image|video|audio)\//.test(mime) && size <= left;
    if (isEmbedded) left -= size;
    return isEmbedded;
  });
}
