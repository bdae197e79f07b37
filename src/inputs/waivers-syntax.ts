import type * as Yaml from 'yaml';

/** A mistake in the syntax of the file, without the words of a parser. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly what: string;
}

interface Parsed {
  readonly text: string;
  readonly document: Yaml.Document.Parsed;
  readonly lines: Yaml.LineCounter;
  readonly yaml: typeof Yaml;
}

const IN_QUOTES = 'put the whole value in quotation marks';

/** What a person has to change, and where. */
export function describeSyntaxError(error: Yaml.YAMLParseError, parsed: Parsed): SyntaxProblem {
  const { text, lines } = parsed;
  const { line, col: column } = lines.linePos(error.pos[0]);
  const all = text.split('\n');
  const shown = all[line - 1] ?? '';
  const at = (what: string): SyntaxProblem => ({ line, column, what });

  const tab = all.slice(0, line + 1).findIndex((each) => /^[ -]*\t/.test(each));
  if (tab !== -1) return { line: tab + 1, column: 1, what: 'the line is indented with a tab: use spaces' };

  switch (error.code) {
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return describeMissing(error, parsed) ?? at(describeIndent(shown));
    case 'BLOCK_AS_IMPLICIT_KEY':
      if (/:\s/.test(shown.slice(column - 1))) return at(`the value contains a colon and a space: ${IN_QUOTES}`);
      return { line: line + 1, column: 1, what: 'the line is not indented like the line before it' };
    case 'MULTILINE_IMPLICIT_KEY':
      return at('there must be a colon and a space between key and value, as in `rule: AD-17`');
    case 'BAD_SCALAR_START':
      return at(`a value cannot begin with ${describeMark(shown[column - 1] ?? '')}: ${IN_QUOTES}`);
    case 'BAD_DQ_ESCAPE':
      return at('a backslash is not allowed in double quotation marks: use single ones');
    case 'MULTIPLE_DOCS':
      return at('this line begins a second document: remove it');
    case 'UNEXPECTED_TOKEN':
      return describeRest(shown, { line, column });
    default:
      return at('this is not valid YAML');
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
  const what = isQuote ? 'this quotation mark is not closed' : `the value begins with \`${mark}\`: ${IN_QUOTES}`;
  return { line, column, what };
}

function describeMark(mark: string): string {
  return mark === '`' ? 'a backtick' : `\`${mark}\``;
}

function describeIndent(shown: string): string {
  return shown.startsWith(' ')
    ? 'the line is indented less than the other keys of its entry'
    : 'the line belongs to no entry: each entry begins with `- `';
}

/** Text after a value that has ended already. */
function describeRest(shown: string, { line, column }: Pick<SyntaxProblem, 'line' | 'column'>): SyntaxProblem {
  const [, before = '', first = ''] = /^(\s*(?:- +)?[^:]*:\s+)(.)/.exec(shown) ?? [];
  const atValue = { line, column: before.length + 1 };
  switch (first) {
    case "'":
      return { line, column, what: "text follows the closing quotation mark: write '' for an apostrophe in the value" };
    case '"':
      return { line, column, what: `text follows the closing quotation mark: ${IN_QUOTES}` };
    case '{':
    case '[':
      return { ...atValue, what: `the value begins with \`${first}\`: ${IN_QUOTES}` };
    case '|':
    case '>':
      return { ...atValue, what: `the value begins with \`${first}\`: begin the text on the next line` };
    default:
      return { line, column, what: column === 1 ? describeIndent(shown) : 'this text is not expected here' };
  }
}
