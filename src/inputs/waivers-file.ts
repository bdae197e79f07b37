import * as v from 'valibot';
import { type Cause, GateError } from '../lib/cause.ts';
import { type FilePattern, PatternError, parsePattern } from '../media/patterns.ts';
import { type Flaw, quoted, type RawEntry, readList } from './waivers-yaml.ts';

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

const TAKES = `Each entry has the keys ${KEYS.map(quoted).join(', ')}, none of them empty; \`expires\` is a date such as 2027-01-31, and a path that begins with \`*\`, \`{\` or \`[\` stands in quotes.`;

/** Of all patterns together: a limit on the work that braces can cause. */
const MAX_ALTERNATIVES = 10_000;
const MAX_FLAWS = 20;

/** Reads a waivers file. All its problems are reported at once, each with its position. */
export async function parseWaivers(text: string, file: string): Promise<readonly Waiver[]> {
  if (Buffer.byteLength(text) > MAX_WAIVERS_FILE_BYTES) throw new GateError(tooLarge(file));
  const waivers: Waiver[] = [];
  const flaws: Flaw[] = [];
  let alternatives = 0;
  for (const entry of await readList(text)) {
    if (flaws.length >= MAX_FLAWS) break;
    const read = 'what' in entry ? [entry] : readEntry(entry);
    if (Array.isArray(read)) {
      flaws.push(...read);
      continue;
    }
    waivers.push(read);
    alternatives += read.path.alternatives.length;
    if (alternatives > MAX_ALTERNATIVES) {
      flaws.push({ line: read.line, what: 'up to here, the braces in the paths stand for too many patterns' });
      break;
    }
  }
  if (flaws.length > 0) throw new GateError(flaws.slice(0, MAX_FLAWS).map((flaw) => problem(file, flaw)));
  return waivers;
}

/** The waiver, or what is wrong with it. */
function readEntry({ line, values }: RawEntry): Waiver | Flaw[] {
  const unknown = [...values.keys()].filter((key) => !KEYS.includes(key));
  const missing = KEYS.filter((key) => !values.has(key));
  if (unknown.length > 0 || missing.length > 0) {
    return [
      ...unknown.map((key) => ({ line, what: `${quoted(key)} is not a known key` })),
      ...missing.map((key) => ({ line, what: `${quoted(key)} is missing` })),
    ];
  }
  const parsed = v.safeParse(Entry, Object.fromEntries(values));
  if (!parsed.success) {
    const wrong = new Set(parsed.issues.map((issue) => v.getDotPath(issue) ?? ''));
    return [...wrong].map((key) => ({ line, what: `${quoted(key)} is empty or invalid` }));
  }
  const path = readPath(parsed.output.path);
  return typeof path === 'string' ? [{ line, what: path }] : { ...parsed.output, path, line };
}

/** The pattern, or what is wrong with it. */
function readPath(text: string): FilePattern | string {
  try {
    const pattern = parsePattern(text, { workspace: '', windows: false });
    return pattern.exclude ? '`path` begins with `!`, which a waiver cannot' : pattern;
  } catch (error) {
    if (error instanceof PatternError) return `\`path\` is ${JSON.stringify(text)}, ${error.message}`;
    throw error;
  }
}

function problem(file: string, { line, what }: Flaw): Cause {
  return { reason: 'bad-input', path: file, message: `Line ${line} of the waivers file: ${what}.`, fix: TAKES };
}

export function tooLarge(file: string): Cause {
  const fix = `Keep at most ${MAX_WAIVERS_FILE_BYTES / 1024} KiB: waivers that have expired can go.`;
  return { reason: 'bad-input', path: file, message: 'The waivers file is too large.', fix };
}

function isRealDate(date: string): boolean {
  return !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
}
