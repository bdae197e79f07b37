import { type FilePattern, type Name, nameOf, type Segment } from './patterns.ts';

/** How much of each pattern the path of one folder has used up. */
interface MatchState {
  readonly cursors: readonly Cursor[];
  /** Lines that match everything in this folder. */
  readonly covering: readonly number[];
  /** Positive lines dropped here because a later line excludes the whole folder. */
  readonly overruled: readonly number[];
}

/** The next segment that a line has to match. */
interface Cursor {
  readonly line: number;
  readonly segments: readonly Segment[];
  readonly at: number;
}

/** Left out unless a pattern names them: they are big and hold no media of the team's own. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Decides which paths the lines of the input `files` select. The progress at each folder is kept, because a folder is
 * asked about once for every file in it.
 */
export class PathMatcher {
  readonly #lines: readonly FilePattern[];
  readonly #folders = new Map<string, MatchState>();

  constructor(lines: readonly FilePattern[]) {
    this.#lines = lines;
    const start = new ProgressBuilder();
    for (const [line, { alternatives }] of lines.entries()) {
      for (const segments of alternatives) start.add({ line, segments, at: 0 });
    }
    this.#folders.set('', start.build(lines));
  }

  /** Whether a file with this path is selected; the file need not exist. */
  selects(path: string): boolean {
    return this.isSelectedBy(this.linesMatching(path));
  }

  /** The last line decides. */
  isSelectedBy(matching: readonly number[]): boolean {
    return this.#isPositive(Math.max(-1, ...matching));
  }

  /** The lines that match a file with this path, excluding lines included. */
  linesMatching(path: string): readonly number[] {
    const [folder, rawName] = splitPath(path);
    const { cursors, covering } = this.#progressAt(folder);
    if (cursors.length === 0 && covering.length === 0) return [];
    const name = nameOf(rawName);
    const matching = covering.filter((line) => this.#canEnter(line, name));
    for (const { line, segments, at } of cursors) {
      if (at !== segments.length - 1 || !segments[at]?.matchesFile(name)) continue;
      if (this.#canEnter(line, name)) matching.push(line);
    }
    return matching;
  }

  /** Whether any file under this folder can be selected. */
  canSelectUnder(folder: string): boolean {
    const { cursors, covering } = this.#progressAt(folder);
    return covering.some((line) => this.#isPositive(line)) || cursors.some(({ line }) => this.#isPositive(line));
  }

  /** Whether every line that can select a file under this folder still has to match one of its subfolders. */
  needsSubfolder(folder: string): boolean {
    const { cursors, covering } = this.#progressAt(folder);
    if (covering.some((line) => this.#isPositive(line))) return false;
    return cursors
      .filter(({ line }) => this.#isPositive(line))
      .every(({ segments, at }) => at < segments.length - 1 && !segments[at]?.anyDepth);
  }

  /** Positive lines that may match files under this folder, all of which a later line excludes. */
  linesOverruledAt(folder: string): readonly number[] {
    return this.#progressAt(folder).overruled;
  }

  #progressAt(folder: string): MatchState {
    const known = this.#folders.get(folder);
    if (known) return known;
    const [parent, rawName] = splitPath(folder);
    const from = this.#progressAt(parent);
    const name = nameOf(rawName);
    const next = new ProgressBuilder();
    for (const line of from.covering) if (this.#canEnter(line, name)) next.cover(line);
    for (const cursor of from.cursors) {
      if (!this.#canEnter(cursor.line, name)) continue;
      const segment = cursor.segments[cursor.at];
      if (segment?.anyDepth) next.add(cursor);
      else if (segment?.matches(name)) next.add({ ...cursor, at: cursor.at + 1 });
    }
    const progress = next.build(this.#lines);
    this.#folders.set(folder, progress);
    return progress;
  }

  #canEnter(index: number, { text }: Name): boolean {
    const line = this.#lines[index];
    if (!SKIPPED_FOLDERS.has(text) || line === undefined || line.exclude) return true;
    return line.alternatives.some((segments) => segments.some((segment) => segment.text === text));
  }

  #isPositive(line: number): boolean {
    return this.#lines[line]?.exclude === false;
  }
}

/** Whether the lines select this path; the file need not exist. */
export function selects(lines: readonly FilePattern[], path: string): boolean {
  return new PathMatcher(lines).selects(path);
}

/** The lines that match any of these paths, excluding lines included. */
export function linesSelecting(lines: readonly FilePattern[], paths: readonly string[]): ReadonlySet<number> {
  const matcher = new PathMatcher(lines);
  return new Set(paths.flatMap((path) => matcher.linesMatching(path)));
}

/** `a/b/c` becomes `a/b` and `c`. */
function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}

/** Collects the cursors at one folder, each once. */
class ProgressBuilder {
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
    // `**` also matches no folder at all.
    if (segments[at]?.anyDepth) this.add({ ...cursor, at: at + 1 });
  }

  build(lines: readonly FilePattern[]): MatchState {
    const isPositive = (line: number): boolean => lines[line]?.exclude === false;
    const lastExclude = Math.max(-1, ...[...this.#covering].filter((line) => !isPositive(line)));
    const all = new Set([...this.#covering, ...this.#cursors.map(({ line }) => line)]);
    return {
      // A line that already matches everything here needs no cursor.
      cursors: this.#cursors.filter(({ line }) => line >= lastExclude && !this.#covering.has(line)),
      covering: [...this.#covering].filter((line) => line >= lastExclude),
      overruled: [...all].filter((line) => line < lastExclude && isPositive(line)),
    };
  }
}
