import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { Node } from 'yaml';
import { type Cause, FILE, forOwner, GateError } from '../causes/cause.ts';
import type { GitHubApi } from '../github/api.ts';
import { folderIn } from '../github/checkout.ts';
import { GitHubError } from '../github/connect.ts';
import { isBranchEvent, type RunContext } from '../github/context.ts';
import { isSystemError, relativeTo } from '../lib/file-system.ts';
import { waiverMatcher, whyInvalid } from '../media/patterns.ts';

/** One entry of the waivers file: accepts the issues of one rule at some paths. */
export interface Waiver extends v.InferOutput<typeof Entry> {
  /** Whether the path matches a file. */
  readonly matches: (file: string) => boolean;
  /** The line of the entry in the file, from 1. */
  readonly line: number;
}

/** The waivers that count in a run, and those that people may expect to count. */
export interface LoadedWaivers {
  readonly waivers: readonly Waiver[];
  /** Waivers that only the checkout has. They count once they are merged. */
  readonly proposed?: readonly Waiver[];
  /** Why no waiver counts in this run, and what to do about it. */
  readonly whyNoneCounts?: string;
}

/** Enough for about two thousand waivers. The file has a limit because the author of a pull request controls it. */
const MAX_BYTES = 256 * 1024;

interface WaiversPlace
  extends Pick<RunContext, 'baseCommit' | 'commit' | 'event' | 'workspace' | 'searchRoot' | 'checkoutRoot' | 'head'> {
  /** The input `waivers-file`, relative to the search root. */
  readonly file: string;
}

/**
 * In a branch run whose own commit is checked out, and outside GitHub, the waivers in the workspace count. In any other
 * run, those of the base commit count, or of the default branch if there is no base commit: otherwise the author of a
 * pull request could waive every issue. Waivers that only the workspace has are then reported as proposed.
 */
export async function loadWaivers(place: WaiversPlace, api: Pick<GitHubApi, 'textAt'>): Promise<LoadedWaivers> {
  const { event, head, commit } = place;
  const inWorkspace = await readWorkspace(place);
  // Whether the workspace holds only what was pushed to the branch of the run. Outside GitHub, the event is empty.
  const isTrusted = event === '' || (isBranchEvent(event) && head === commit);
  const effective = isTrusted ? inWorkspace : await readBase(place, api);
  if (typeof effective === 'string') return { waivers: [], whyNoneCounts: effective };
  const keys = new Set(effective.map(keyOf));
  return { waivers: effective, proposed: inWorkspace.filter((waiver) => !keys.has(keyOf(waiver))) };
}

/**
 * The waivers of the base, or why none counts. An invalid file on the base branch does not end the run: the pull request
 * may be the one that corrects the file.
 */
async function readBase(place: WaiversPlace, api: Pick<GitHubApi, 'textAt'>): Promise<readonly Waiver[] | string> {
  const { file, baseCommit } = place;
  try {
    const text = await api.textAt(folderIn(place) + file, baseCommit);
    return await parseWaivers(text ?? '', file);
  } catch (error) {
    const where = `the waivers file of the ${baseCommit === undefined ? 'default branch' : 'base commit'}`;
    if (error instanceof GateError)
      return `${where} is wrong. Correct it in a pull request of its own. ${error.causes[0]?.message}`;
    if (!(error instanceof GitHubError)) throw error;
    return `${where} could not be read. ${error.notice}`;
  }
}

/**
 * The waivers in the workspace. The author of a pull request controls the workspace, so the file must be a regular file,
 * and a link must not lead out of the folder.
 */
async function readWorkspace({ file, searchRoot }: WaiversPlace): Promise<readonly Waiver[]> {
  try {
    const real = await realpath(path.join(searchRoot, file));
    const stats = await stat(real);
    const isInside = relativeTo(await realpath(searchRoot), real) !== undefined;
    if (!isInside || !stats.isFile()) throw fileError(file, 'It is not a file in the repository');
    if (stats.size > MAX_BYTES) throw fileError(file, `It is larger than ${MAX_BYTES / 1024} KiB`);
    return await parseWaivers(await readFile(real, 'utf8'), file);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT') return [];
    throw fileError(file, `It cannot be read (${error.message})`);
  }
}

function fileError(file: string, why: string): GateError {
  const message = `Input \`waivers-file\` is ${JSON.stringify(file)}. ${why}.`;
  const fix = 'Set `waivers-file` to the path of a YAML file in the repository, or leave it out.';
  return new GateError(forOwner('bad-input', message, fix));
}

const keyOf = (waiver: Waiver): string => JSON.stringify({ ...waiver, line: 0 });

// Each message is written after the name of the key: "`owner` is empty".
const Text = v.pipe(v.string('is not one text'), v.trim(), v.nonEmpty('is empty'));
const Entry = v.strictObject(
  {
    rule: Text,
    /** A path, or a pattern with the syntax of the input `files`. */
    path: v.pipe(
      Text,
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        const { value } = dataset;
        const problem = value.startsWith('!') ? 'which begins with `!`' : whyInvalid(value);
        if (problem !== undefined) addIssue({ message: `is ${JSON.stringify(value)}, ${problem}` });
      }),
    ),
    owner: Text,
    reason: Text,
    /** The last day on which the waiver is valid, in UTC. */
    expires: v.pipe(
      Text,
      v.isoDate(({ input }) => `is ${JSON.stringify(input)}, not a date such as 2027-01-31`),
    ),
  },
  'is not a known key',
);

/** Parses a waivers file. Throws a `GateError` with the first problem of each entry and the entry's line. */
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
  if (error) throw new GateError(atLine(file, lineAt(error.pos[0]), `this is not valid YAML: ${error.message}`));
  // The file is empty or has only comments.
  if (contents === null || (isScalar(contents) && contents.value === '')) return [];
  if (!isSeq<Node>(contents)) throw new GateError(atLine(file, lineAt(contents.range?.[0]), 'the file is not a list'));

  const waivers: Waiver[] = [];
  const problems: Cause[] = [];
  for (const item of contents.items) {
    const line = lineAt(item.range?.[0]);
    const pairs = (isMap<Node, Node | null>(item) ? item.items : []).map(({ key, value }) => {
      return [isScalar(key) ? String(key.value) : '', isScalar(value) ? value.value : null] as const;
    });
    const values = Object.fromEntries(pairs);
    if (Object.keys(values).length < pairs.length) problems.push(atLine(file, line, 'the entry has a key twice'));
    const { success, output, issues } = v.safeParse(Entry, values, { abortEarly: true });
    if (success) {
      waivers.push({ ...output, matches: waiverMatcher(output.path), line });
      continue;
    }
    const name = v.getDotPath(issues[0]) ?? '';
    const what = Object.hasOwn(values, name) ? issues[0].message : 'is missing';
    problems.push(atLine(file, line, `\`${name}\` ${what}`));
  }
  if (problems.length > 0) throw new GateError(problems);
  return waivers;
}

function atLine(file: string, line: number, what: string): Cause {
  const keys = Object.keys(Entry.entries).map((key) => `\`${key}\``);
  const fix = `Correct ${FILE} from line ${line} on, commit and push. The file is a list: each entry begins with \`- \` and has one text for each of ${keys.join(', ')}.`;
  return { ...forOwner('bad-input', `Line ${line}: ${what}.`, fix), path: file };
}
