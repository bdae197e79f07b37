import { html, safeHref } from '../escape.ts';

/** A link in HTML, on a page or in Markdown; the text alone where the address is none that may be followed. */
export function link(url: string | undefined, inner: string): string {
  const href = url === undefined ? undefined : safeHref(url);
  return href === undefined ? inner : `<a href="${html(href)}">${inner}</a>`;
}
