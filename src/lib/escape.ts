// Escapes text from outside (file names, service messages, waivers) for each target. The rules of one file format are
// with its renderer: `sarif.ts`, `cleared.ts`, `page.ts`.

/** Control, line separator, bidi and tag characters, which can make a text look like a different text. */
const DECEPTIVE = /(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function asEscape(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Returns one line, in which every character that could hide or reorder text is written as an escape. */
function visible(text: string): string {
  return text.toWellFormed().replace(DECEPTIVE, asEscape);
}

/** Does the same as `visible`, but keeps line ends and tabs, for targets that allow several lines. */
export function visibleLines(text: string): string {
  return splitLines(text)
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n');
}

function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/**
 * Returns one line for the log. The runner trims a line before it looks for a command at the start of the line. It
 * accepts the old form of a command (two hashes and a bracket) anywhere in the line.
 */
export function logLine(text: string): string {
  return visible(text)
    .replace(/^(\s*):/u, '$1\\u{3a}')
    .replaceAll('##[', '#\\u{23}[');
}

/**
 * In Markdown and in HTML blocks, a numeric entity is shown as its character but never read as syntax. GitHub looks for
 * mentions, issue references, addresses and emoji names after it has decoded entities, so an invisible word joiner,
 * which allows no line break, splits these. Other text gets no word joiner, because people copy the text.
 */
const BREAK = '&#8288;';
const MARKDOWN_SYNTAX = /[&<>"`*_[\]|~\\^$#@]|:(?=\/\/|[\w+-]+(?::|$))|(?<=www)\.|(?<=GH)-(?=\d)/giu;
/** The start of a list, a heading underline or a rule. Markdown recognises these only at the start of a block. */
const BLOCK_START = /^(?:[-+=]|\d+[.)])/u;

function entityOf(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function markdownEntity(character: string): string {
  const entity = entityOf(character);
  if ('@#:'.includes(character)) return entity + BREAK;
  return '.-'.includes(character) ? BREAK + entity : entity;
}

/** Escapes a text as one line of Markdown, for a paragraph, list item, table cell or HTML element such as summary. */
export function markdown(text: string): string {
  const line = splitLines(text.replaceAll('\t', ' ')).join(' ');
  return visible(line)
    .trim()
    .replace(MARKDOWN_SYNTAX, markdownEntity)
    .replace(BLOCK_START, (start) => start.slice(0, -1) + entityOf(start.slice(-1)));
}

/**
 * Escapes a sentence of ours, which may quote outside text and mark names with backticks. Everything else is escaped,
 * so backticks in outside text can only produce code formatting.
 */
export function prose(text: string): string {
  // GitHub links no mentions in code, and people copy names from code, so code needs no word joiners. But GitHub links
  // addresses even in code, and takes a name such as `logo@2x.png` for one.
  return markdown(text).replace(/&#96;((?:(?!&#96;).)+)&#96;/gu, (_, code: string) => {
    const isAddress = /[\w.+-]&#64;|\/\/|www/i.test(code);
    return `<code>${isAddress ? code : code.replaceAll(BREAK, '')}</code>`;
  });
}

/** Does the same as `markdown`, but keeps line ends and paragraphs. */
export function markdownLines(text: string): string {
  return splitLines(text)
    .map(markdown)
    .join('<br>')
    .replace(/(?:<br>){3,}/g, '<br><br>');
}

/** Escapes a text or a quoted attribute value for HTML. */
export function html(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, entityOf);
}

/** Quotes a text for YAML, on one line. YAML accepts JSON's quotes, and has an escape for every deceptive character. */
export function yaml(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    DECEPTIVE,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}

const MAX_URL_LENGTH = 2_048;

/**
 * Returns an address that is safe to link, or undefined. It must be http or https, and have no user name, which could
 * disguise the host. The result cannot end a table cell or an attribute, but still has to be escaped with `html`.
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

/**
 * A spreadsheet runs a cell that begins with one of these characters, in any width, as a formula. If it separates cells
 * by `;` or tabs, as in many countries, quotes after a comma do not count: a cell also begins after these or a line end.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n])[\s"',;|]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r])/g;

export function csvCell(text = ''): string {
  const harmless = text.replace(FORMULA, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
