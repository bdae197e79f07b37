import type * as Yaml from 'yaml';
import { describeSyntaxError, type SyntaxProblem } from './waivers-syntax.ts';

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
  /** What is wrong with its lines; their values cannot be trusted. */
  readonly flaws: readonly Flaw[];
}

/** An item that could be read, or what is wrong with this part of the file. */
export type RawItem = RawEntry | Flaw;

const REPEATED = {
  what: 'is there a second time',
  fix: 'If a new entry begins here, write `- ` before it. Otherwise delete the line.',
};
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
 * followed, and so is what is nested, so that a small file cannot make much work.
 *
 * A mistake in the syntax hides what comes after it, so such a file is read entry by entry.
 */
export async function* readList(text: string): AsyncGenerator<RawItem> {
  // Loaded when first needed: most gates have no waivers.
  const yaml = await import('yaml');
  const whole = readPart(text, yaml);
  if (Array.isArray(whole)) return yield* whole;
  const conflict = text.split('\n').findIndex((line) => /^[<>]{7} /.test(line));
  if (conflict !== -1) return yield { line: conflict + 1, what: 'there is a merge conflict', fix: 'Resolve it.' };
  const [before = '', ...entries] = text.split(/^(?=-(?:\s|$))/m);
  if (entries.length === 0) return yield whole;
  let skipped = 0;
  for (const part of [before, ...entries]) {
    for (const item of readBroken(part, yaml)) yield moved(item, skipped);
    skipped += part.split('\n').length - 1;
  }
}

/** More mistakes than keys mean that this is no entry. */
const MAX_REPAIRS = 5;

/** Reads an entry with mistakes in its syntax: each wrong line is replaced, so that the others can be read. */
function readBroken(text: string, yaml: typeof Yaml): readonly RawItem[] {
  const found: Flaw[] = [];
  let repaired = text;
  while (found.length < MAX_REPAIRS) {
    const items = readPart(repaired, yaml);
    if (Array.isArray(items)) return found.length === 0 ? items : withFlaws(items, found);
    found.push(items);
    const lines = repaired.split('\n');
    const line = lines[items.line - 1] ?? '';
    const better = line.replace(
      /^\s*(- +)?([\w-]+):?.*$/,
      (_, dash: string | undefined, key: string) => `${dash ?? '  '}${key}: x`,
    );
    if (better === line) break;
    repaired = lines.with(items.line - 1, better).join('\n');
  }
  const [first] = found;
  return first ? [first] : [];
}

function withFlaws(items: readonly RawItem[], found: readonly Flaw[]): readonly RawItem[] {
  const [item] = items;
  return item && 'values' in item && items.length === 1
    ? [{ ...item, flaws: [...found, ...item.flaws] }]
    : found.slice(0, 1);
}

function moved(item: RawItem, skipped: number): RawItem {
  if (skipped === 0) return item;
  if ('what' in item) return { ...item, line: item.line + skipped };
  return {
    line: item.line + skipped,
    values: new Map([...item.values].map(([key, value]) => [key, { ...value, line: value.line + skipped }])),
    flaws: item.flaws.map((flaw) => ({ ...flaw, line: flaw.line + skipped })),
  };
}

/** The items of the list, or the first mistake in its syntax. What follows such a mistake is guesswork. */
function readPart(text: string, yaml: typeof Yaml): RawItem[] | SyntaxProblem {
  const lines = new yaml.LineCounter();
  const document = parse(text, lines, yaml);
  const [error] = document?.errors ?? [];
  if (!document || error?.message.includes('call stack')) return [{ line: 1, ...TOO_DEEP }];
  if (error) return describeSyntaxError(error, { text, document, lines, yaml });
  const list = document.contents;
  // Nothing but comments.
  if (list === null || (yaml.isScalar(list) && list.value === '')) return [];
  if (!yaml.isSeq<Yaml.Node>(list)) return readNoList(list, { yaml, lines });
  return list.items.map((item) => readItem(item, { yaml, lines }));
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
      { line, what: 'the entry does not begin with `- `', fix: `Write \`- \` before ${quoted(name)}. ${IS_LIST}` },
    ];
  }
  const inner = yaml.isSeq<Yaml.Node>(first.value) ? first.value.items : [];
  return [
    {
      line,
      what: `the key ${quoted(name)} is not allowed here`,
      fix: `Delete the line ${quoted(`${name}:`)}. ${IS_LIST}`,
    },
    ...inner.map((item) => readItem(item, source)),
  ];
}

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
    if (values.has(name)) repeated ??= { line: at, ...REPEATED, what: `${quoted(name)} ${REPEATED.what}` };
    const text = yaml.isScalar(value) ? String(value.value) : '';
    values.set(name, { line: at, text, problem: describeValue(value, yaml) });
  }
  return { line, values, flaws: repeated ? [repeated] : [] };
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

export function quoted(name: string): string {
  return `\`${name.length > 40 ? `${name.slice(0, 40)}…` : name}\``;
}
