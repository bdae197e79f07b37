import type * as Yaml from 'yaml';

/** Something wrong with the file, and where. */
export interface Flaw {
  /** From 1. */
  readonly line: number;
  /** From 1; undefined if the whole line is meant. */
  readonly column?: number;
  /** Without the full stop. */
  readonly what: string;
  /** One or more sentences. */
  readonly fix: string;
}

/** What is wrong with a value, to be put after its key. */
type ValueProblem = Pick<Flaw, 'what' | 'fix'>;

/** One value of an entry. */
export interface RawValue {
  readonly line: number;
  readonly text: string;
  /** Why it is not a text; undefined if it is one. */
  readonly problem: ValueProblem | undefined;
}

/** One item of the list: its values by key. */
export interface RawEntry {
  readonly line: number;
  readonly values: ReadonlyMap<string, RawValue>;
  /** About the first key that is there a second time. */
  readonly repeated: Flaw | undefined;
}

/** An item that could be read, or what is wrong with this part of the file. */
export type RawItem = RawEntry | Flaw;

const TOO_DEEP = {
  what: 'the file is nested too deeply',
  fix: 'Write a list of entries, each with keys and texts only.',
};

/** The YAML library, and the file that it reads. */
interface Source {
  readonly yaml: typeof Yaml;
  readonly lines: Yaml.LineCounter;
}

/**
 * A list of entries, each of keys and texts: all of YAML that a waivers file takes. Aliases are refused rather than
 * followed, and so is what is nested, so that a small file cannot make much work. A mistake in the syntax is reported alone,
 * because what follows it would be guesswork.
 */
export async function readList(text: string): Promise<readonly RawItem[]> {
  // Loaded when first needed: most gates have no waivers.
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = parse(text, lines, yaml);
  const [error] = document?.errors ?? [];
  if (!document || error?.message.includes('call stack')) return [{ line: 1, ...TOO_DEEP }];
  if (error) return [describeSyntaxError(error, text, lines)];
  const list = document.contents;
  // Nothing but comments.
  if (list === null || (yaml.isScalar(list) && list.value === '')) return [];
  if (!yaml.isSeq<Yaml.Node>(list)) return readNoList(list, { yaml, lines });
  return list.items.map((item) => readItem(item, { yaml, lines }));
}

const IN_QUOTES = 'Put the whole value in quotation marks.';

/** The parser does not distinguish the two. */
const INDENT_OR_MARK: ValueProblem = {
  what: 'the line is not indented like the other keys, or a quotation mark or bracket before it is not closed',
  fix: 'Indent all keys of an entry alike, and close the mark.',
};

/** The usual mistakes, by the parser's code. Its own messages need knowledge of YAML. */
const SYNTAX_PROBLEMS: Readonly<Partial<Record<Yaml.ErrorCode, ValueProblem>>> = {
  BAD_INDENT: INDENT_OR_MARK,
  BLOCK_AS_IMPLICIT_KEY: {
    what: 'a value contains a colon and a space, or the next line is indented more',
    fix: `${IN_QUOTES} Indent all keys of an entry alike.`,
  },
  MISSING_CHAR: INDENT_OR_MARK,
  MULTILINE_IMPLICIT_KEY: {
    what: 'there is no colon and space between key and value',
    fix: 'Write the line like `rule: AD-17`.',
  },
  BAD_SCALAR_START: { what: 'a value begins with a character that YAML reserves', fix: IN_QUOTES },
  BAD_DQ_ESCAPE: { what: 'a backslash is in double quotation marks', fix: 'Use single quotation marks.' },
  MULTIPLE_DOCS: { what: 'this line begins a second document', fix: 'Delete the line.' },
  UNEXPECTED_TOKEN: { what: 'this text is not expected here', fix: `${IN_QUOTES} If it is no value, delete it.` },
};

function describeSyntaxError(error: Yaml.YAMLParseError, text: string, lines: Yaml.LineCounter): Flaw {
  const { line, col: column } = lines.linePos(error.pos[0]);
  const tab = text.split('\n', line + 1).findIndex((each) => /^[ -]*\t/.test(each));
  if (tab !== -1) return { line: tab + 1, column: 1, what: 'the line is indented with a tab', fix: 'Use spaces.' };
  const known = SYNTAX_PROBLEMS[error.code];
  return { line, column, ...(known ?? { what: 'this is not valid YAML', fix: 'Correct this line.' }) };
}

function parse(text: string, lineCounter: Yaml.LineCounter, yaml: typeof Yaml) {
  try {
    // Values stay text. Equal keys are found below, in time that does not grow by their square.
    return yaml.parseDocument(text, { lineCounter, schema: 'failsafe', strict: true, uniqueKeys: false });
  } catch (error) {
    // The parser has used up the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const IS_LIST = 'The file is a list: each entry begins with `- `.';

/** The usual mistakes: a key around the list, whose entries are read as well, and a first entry without its dash. */
function readNoList(contents: Yaml.Node, source: Source): RawItem[] {
  const { yaml, lines } = source;
  const line = lineOf(contents, lines);
  const [first] = yaml.isMap<Yaml.Node, Yaml.Node | null>(contents) ? contents.items : [];
  if (!first) return [{ line, what: 'the file is not a list', fix: 'Begin each entry with `- `.' }];
  const name = nameOf(first.key, yaml);
  if (!yaml.isCollection(first.value)) {
    return [
      { line, what: 'the entry does not begin with `- `', fix: `Write \`- \` before ${inBackticks(name)}. ${IS_LIST}` },
    ];
  }
  const inner = yaml.isSeq<Yaml.Node>(first.value) ? first.value.items : [];
  return [
    {
      line,
      what: `the key ${inBackticks(name)} is not allowed here`,
      fix: `Delete the line ${inBackticks(`${name}:`)}. ${IS_LIST}`,
    },
    ...inner.map((item) => readItem(item, source)),
  ];
}

const NEW_ENTRY = 'If a new entry begins here, write `- ` before it. Otherwise delete the line.';

function readItem(item: Yaml.Node, source: Source): RawItem {
  const { yaml, lines } = source;
  const line = lineOf(item, lines);
  if (!yaml.isMap<Yaml.Node, Yaml.Node | null>(item))
    return { line, what: 'the entry is not a set of keys and values', fix: 'Write lines such as `rule: AD-17`.' };
  const values = new Map<string, RawValue>();
  let repeated: Flaw | undefined;
  for (const { key, value } of item.items) {
    const name = nameOf(key, yaml);
    const at = lineOf(key, lines);
    // An entry without its dash repeats every key of the entry before it, so the first one is enough.
    if (values.has(name))
      repeated ??= { line: at, what: `${inBackticks(name)} is there a second time`, fix: NEW_ENTRY };
    const text = yaml.isScalar(value) ? String(value.value) : '';
    values.set(name, { line: at, text, problem: describeValue(value, yaml) });
  }
  return { line, values, repeated };
}

/** Why a value is not a text; undefined if it is one. */
function describeValue(value: Yaml.Node | null, yaml: typeof Yaml): ValueProblem | undefined {
  if (yaml.isAlias(value)) return startsWith('*');
  if (yaml.isSeq(value))
    return { what: 'is a list or begins with `[`', fix: 'Write one text, in quotation marks if it begins with `[`.' };
  if (!yaml.isScalar(value)) {
    const fix = 'Write one text, in quotation marks if it begins with `{`.';
    return { what: 'is a group of keys or begins with `{`', fix };
  }
  if (value.tag?.startsWith('!')) return startsWith('!');
  return value.anchor === undefined ? undefined : startsWith('&');
}

function startsWith(mark: string): ValueProblem {
  return { what: `begins with \`${mark}\``, fix: 'Put the value in quotation marks.' };
}

function nameOf(key: Yaml.Node, yaml: typeof Yaml): string {
  return yaml.isScalar(key) ? String(key.value) : '';
}

function lineOf(item: Yaml.Node, lines: Yaml.LineCounter): number {
  return lines.linePos(item.range?.[0] ?? 0).line;
}

export function inBackticks(name: string): string {
  return `\`${name.length > 40 ? `${name.slice(0, 40)}…` : name}\``;
}
