import { html as escapeHtml, safeHref } from '../../lib/escape.ts';

/** A piece of HTML. Only the functions of this file make one, so that every other text is escaped. */
class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type { Html };

/** Nothing is written for `undefined` and `false`; an array is written item by item. */
export type Value = Html | string | number | undefined | false | readonly Value[];

/** Needs no escape, which most texts do not. Only saves time. */
const HARMLESS = /^[ !#-%(-;=?-~]*$/;

/**
 * HTML with values in it. A value that is not `Html` itself is text: it is escaped, in an element and in a quoted
 * attribute alike. An address goes through `link`, which checks its scheme.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  let source = strings[0] ?? '';
  for (const [index, value] of values.entries()) source += sourceOf(value) + (strings[index + 1] ?? '');
  return new Html(source);
}

function sourceOf(value: Value): string {
  if (value instanceof Html) return value.source;
  if (typeof value === 'string') return HARMLESS.test(value) ? value : escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.map(sourceOf).join('');
  return '';
}

/** Our own script, style and encoded media: not text from outside, and much too long to be looked through. */
export function trusted(source: string): Html {
  return new Html(source);
}

export function joinHtml(items: readonly Value[], separator: Value): Html {
  return html`${items.map((item, index) => (index === 0 ? item : [separator, item]))}`;
}

/** Only the inner text if the address may not be followed. */
export function link(url: string | undefined, inner: Value): Html {
  const href = url === undefined ? undefined : safeHref(url);
  return href === undefined ? html`${inner}` : html`<a href="${href}">${inner}</a>`;
}

/** A sentence in which a name may stand in backticks. */
export function prose(text: string): Html {
  // Odd pieces were between backticks; a backtick without a partner stays what it is.
  const pieces = text.split(/`([^`]+)`/u);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}
