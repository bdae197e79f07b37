import * as v from 'valibot';
import type { Node } from 'yaml';
import { type Cause, FILE, forOwner, GateError } from '../lib/cause.ts';
import { PatternError, parsePattern } from '../media/patterns.ts';

/** One entry of the waivers file: accepts the issues of one rule at some paths. */
export interface Waiver extends v.InferOutput<typeof Entry> {
  /** The line of the entry in the file, from 1. */
  readonly line: number;
}

/** "AD-17 for media/*.mp4 (line 7, owner legal@example.com, until 2027-01-31)" */
export function formatWaiver({ rule, path, owner, line, expires }: Waiver): string {
  return `${rule} for ${path.text} (line ${line}, owner ${owner}, until ${expires})`;
}

/** Limits how many problems are reported: a longer list would hide the first ones. */
const MAX_PROBLEMS = 20;

// Each message is written after the name of the key: "`owner` is empty".
const Text = v.pipe(v.string('is not one text'), v.trim(), v.nonEmpty('is empty'));
const Entry = v.strictObject(
  {
    rule: Text,
    /** A path, or a pattern with the syntax of the input `files`. */
    path: v.pipe(
      Text,
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
        try {
          const pattern = parsePattern(value, { windows: false });
          if (!pattern.isExclusion) return pattern;
          addIssue({ message: 'begins with `!`' });
        } catch (error) {
          if (!(error instanceof PatternError)) throw error;
          addIssue({ message: `is ${JSON.stringify(value)}, ${error.message}` });
        }
        return NEVER;
      }),
    ),
    owner: Text,
    reason: Text,
    /** The last day on which the waiver is valid, in UTC. */
    expires: v.pipe(
      Text,
      v.check(isDate, ({ input }) => `is ${JSON.stringify(input)}, not a date such as 2027-01-31`),
    ),
  },
  'is not a known key',
);

/** False for a day that does not exist, such as 2027-02-30. */
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(Date.parse(text) || 0).toISOString().startsWith(text);
}

/** Parses a waivers file. Throws a `GateError` with the first problem of each entry and its line. */
export async function parseWaivers(text: string, file: string): Promise<readonly Waiver[]> {
  // Most runs have no waivers, so the YAML parser is loaded only when it is needed.
  const { LineCounter, parseDocument, isMap, isScalar, isSeq } = await import('yaml');
  const lineCounter = new LineCounter();
  // The schema `failsafe` keeps every value as text. With `uniqueKeys`, the parser would compare each key with all
  // others, which is slow for many keys, so the loop below looks for equal keys.
  const options = { lineCounter, schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const;
  const { contents, errors } = parseDocument(text.replace(/^\ufeff/, ''), options);
  const lineAt = (offset = 0): number => lineCounter.linePos(offset).line;

  const [error] = errors;
  if (error) throw new GateError(problem(file, lineAt(error.pos[0]), `this is not valid YAML: ${error.message}`));
  // The file is empty or has only comments.
  if (contents === null || (isScalar(contents) && contents.value === '')) return [];
  if (!isSeq<Node>(contents)) throw new GateError(problem(file, lineAt(contents.range?.[0]), 'the file is not a list'));

  const waivers: Waiver[] = [];
  const problems: Cause[] = [];
  for (const item of contents.items) {
    const line = lineAt(item.range?.[0]);
    const pairs = (isMap<Node, Node | null>(item) ? item.items : []).map(({ key, value }) => ({
      name: isScalar(key) ? String(key.value) : '',
      line: lineAt(key.range?.[0]),
      value: isScalar(value) ? value.value : null,
    }));
    const lines = new Map(pairs.map((pair) => [pair.name, pair.line]));
    if (lines.size < pairs.length) problems.push(problem(file, line, 'the entry has a key twice'));
    const values = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
    const { success, output, issues } = v.safeParse(Entry, values, { abortEarly: true });
    if (success) {
      waivers.push({ ...output, line });
      continue;
    }
    const name = v.getDotPath(issues[0]) ?? '';
    const what = lines.has(name) ? issues[0].message : 'is missing';
    problems.push(problem(file, lines.get(name) ?? line, `\`${name}\` ${what}`));
  }
  if (problems.length > 0) throw new GateError(problems.slice(0, MAX_PROBLEMS));
  return waivers;
}

function problem(file: string, line: number, what: string): Cause {
  const keys = Object.keys(Entry.entries).map((key) => `\`${key}\``);
  const fix = `Correct line ${line} of ${FILE}, commit and push. The file is a list: each entry begins with \`- \` and has one text for each of ${keys.join(', ')}.`;
  return { ...forOwner('bad-input', `Line ${line}: ${what}.`, fix), path: file, line };
}
