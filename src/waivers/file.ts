import * as v from 'valibot';
import type * as Yaml from 'yaml';
import { type Cause, GateError } from '../lib/cause.ts';
import { type FilePattern, PatternError, parsePattern } from '../media/patterns.ts';

/** An accepted issue, with the person who accepted it. */
export interface Waiver extends v.InferOutput<typeof Entry> {
  /** Its position in the file, from 1. */
  readonly line: number;
}

/** "the waiver of AD-17 for campaign/hero.mp4 (line 3, owner legal@example.com)" */
export function describeWaiver({ rule, path, owner, line }: Waiver): string {
  return `the waiver of ${rule} for ${path.text} (line ${line}, owner ${owner})`;
}

/** About two thousand waivers. A limit, because the author of a pull request can send any file. */
export const MAX_WAIVERS_FILE_BYTES = 256 * 1024;
/** More would hide the first ones. */
const MAX_PROBLEMS = 20;

// Each message follows the name of the key.
const Text = v.pipe(v.string('is not one text'), v.trim(), v.nonEmpty('is empty'));
const Entry = v.strictObject(
  {
    rule: Text,
    /** A path, or a pattern as in the input `files`. */
    path: v.pipe(
      Text,
      v.rawTransform(
        ({ dataset, addIssue, NEVER }) => toPattern(dataset.value, (message) => addIssue({ message })) ?? NEVER,
      ),
    ),
    owner: Text,
    reason: Text,
    /** Valid through that day (UTC). */
    expires: v.pipe(
      Text,
      v.isoDate('is not a date such as 2027-01-31'),
      v.check(isRealDate, 'is a day that does not exist'),
    ),
  },
  'is not a known key',
);

/** A waiver cannot exclude files. */
function toPattern(text: string, refuse: (message: string) => void): FilePattern | undefined {
  try {
    const pattern = parsePattern(text.replace(/^\//, ''), { windows: false });
    if (!pattern.exclude) return pattern;
    refuse('begins with `!`');
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    refuse(`is ${JSON.stringify(text)}, ${error.message}`);
  }
  return undefined;
}

function isRealDate(date: string): boolean {
  return !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
}

/** Something wrong with the file. */
interface Flaw {
  readonly line: number;
  /** Without the full stop. */
  readonly what: string;
}

/** Reads a waivers file. All problems of its entries are reported at once, with their lines. */
export async function parseWaivers(text: string, file: string): Promise<readonly Waiver[]> {
  if (Buffer.byteLength(text) > MAX_WAIVERS_FILE_BYTES) throw new GateError(tooLarge(file));
  // Loaded when first needed: most gates have no waivers.
  const yaml = await import('yaml');
  const lineCounter = new yaml.LineCounter();
  // Values stay text. Equal keys are found below, in time that does not grow by their square.
  const options = { lineCounter, schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const;
  const { contents, errors } = yaml.parseDocument(text.replace(/^\ufeff/, ''), options);
  const lineOf = (node: Yaml.Node): number => lineCounter.linePos(node.range?.[0] ?? 0).line;

  const [error] = errors;
  if (error) {
    const what = `this is not valid YAML: ${error.message}`;
    throw new GateError(problem(file, { line: lineCounter.linePos(error.pos[0]).line, what }));
  }
  // Nothing but comments.
  if (contents === null || (yaml.isScalar(contents) && contents.value === '')) return [];
  if (!yaml.isSeq<Yaml.Node>(contents))
    throw new GateError(problem(file, { line: lineOf(contents), what: 'the file is not a list' }));
  const entries = contents.items.map((item) => readEntry(item, { yaml, lineOf }));
  const flaws = entries.flatMap((entry) => ('flaws' in entry ? entry.flaws : []));
  if (flaws.length > 0) throw new GateError(flaws.slice(0, MAX_PROBLEMS).map((flaw) => problem(file, flaw)));
  return entries.flatMap((entry) => ('flaws' in entry ? [] : [entry]));
}

interface Source {
  readonly yaml: typeof Yaml;
  readonly lineOf: (node: Yaml.Node) => number;
}

function readEntry(item: Yaml.Node, { yaml, lineOf }: Source): Waiver | { readonly flaws: readonly Flaw[] } {
  const line = lineOf(item);
  if (!yaml.isMap<Yaml.Node, Yaml.Node | null>(item))
    return { flaws: [{ line, what: 'the entry is not a set of keys and values' }] };
  const lines = new Map<string, number>();
  const flaws: Flaw[] = [];
  const values = item.items.map(({ key, value }): [string, unknown] => {
    const name = yaml.isScalar(key) ? String(key.value) : '';
    if (lines.has(name)) flaws.push({ line: lineOf(key), what: `\`${shorten(name)}\` is there a second time` });
    lines.set(name, lineOf(key));
    // An anchor or a tag is a text that begins with `&` or `!` and lacks its quotation marks.
    const isText = yaml.isScalar(value) && value.anchor === undefined && !value.tag?.startsWith('!');
    return [name, isText ? value.value : undefined];
  });
  const parsed = v.safeParse(Entry, Object.fromEntries(values), { abortPipeEarly: true });
  const missing = Object.keys(Entry.entries).filter((key) => !lines.has(key));
  if (missing.length > 0)
    flaws.push({ line, what: `the entry lacks ${missing.map((key) => `\`${key}\``).join(', ')}` });
  for (const issue of parsed.issues ?? []) {
    const name = v.getDotPath(issue) ?? '';
    const at = lines.get(name);
    if (at !== undefined) flaws.push({ line: at, what: `\`${shorten(name)}\` ${issue.message}` });
  }
  if (parsed.success && flaws.length === 0) return { ...parsed.output, line };
  return { flaws: flaws.toSorted((a, b) => a.line - b.line) };
}

function shorten(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

const KEYS = Object.keys(Entry.entries).map((key) => `\`${key}\``);

function problem(file: string, { line, what }: Flaw): Cause {
  const fix = `Correct this line. The file is a list: each entry begins with \`- \` and has ${KEYS.slice(0, -1).join(', ')} and ${KEYS.at(-1)}, one text each, in quotation marks if it has special characters.`;
  return { reason: 'bad-input', path: file, line, message: `Line ${line}: ${what}.`, fix };
}

export function tooLarge(file: string): Cause {
  const fix = `Keep at most ${MAX_WAIVERS_FILE_BYTES / 1024} KiB: waivers that have expired can go.`;
  return { reason: 'bad-input', path: file, message: 'The waivers file is too large.', fix };
}
