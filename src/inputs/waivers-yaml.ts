import type * as Yaml from 'yaml';

/** Something wrong with the file, and where. */
export interface Flaw {
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

/** One item of the list: its texts by key. */
export interface RawEntry {
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

const TOO_DEEP = 'it is nested too deeply';

/**
 * A list of entries, each of keys and texts: all of YAML that a waivers file takes. Aliases are refused rather than
 * followed, and so is what is nested, so that a small file cannot make much work.
 */
export async function readList(text: string): Promise<readonly (RawEntry | Flaw)[]> {
  // Loaded when first needed: most gates have no waivers.
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = parse(text, lines, yaml);
  if (!document) return [{ line: 1, what: TOO_DEEP }];
  if (document.errors.length > 0) {
    return document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, what: firstLine(message) }));
  }
  const list = document.contents;
  // Nothing but comments.
  if (list === null || (yaml.isScalar(list) && list.value === '')) return [];
  if (!yaml.isSeq<Yaml.Node>(list)) return [{ line: 1, what: 'it is not a list of waivers' }];
  return list.items.flatMap((item) => readItem(item, lines, yaml));
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

function readItem(item: Yaml.Node, lines: Yaml.LineCounter, yaml: typeof Yaml): readonly (RawEntry | Flaw)[] {
  const line = lineOf(item, lines);
  if (!yaml.isMap<Yaml.Node, Yaml.Node | null>(item))
    return [{ line, what: 'the entry is not a set of keys and values' }];
  const values = new Map<string, string>();
  const flaws: Flaw[] = [];
  for (const { key, value } of item.items) {
    const name = yaml.isScalar(key) ? String(key.value) : '';
    if (values.has(name)) flaws.push({ line: lineOf(key, lines), what: `${quoted(name)} is there twice` });
    if (!yaml.isScalar(value)) flaws.push({ line: lineOf(key, lines), what: `${quoted(name)} is not a plain text` });
    values.set(name, yaml.isScalar(value) ? String(value.value) : '');
  }
  return flaws.length > 0 ? flaws : [{ line, values }];
}

function lineOf(item: Yaml.Node, lines: Yaml.LineCounter): number {
  return lines.linePos(item.range?.[0] ?? 0).line;
}

/** The rest shows a piece of the file. */
function firstLine(message: string): string {
  if (message.includes('call stack')) return TOO_DEEP;
  return (message.split('\n')[0] ?? '').replace(/ at line .*$/, '').replace(/\.$/, '');
}

export function quoted(name: string): string {
  return `\`${name.length > 40 ? `${name.slice(0, 40)}…` : name}\``;
}
