import { describeCause, describeSteps } from '../../phrases.ts';
import type { ReportedContent } from '../../report.ts';
import { BOXES, type Box, type Boxes, type Entry, type FileEntry, type IssueEntry } from './entries.ts';
import { dividingFolders, foldersWith } from './folders.ts';

/** What entries can be filtered by, in the order of the page. The names stand in its address. */
export const FACETS = {
  severity: 'Severity',
  rule: 'Rule',
  folder: 'Folder',
  topic: 'Topic',
  status: 'Status at the service',
} as const;
export type Facet = keyof typeof FACETS;
export const FACET_NAMES: readonly Facet[] = ['severity', 'rule', 'folder', 'topic', 'status'];

const ISSUE_VALUES: Readonly<Record<Exclude<Facet, 'folder'>, (entry: IssueEntry) => readonly string[]>> = {
  severity: ({ issue }) => [issue.severity],
  rule: ({ issue }) => [issue.ruleCode],
  topic: ({ topics }) => topics,
  status: ({ issue }) => [issue.status],
};

export interface View {
  readonly box: Box;
  readonly query: string;
  /** An entry passes a facet if it has one of these values, or if the facet says nothing about entries of its kind. */
  readonly chosen: Readonly<Partial<Record<Facet, readonly string[]>>>;
  /** The id of the entry that the reader opened. */
  readonly at?: string | undefined;
}

/** Shows another list: the view with these parts changed. */
export type Change = (change: Partial<View>) => void;

export interface Found {
  /** The entries of the box that match, in its order. */
  readonly entries: readonly Entry[];
  /** For each box, how many of its entries match. */
  readonly boxes: ReadonlyMap<Box, number>;
  /** For each value, how many entries of the box choosing it alone in its facet would show. */
  readonly values: ReadonlyMap<Facet, ReadonlyMap<string, number>>;
}

/** The search and the filters over all entries. Texts and folders are prepared once. */
export class Index {
  readonly boxes: Boxes;
  readonly #folders: readonly string[];
  readonly #textOf = remember(textOf);
  readonly #issuesByAsset = remember(({ active, uncounted }: Boxes) =>
    Map.groupBy([...active, ...uncounted], (entry) => (entry.kind === 'issue' ? entry.content : undefined)),
  );
  /** All entries of a content have the same list of paths. */
  readonly #foldersOf = remember((paths: readonly string[]) => foldersWith(this.#folders, paths));

  constructor(boxes: Boxes) {
    this.boxes = boxes;
    this.#folders = dividingFolders(boxes.files.flatMap(({ paths }) => paths));
  }

  issuesOf(content: ReportedContent): readonly Entry[] {
    return this.#issuesByAsset(this.boxes).get(content) ?? [];
  }

  filesAt(paths: readonly string[]): readonly FileEntry[] {
    const wanted = new Set(paths);
    return this.boxes.files.filter((entry) => entry.kind === 'file').filter(({ paths: [path] }) => wanted.has(path));
  }

  find({ box, query, chosen }: View): Found {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const inText = (entry: Entry): boolean => words.every((word) => this.#textOf(entry).includes(word));
    const picked = FACET_NAMES.filter((facet) => chosen[facet]?.length);
    /** @param but a facet whose choice does not count */
    const match = (name: Box, but?: Facet): readonly Entry[] =>
      picked
        .filter((facet) => facet !== but)
        .reduce(
          (left, facet) =>
            left.filter(
              (entry) => this.#valuesOf(entry, facet)?.some((value) => chosen[facet]?.includes(value)) ?? true,
            ),
          words.length === 0 ? this.boxes[name] : this.boxes[name].filter(inText),
        );
    const entries = match(box);
    return {
      entries,
      boxes: new Map(BOXES.map((name) => [name, match(name).length])),
      values: new Map(
        FACET_NAMES.map((facet) => [facet, this.#count(picked.includes(facet) ? match(box, facet) : entries, facet)]),
      ),
    };
  }

  #count(entries: readonly Entry[], facet: Facet): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const entry of entries)
      for (const value of this.#valuesOf(entry, facet) ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }

  /** Undefined if the facet says nothing about entries of this kind. */
  #valuesOf(entry: Entry, facet: Facet): readonly string[] | undefined {
    if (facet === 'folder') return this.#foldersOf(entry.paths);
    return entry.kind === 'issue' ? ISSUE_VALUES[facet](entry) : undefined;
  }
}

function remember<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

function textOf(entry: Entry): string {
  return [...entry.paths, ...wordsOf(entry)].join('\n').toLowerCase();
}

function wordsOf(entry: Entry): readonly string[] {
  if (entry.kind === 'file') return [];
  if (entry.kind === 'problem') return [describeCause(entry), describeSteps(entry.steps)];
  const { ruleCode, referenceNumber, severity, headline = '', summary, reasoning = '', precedents } = entry.issue;
  const cases = precedents.flatMap(({ title, decision }) => [title, decision]);
  return [ruleCode, `#${referenceNumber}`, severity, headline, summary, reasoning, ...cases, ...entry.topics];
}

/** The part of the address after `#` is the only place where a view is kept. */
export function formatView({ box, query, chosen, at }: View, usualBox: Box): string {
  const parameters = new URLSearchParams();
  if (at !== undefined) parameters.set('at', at);
  if (box !== usualBox) parameters.set('box', box);
  if (query.trim() !== '') parameters.set('q', query);
  for (const facet of FACET_NAMES) for (const value of chosen[facet] ?? []) parameters.append(facet, value);
  return parameters.toString();
}

export function readView(hash: string, usualBox: Box): View {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const facets = FACET_NAMES.filter((facet) => parameters.has(facet));
  return {
    box: BOXES.find((box) => box === parameters.get('box')) ?? usualBox,
    query: parameters.get('q') ?? '',
    chosen: Object.fromEntries(facets.map((facet) => [facet, parameters.getAll(facet)])),
    at: parameters.get('at') ?? undefined,
  };
}
