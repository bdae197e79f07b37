import * as v from 'valibot';
import type { LineCounter, Node } from 'yaml';
import { type Cause, GateError } from '../cause.ts';
import { parsePattern } from '../media/patterns.ts';
import type { Waiver } from './waivers.ts';

const KEYS = ['rule', 'path', 'owner', 'reason', 'expires'] as const;
const Entry = v.strictObject({
  rule: v.pipe(v.string(), v.trim(), v.minLength(1)),
  path: v.pipe(v.string(), v.trim(), v.minLength(1)),
  owner: v.pipe(v.string(), v.trim(), v.minLength(1)),
  reason: v.pipe(v.string(), v.trim(), v.minLength(1)),
  expires: v.pipe(v.string(), v.isoDate(), v.check(isRealDate)),
});

const TAKES = `Each entry has the keys ${KEYS.map((key) => `\`${key}\``).join(', ')}, none of them empty; \`expires\` is a date such as 2027-01-31.`;

/** Reads a waivers file. Everything that is wrong with it is told at once, with the line. */
export async function parseWaivers(text: string, file: string): Promise<readonly Waiver[]> {
  // Loaded when first needed: most gates have no waivers.
  const yaml = await import('yaml');
  const lineCounter = new yaml.LineCounter();
  // Dates stay text, and an alias cannot make a small file huge.
  const document = yaml.parseDocument(text, { lineCounter, schema: 'failsafe', strict: true });
  const problems: Cause[] = document.errors.map((error) =>
    problem(file, lineCounter.linePos(error.pos[0]).line, firstLine(error.message)),
  );
  if (problems.length > 0) throw new GateError(problems);

  const list = document.contents;
  if (list === null) return [];
  if (!yaml.isSeq<Node>(list)) throw new GateError(problem(file, 1, 'it is not a list of waivers'));
  const waivers: Waiver[] = [];
  for (const item of list.items) {
    const line = lineOf(item, lineCounter);
    const waiver = readEntry(yaml.isMap(item) ? item.toJS(document, { maxAliasCount: 0 }) : undefined, line);
    if (typeof waiver === 'string') problems.push(problem(file, line, waiver));
    else waivers.push(waiver);
  }
  if (problems.length > 0) throw new GateError(problems);
  return waivers;
}

/** The waiver, or what is wrong with it. */
function readEntry(entry: unknown, line: number): Waiver | string {
  const parsed = v.safeParse(Entry, entry);
  if (!parsed.success) {
    const key = v.getDotPath(parsed.issues[0]);
    return key === null ? 'the entry is not a set of keys and values' : `\`${key}\` is missing, unknown or not right`;
  }
  const pattern = parsePattern(parsed.output.path, { workspace: '', windows: false });
  if (typeof pattern === 'string') return `\`path\` is ${JSON.stringify(parsed.output.path)}, ${pattern}`;
  if (pattern.exclude) return '`path` begins with `!`, which a waiver cannot';
  return { ...parsed.output, path: pattern, line };
}

function lineOf(item: Node, lines: LineCounter): number {
  return lines.linePos(item.range?.[0] ?? 0).line;
}

function problem(file: string, line: number, what: string): Cause {
  return { reason: 'bad-input', path: file, message: `Line ${line} of the waivers file: ${what}.`, fix: TAKES };
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/ at line .*$/, '');
}

function isRealDate(date: string): boolean {
  return !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
}
