import * as v from 'valibot';
import { type Cause, GateError } from '../lib/cause.ts';
import { type FilePattern, PatternError, parsePattern } from '../media/patterns.ts';
import { listed, nearest, quoted } from './reader.ts';
import { type Flaw, inBackticks, type RawEntry, type RawValue, readList } from './waivers-yaml.ts';

/** An accepted issue, with the person who accepted it. */
export interface Waiver {
  readonly rule: string;
  /** A path, or a pattern as in the input `files`. */
  readonly path: FilePattern;
  readonly owner: string;
  readonly reason: string;
  /** YYYY-MM-DD; valid through that day (UTC). */
  readonly expires: string;
  /** Its position in the file, from 1. */
  readonly line: number;
}

/** "the waiver of AD-17 for campaign/hero.mp4 (line 3, owner legal@example.com)" */
export function describeWaiver({ rule, path, owner, line }: Waiver): string {
  return `the waiver of ${rule} for ${path.text} (line ${line}, owner ${owner})`;
}

/** About two thousand waivers. A limit, because the author of a pull request can send any file. */
export const MAX_WAIVERS_FILE_BYTES = 256 * 1024;

const Text = v.pipe(v.string(), v.trim(), v.minLength(1));
const Entry = v.object({
  rule: Text,
  path: Text,
  owner: Text,
  reason: Text,
  expires: v.pipe(v.string(), v.trim(), v.isoDate(), v.check(isRealDate)),
});
const KEYS = Object.keys(Entry.entries);

const MAX_PROBLEMS = 20;

/** Reads a waivers file. All its problems are reported at once, with their positions. */
export async function parseWaivers(text: string, file: string): Promise<readonly Waiver[]> {
  if (Buffer.byteLength(text) > MAX_WAIVERS_FILE_BYTES) throw new GateError(tooLarge(file));
  const waivers: Waiver[] = [];
  const problems: Cause[] = [];
  for (const item of await readList(text)) {
    if (problems.length >= MAX_PROBLEMS) {
      problems.push(unread(file, item.line));
      break;
    }
    const read = 'what' in item ? [item] : readEntry(item);
    if (Array.isArray(read)) {
      problems.push(...read.map((flaw) => problem(file, flaw)));
      continue;
    }
    waivers.push(read);
  }
  if (problems.length > 0) throw new GateError(problems);
  return waivers;
}

/** The waiver, or everything that is wrong with it. */
function readEntry({ line, values, repeated }: RawEntry): Waiver | Flaw[] {
  const unknown = [...values.keys()].filter((key) => !KEYS.includes(key)).slice(0, MAX_PROBLEMS);
  const meant = new Set(unknown.map((key) => nearest(key, KEYS)));
  const missing = KEYS.filter((key) => !values.has(key) && !meant.has(key));
  const parsed = v.safeParse(Entry, Object.fromEntries([...values].map(([key, { text }]) => [key, text])));
  const path = readPath(values.get('path')?.text ?? '');
  const invalid = new Set((parsed.issues ?? []).map((issue) => v.getDotPath(issue) ?? ''));
  const problemOf = (key: string, { text, problem: wrong }: RawValue): Problem | undefined => {
    if (unknown.includes(key)) return describeUnknown(key);
    if (wrong !== undefined) return { ...wrong, what: `${inBackticks(key)} ${wrong.what}` };
    if (invalid.has(key)) return describeInvalid(key, text);
    return key === 'path' && 'what' in path ? path : undefined;
  };
  const flaws = [
    ...(missing.length > 0 ? [{ line, ...describeMissing(missing) }] : []),
    ...[...values].flatMap(([key, value]) => {
      const wrong = problemOf(key, value);
      return wrong === undefined ? [] : [{ line: value.line, ...wrong }];
    }),
    ...(repeated ? [repeated] : []),
  ];
  if (parsed.success && !('what' in path) && flaws.length === 0) return { ...parsed.output, path, line };
  return flaws.toSorted((a, b) => a.line - b.line);
}

type Problem = Pick<Flaw, 'what' | 'fix'>;

const A_DATE = 'a date such as 2027-01-31';

function describeMissing(keys: readonly string[]): Problem {
  const [what, them] = keys.length === 1 ? ['is missing', 'it'] : ['are missing', 'them'];
  const date = keys.includes('expires') ? ` \`expires\` is ${A_DATE}.` : '';
  return { what: `${listed(keys, 'and')} ${what}`, fix: `Add ${them} to this entry.${date}` };
}

function describeUnknown(key: string): Problem {
  const all = `An entry has ${listed(KEYS, 'and')}.`;
  if (key === '') return { what: 'there is a value without a key', fix: all };
  const meant = nearest(key, KEYS);
  const fix = meant === undefined ? `Delete the line. ${all}` : `Rename it to \`${meant}\`.`;
  return { what: `${inBackticks(key)} is not a known key`, fix };
}

function describeInvalid(key: string, text: string): Problem {
  if (text.trim() === '') return { what: `${inBackticks(key)} is empty`, fix: 'Write its value.' };
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text.trim());
  const what = `${inBackticks(key)} is ${quoted(text)}, ${isDate ? 'a day that does not exist' : 'which is not a date'}`;
  return { what, fix: `Write ${A_DATE}.` };
}

/** The pattern, or what is wrong with it. */
function readPath(text: string): FilePattern | Problem {
  try {
    const pattern = parsePattern(text, { searchRoot: '', windows: false });
    if (!pattern.exclude) return pattern;
    return { what: '`path` begins with `!`', fix: 'Remove the `!`: a waiver cannot exclude files.' };
  } catch (error) {
    if (error instanceof PatternError)
      return { what: `\`path\` is ${JSON.stringify(text)}, ${error.message}`, fix: 'Correct the path.' };
    throw error;
  }
}

function problem(file: string, { line, column, what, fix }: Flaw): Cause {
  const place = `Line ${line}${column === undefined ? '' : `, column ${column}`}`;
  return { reason: 'bad-input', path: file, line, message: `${place}: ${what}.`, fix };
}

function unread(file: string, line: number): Cause {
  return {
    reason: 'bad-input',
    path: file,
    line,
    message: `The waivers file was not read from line ${line} on, because the lines before it have too many mistakes.`,
    fix: 'Correct those first.',
  };
}

export function tooLarge(file: string): Cause {
  const fix = `Keep at most ${MAX_WAIVERS_FILE_BYTES / 1024} KiB: waivers that have expired can go.`;
  return { reason: 'bad-input', path: file, message: 'The waivers file is too large.', fix };
}

function isRealDate(date: string): boolean {
  return !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
}
