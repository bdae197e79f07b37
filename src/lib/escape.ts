/**
 * The one place where text from outside (file names, service messages, waivers) is escaped for a target. No other
 * module may write such text into an output unescaped.
 */

/** Control, line separator, bidi and tag characters: they can make a text look like another one. */
const DECEPTIVE = /(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function asEscape(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** One line, with every character that could hide or reorder text shown as an escape. */
function visible(text: string): string {
  return text.toWellFormed().replace(DECEPTIVE, asEscape);
}

/** Keeps line ends and tabs, for targets that allow several lines. */
export function visibleLines(text: string): string {
  return splitLines(text)
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n');
}

function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/**
 * One line for the log. The runner trims a line before it looks for a command at its start, and takes the old form
 * (two hashes and a bracket) anywhere in it.
 */
export function logLine(text: string): string {
  return visible(text)
    .replace(/^(\s*):/u, '$1\\u{3a}')
    .replaceAll('##[', '#\\u{23}[');
}

/**
 * A numeric entity stands for the character in Markdown and in HTML blocks, and never opens a structure. Mentions, issue
 * references, addresses and emoji names are found after entities are decoded, so an invisible word joiner breaks them up,
 * at which no line ends. It is used only there, because people copy the text.
 */
const BREAK = '&#8288;';
const MARKDOWN_SYNTAX = /[&<>"`*_[\]|~\\^$#@]|:(?=\/\/|[\w+-]+(?::|$))|(?<=www)\.|(?<=GH)-(?=\d)/giu;
/** Lists, heading underlines and rules are recognised only at the start of a block. */
const BLOCK_START = /^(?:[-+=]|\d+[.)])/u;

function entityOf(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function markdownEntity(character: string): string {
  const entity = entityOf(character);
  if ('@#:'.includes(character)) return entity + BREAK;
  return '.-'.includes(character) ? BREAK + entity : entity;
}

/** One line of plain text in Markdown: in a paragraph, a list item, a table cell or an HTML element such as summary. */
export function markdown(text: string): string {
  const line = splitLines(text.replaceAll('\t', ' ')).join(' ');
  return visible(line)
    .trim()
    .replace(MARKDOWN_SYNTAX, markdownEntity)
    .replace(BLOCK_START, (start) => start.slice(0, -1) + `&#${start.codePointAt(start.length - 1)};`);
}

/**
 * A sentence of ours that may quote outside text and mark names with backticks. Everything is escaped, so backticks can
 * only produce code formatting.
 */
export function prose(text: string): string {
  // In code GitHub finds no mention and no address, and a name is copied from there: it needs no word joiner.
  return markdown(text).replace(
    /&#96;((?:(?!&#96;).)+)&#96;/gu,
    (_, code: string) => `<code>${code.replaceAll(BREAK, '')}</code>`,
  );
}

/** Plain text in Markdown that keeps its paragraphs, for the same places. */
export function markdownLines(text: string): string {
  return splitLines(text)
    .map(markdown)
    .join('<br>')
    .replace(/(?:<br>){3,}/g, '<br><br>');
}

/** Text or a quoted attribute value in HTML. */
export function html(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, entityOf);
}

/** Text or a quoted attribute value in XML 1.0, which cannot contain most control characters. */
export function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"'\t\n\r]/g, entityOf);
}

/** A quoted text in YAML, on one line. JSON quotes in the same way; YAML has an escape for every deceptive character. */
export function yaml(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    DECEPTIVE,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}

const MAX_URL_LENGTH = 2_048;

/**
 * An address that may be linked: http or https, without a user name, which could disguise the host. The result cannot
 * end a table cell or an attribute, but still has to be escaped with `html`.
 */
export function safeHref(url: string): string | undefined {
  if (url.length > MAX_URL_LENGTH || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return parsed.href.replace(
    /["'`|\\^{}<>]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
