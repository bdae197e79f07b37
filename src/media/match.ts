import { type FilePattern, type Name, nameOf, type Segment } from './patterns.ts';

/** How far the patterns have come at one directory. */
export interface Reach {
  readonly cursors: readonly Cursor[];
  /** Lines that match everything from here on. */
  readonly covering: readonly number[];
  /** Lines given up here because a later line excludes all of it: whether they match anything is not known. */
  readonly cut: readonly number[];
}

interface Cursor {
  readonly line: number;
  readonly segments: readonly Segment[];
  readonly at: number;
}

/** Not walked unless a pattern names them: they are big, and what is in them is not the team's own. */
const UNWALKED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The patterns at the workspace itself. */
export function start(lines: readonly FilePattern[]): Reach {
  const reach = new Collector();
  for (const [line, { alternatives }] of lines.entries()) {
    for (const segments of alternatives) reach.add({ line, segments, at: 0 });
  }
  return reach.result(lines);
}

/** The patterns one directory further. */
export function enter(lines: readonly FilePattern[], from: Reach, name: Name): Reach {
  const reach = new Collector();
  for (const line of from.covering) if (mayPass(lines[line], name)) reach.cover(line);
  for (const cursor of from.cursors) {
    if (!mayPass(lines[cursor.line], name)) continue;
    const segment = cursor.segments[cursor.at];
    if (segment?.anyDepth) reach.add(cursor);
    else if (segment?.matches(name)) reach.add({ ...cursor, at: cursor.at + 1 });
  }
  return reach.result(lines);
}

/** Whether any file under this directory can be in the result. */
export function canMatch(lines: readonly FilePattern[], { cursors, covering }: Reach): boolean {
  return covering.some((line) => isPositive(lines, line)) || cursors.some(({ line }) => isPositive(lines, line));
}

/** The lines that match a file of this name in this directory; the last of them decides. */
export function linesMatching(lines: readonly FilePattern[], { cursors, covering }: Reach, name: Name): number[] {
  const matching = covering.filter((line) => mayPass(lines[line], name));
  for (const { line, segments, at } of cursors) {
    if (at !== segments.length - 1 || !segments[at]?.matchesFile(name)) continue;
    if (mayPass(lines[line], name)) matching.push(line);
  }
  return matching;
}

/** Whether the patterns select this path, be there a file or not. */
export function selects(lines: readonly FilePattern[], path: string): boolean {
  const directories = path.split('/');
  const name = nameOf(directories.pop() ?? '');
  const reach = directories.reduce((from, directory) => enter(lines, from, nameOf(directory)), start(lines));
  return isSelected(lines, linesMatching(lines, reach, name));
}

/** The lines that match any of these paths, excluding ones too. Each folder is entered once for all of them: there may be very many. */
export function linesSelecting(lines: readonly FilePattern[], paths: readonly string[]): ReadonlySet<number> {
  const reaches = new Map<string, Reach>([['', start(lines)]]);
  const reachOf = (folder: string): Reach => {
    const known = reaches.get(folder);
    if (known) return known;
    const [parent, name] = splitLast(folder);
    const reach = enter(lines, reachOf(parent), nameOf(name));
    reaches.set(folder, reach);
    return reach;
  };
  return new Set(
    paths.flatMap((path) => {
      const [folder, name] = splitLast(path);
      return linesMatching(lines, reachOf(folder), nameOf(name));
    }),
  );
}

/** "a/b/c" is "c" in "a/b". */
function splitLast(path: string): readonly [string, string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}

/** Later lines win. */
export function isSelected(lines: readonly FilePattern[], matching: readonly number[]): boolean {
  return matching.length > 0 && isPositive(lines, Math.max(...matching));
}

function isPositive(lines: readonly FilePattern[], line: number): boolean {
  return lines[line]?.exclude === false;
}

function mayPass(line: FilePattern | undefined, { text }: Name): boolean {
  if (!UNWALKED.has(text) || line === undefined || line.exclude) return true;
  return line.alternatives.some((segments) => segments.some((segment) => segment.text === text));
}

/** Gathers where the lines stand, each place once. */
class Collector {
  readonly #cursors: Cursor[] = [];
  readonly #covering = new Set<number>();
  readonly #seen = new Map<readonly Segment[], Set<number>>();

  cover(line: number): void {
    this.#covering.add(line);
  }

  add(cursor: Cursor): void {
    const { line, segments, at } = cursor;
    if (at === segments.length) {
      this.cover(line);
      return;
    }
    const places = this.#seen.get(segments) ?? new Set();
    if (places.has(at)) return;
    this.#seen.set(segments, places.add(at));
    this.#cursors.push(cursor);
    // `**` may stand for no directory at all.
    if (segments[at]?.anyDepth) this.add({ ...cursor, at: at + 1 });
  }

  result(lines: readonly FilePattern[]): Reach {
    const excluding = Math.max(-1, ...[...this.#covering].filter((line) => !isPositive(lines, line)));
    const lives = (line: number): boolean => line >= excluding;
    const all = new Set([...this.#covering, ...this.#cursors.map(({ line }) => line)]);
    return {
      // A line that already matches everything here has nothing to gain from its cursors.
      cursors: this.#cursors.filter(({ line }) => lives(line) && !this.#covering.has(line)),
      covering: [...this.#covering].filter(lives),
      cut: [...all].filter((line) => !lives(line) && isPositive(lines, line)),
    };
  }
}
