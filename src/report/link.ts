import { html, safeHref } from '../lib/escape.ts';
import type { Report } from './report.ts';

/** A link in HTML, on a page or in Markdown; the text alone where the address is none that may be followed. */
export function link(url: string | undefined, inner: string): string {
  const href = url === undefined ? undefined : safeHref(url);
  return href === undefined ? inner : `<a href="${html(href)}">${inner}</a>`;
}

/** Where what happened is explained at length; empty where nothing did, or where the action's own pages are not known. */
export function moreAbout({ reason, docs }: Pick<Report, 'reason' | 'docs'>): string {
  if (reason === '' || docs === undefined) return '';
  return `More about <code>${reason}</code>: ${link(`${docs}/troubleshooting.md#${reason}`, 'troubleshooting')}.`;
}
