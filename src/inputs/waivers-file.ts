import * as v from 'valibot';
import { type Cause, GateError } from '../lib/cause.ts';
import { type FilePattern, PatternError, parsePattern } from '../media/patterns.ts';
import { listed, nearest, quoted as shown } from './reader.ts';
import { type Flaw, quoted, type RawEntry, type RawValue, readList } from './waivers-yaml.ts';

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

const NEEDS = `Each entry needs ${KEYS.slice(0, -1).map(quoted).join(', ')} and \`${KEYS.at(-1)}\` (a date such as 2027-01-31), none of them empty.`;

/** Of all patterns together: a limit on the work that braces can cause. */
const MAX_ALTERNATIVES = 10_000;
const MAX_PROBLEMS = 20;

/** Reads a waivers file. All its problems are reported at once, one for each entry, with their positions. */
export async function parseWaivers(text: string, file: string): Promise<readonly Waiver[]> {
  if (Buffer.byteLength(text) > MAX_WAIVERS_FILE_BYTES) throw new GateError(tooLarge(file));
  const waivers: Waiver[] = [];
  const problems: Cause[] = [];
  let alternatives = 0;
  for await (const item of readList(text)) {
    if (problems.length === MAX_PROBLEMS) {
      problems.push(unread(file, item.line));
      break;
    }
    const read = 'what' in item ? [item] : readEntry(item);
    if (Array.isArray(read)) {
      problems.push(problem(file, read));
      continue;
    }
    waivers.push(read);
    alternatives += read.path.alternatives.length;
    if (alternatives > MAX_ALTERNATIVES) {
      problems.push(
        problem(file, [{ line: read.line, what: 'up to here, the braces in the paths stand for too many patterns' }]),
      );
      break;
    }
  }
  if (problems.length > 0) throw new GateError(problems);
  return waivers;
}

/** The waiver, or everything that is wrong with it. */
function readEntry({ line, values, flaws: found }: RawEntry): Waiver | Flaw[] {
  const unknown = [...values.keys()].filter((key) => !KEYS.includes(key)).slice(0, MAX_PROBLEMS);
  const meant = new Set(unknown.map((key) => nearest(key, KEYS)));
  const missing = KEYS.filter((key) => !values.has(key) && !meant.has(key));
  const parsed = v.safeParse(Entry, Object.fromEntries([...values].map(([key, { text }]) => [key, text])));
  const path = readPath(values.get('path')?.text ?? '');
  const invalid = new Set((parsed.issues ?? []).map((issue) => v.getDotPath(issue) ?? ''));
  const reported = new Set(found.map((flaw) => flaw.line));
  const problemOf = (key: string, { line: at, text, problem }: RawValue): string | undefined => {
    if (reported.has(at)) return undefined;
    if (unknown.includes(key)) return describeUnknown(key);
    if (problem !== undefined) return `${quoted(key)} ${problem}`;
    if (invalid.has(key)) return describeInvalid(key, text);
    return key === 'path' && typeof path === 'string' ? path : undefined;
  };
  const flaws = [
    ...(missing.length > 0 ? [{ line, what: describeMissing(missing) }] : []),
    ...[...values].flatMap(([key, value]) => {
      const what = problemOf(key, value);
      return what === undefined ? [] : [{ line: value.line, what }];
    }),
    ...found,
  ];
  if (parsed.success && typeof path !== 'string' && flaws.length === 0) return { ...parsed.output, path, line };
  return flaws.toSorted((a, b) => a.line - b.line);
}

function describeMissing(keys: readonly string[]): string {
  return `${listed(keys, 'and')} ${keys.length === 1 ? 'is' : 'are'} missing`;
}

function describeUnknown(key: string): string {
  if (key === '') return 'there is a value without a key';
  const meant = nearest(key, KEYS);
  return `${quoted(key)} is not a known key${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`;
}

function describeInvalid(key: string, text: string): string {
  if (text.trim() === '') return `${quoted(key)} is empty`;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text.trim());
  return `${quoted(key)} is ${shown(text)}, ${isDate ? 'a day that does not exist' : 'which is not a date such as 2027-01-31'}`;
}

/** The pattern, or what is wrong with it. */
function readPath(text: string): FilePattern | string {
  try {
    const pattern = parsePattern(text, { searchRoot: '', windows: false });
    return pattern.exclude ? '`path` begins with `!`: a waiver cannot exclude files' : pattern;
  } catch (error) {
    if (error instanceof PatternError) return `\`path\` is ${JSON.stringify(text)}, ${error.message}`;
    throw error;
  }
}

/** One cause for all problems of an entry. */
function problem(file: string, flaws: readonly Flaw[]): Cause {
  const message = flaws.map((flaw, index) => describeFlaw(flaw, index === 0)).join(' ');
  const fix = flaws.every(({ column }) => column !== undefined) ? 'Correct this line.' : NEEDS;
  return { reason: 'bad-input', path: file, line: flaws[0]?.line ?? 1, message, fix };
}

function describeFlaw({ line, column, what }: Flaw, isFirst: boolean): string {
  const place = `Line ${line}${isFirst ? ' of the waivers file' : ''}${column === undefined ? '' : `, column ${column}`}`;
  return `${place}: ${what}${what.endsWith('?') ? '' : '.'}`;
}

function unread(file: string, line: number): Cause {
  return {
    reason: 'bad-input',
    path: file,
    line,
    message: `The waivers file was not read from line ${line} on, because ${MAX_PROBLEMS} entries before it are wrong.`,
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
