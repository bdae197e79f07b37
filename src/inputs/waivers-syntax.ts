import type * as Yaml from 'yaml';

/** A mistake in the syntax of the file, in plain language. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly fix: string;
}

interface Parsed {
  readonly text: string;
  readonly document: Yaml.Document.Parsed;
  readonly lines: Yaml.LineCounter;
  readonly yaml: typeof Yaml;
}

const IN_QUOTES = 'Put the whole value in quotation marks.';

/** What a person has to change, and where. */
export function describeSyntaxError(error: Yaml.YAMLParseError, parsed: Parsed): SyntaxProblem {
  const { text, lines } = parsed;
  const { line, col: column } = lines.linePos(error.pos[0]);
  const all = text.split('\n');
  const shown = all[line - 1] ?? '';
  const at = (what: string, fix: string): SyntaxProblem => ({ line, column, what, fix });

  const tab = all.slice(0, line + 1).findIndex((each) => /^[ -]*\t/.test(each));
  if (tab !== -1) return { line: tab + 1, column: 1, what: 'the line is indented with a tab', fix: 'Use spaces.' };

  switch (error.code) {
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return describeMissing(error, parsed) ?? { line, column, ...describeIndent(shown) };
    case 'BLOCK_AS_IMPLICIT_KEY':
      if (/:\s/.test(shown.slice(column - 1))) return at(`${valueIn(shown)} contains a colon and a space`, IN_QUOTES);
      return { line: line + 1, column: 1, what: 'the line is not indented like the line before it', fix: ALIGN };
    case 'MULTILINE_IMPLICIT_KEY':
      return at('there is no colon and space between key and value', 'Write the line like `rule: AD-17`.');
    case 'BAD_SCALAR_START':
      return at(`${valueIn(shown)} begins with ${describeMark(shown[column - 1] ?? '')}`, IN_QUOTES);
    case 'BAD_DQ_ESCAPE':
      return at(`${valueIn(shown)} has a backslash in double quotation marks`, 'Use single quotation marks.');
    case 'MULTIPLE_DOCS':
      return at('this line begins a second document', 'Delete the line.');
    case 'UNEXPECTED_TOKEN':
      return describeRest(shown, { line, column });
    default:
      return at('this is not valid YAML', 'Correct this line.');
  }
}

/** The mark that is never closed is reported, not the end of the file. */
function describeMissing(
  { pos: [end], message }: Yaml.YAMLParseError,
  { text, document, lines, yaml }: Parsed,
): SyntaxProblem | undefined {
  const isQuote = message.includes('quote');
  if (!isQuote && !/end with/.test(message)) return undefined;
  let start = end;
  yaml.visit(document, {
    Node: (_, node) => {
      const from = node.range?.[0] ?? 0;
      const isOpened = (isQuote ? /["']/ : /[[{]/).test(text[from] ?? '');
      if (isOpened && from <= end) start = from;
    },
  });
  const { line, col: column } = lines.linePos(start);
  const mark = text[start] ?? '';
  if (isQuote) return { line, column, what: 'this quotation mark is not closed', fix: 'Close it on the same line.' };
  return { line, column, what: `${valueIn(text.split('\n')[line - 1] ?? '')} begins with \`${mark}\``, fix: IN_QUOTES };
}

function describeMark(mark: string): string {
  return mark === '`' ? 'a backtick' : `\`${mark}\``;
}

/** "the value of `reason`" */
function valueIn(shown: string): string {
  const [, key] = /^\s*(?:- +)?([\w-]{1,40}):/.exec(shown) ?? [];
  return key === undefined ? 'the value' : `the value of \`${key}\``;
}

const ALIGN = 'Indent all keys of an entry alike.';

function describeIndent(shown: string): Pick<SyntaxProblem, 'what' | 'fix'> {
  return shown.startsWith(' ')
    ? { what: 'the line is indented less than the other keys of its entry', fix: ALIGN }
    : { what: 'the line belongs to no entry', fix: 'Begin each entry with `- `.' };
}

const AFTER_QUOTE = 'text follows the closing quotation mark';

/** Text after a value that has ended already. */
function describeRest(shown: string, { line, column }: Pick<SyntaxProblem, 'line' | 'column'>): SyntaxProblem {
  const [, before = '', first = ''] = /^(\s*(?:- +)?[^:]*:\s+)(.)/.exec(shown) ?? [];
  const atValue = { line, column: before.length + 1 };
  switch (first) {
    case "'":
      return { line, column, what: AFTER_QUOTE, fix: "Write '' for an apostrophe in the value." };
    case '"':
      return { line, column, what: AFTER_QUOTE, fix: IN_QUOTES };
    case '{':
    case '[':
      return { ...atValue, what: `${valueIn(shown)} begins with \`${first}\``, fix: IN_QUOTES };
    case '|':
    case '>':
      return {
        ...atValue,
        what: `${valueIn(shown)} begins with \`${first}\``,
        fix: 'Begin the text on the next line.',
      };
    default:
      if (column === 1) return { line, column, ...describeIndent(shown) };
      return { line, column, what: 'this text is not expected here', fix: 'Correct this line.' };
  }
}
