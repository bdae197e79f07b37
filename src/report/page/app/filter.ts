import { novelty } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { type Box, type Boxes, type Entry, pathsOf, perBox, resultOf } from './entries.ts';
import { dividingFolders, foldersWith } from './folders.ts';

/** What entries can be filtered by, in the order of the page. The names stand in its address. */
export const FACETS = {
  severity: 'Severity',
  result: 'Result',
  rule: 'Rule',
  folder: 'Folder',
  topic: 'Topic',
  status: 'Status at the service',
  base: 'Compared with the base branch',
} as const;
export type Facet = keyof typeof FACETS;
export const FACET_NAMES: readonly Facet[] = ['severity', 'result', 'rule', 'folder', 'topic', 'status', 'base'];

export interface View {
  readonly box: Box;
  readonly query: string;
  /** An entry passes a facet if it has one of these values, or if the facet says nothing about entries of its kind. */
  readonly chosen: Readonly<Partial<Record<Facet, readonly string[]>>>;
}

export interface Found {
  /** The entries of the box that match, in its order. */
  readonly entries: readonly Entry[];
  /** For each box, how many of its entries match. */
  readonly boxes: Readonly<Record<Box, number>>;
  /** For each value, how many entries of the box choosing it alone in its facet would show. */
  readonly values: ReadonlyMap<Facet, ReadonlyMap<string, number>>;
}

/** The search and the filters over all entries. Texts and folders are prepared once. */
export class Index {
  readonly boxes: Boxes;
  readonly #mode: Report['mode'];
  readonly #texts = new Map<Entry, string>();
  readonly #folders = new Map<readonly string[], readonly string[]>();
  readonly #allFolders: readonly string[];

  constructor(boxes: Boxes, mode: Report['mode']) {
    this.boxes = boxes;
    this.#mode = mode;
    this.#allFolders = dividingFolders(boxes.files.flatMap(pathsOf));
  }

  find({ box, query, chosen }: View): Found {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).map(wordTest);
    const picked = FACET_NAMES.flatMap((facet) => {
      const values = chosen[facet] ?? [];
      return values.length === 0 ? [] : [{ facet, values: new Set(values) }];
    });
    const inText = (all: readonly Entry[]): readonly Entry[] =>
      words.length === 0 ? all : all.filter((entry) => words.every((test) => test(this.#textOf(entry))));
    /** @param but a facet whose choice does not count */
    const narrow = (all: readonly Entry[], but?: Facet): readonly Entry[] =>
      picked
        .filter(({ facet }) => facet !== but)
        .reduce((left, { facet, values }) => left.filter((entry) => this.#passes(entry, facet, values)), all);
    const matching = perBox((name) => inText(this.boxes[name]));
    const entries = narrow(matching[box]);
    const values = FACET_NAMES.map((facet): [Facet, ReadonlyMap<string, number>] => {
      const isPicked = picked.some((one) => one.facet === facet);
      return [facet, this.count(isPicked ? narrow(matching[box], facet) : entries, facet)];
    });
    return { entries, values: new Map(values), boxes: perBox((name) => narrow(matching[name]).length) };
  }

  /** How many of the entries have each value. */
  count(entries: readonly Entry[], facet: Facet): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const entry of entries)
      for (const value of this.#valuesOf(entry, facet) ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }

  #passes(entry: Entry, facet: Facet, wanted: ReadonlySet<string>): boolean {
    const values = this.#valuesOf(entry, facet);
    return values === undefined || values.some((value) => wanted.has(value));
  }

  /** Undefined if the facet says nothing about entries of this kind. */
  #valuesOf(entry: Entry, facet: Facet): readonly string[] | undefined {
    if (facet === 'folder') return this.#foldersOf(pathsOf(entry));
    if (entry.kind === 'file') return facet === 'result' ? [resultOf(entry.asset, this.#mode)] : undefined;
    if (entry.kind === 'problem' || facet === 'result') return undefined;
    if (facet === 'severity') return [entry.issue.severity];
    if (facet === 'rule') return [entry.issue.ruleCode];
    if (entry.kind === 'fixed') return undefined;
    if (facet === 'status') return [entry.issue.status];
    if (facet === 'topic') return entry.topics;
    const base = novelty(entry.issue);
    return base === '' ? [] : [base];
  }

  /** Of all entries of an asset the list of paths is the same object. */
  #foldersOf(paths: readonly string[]): readonly string[] {
    let folders = this.#folders.get(paths);
    if (!folders) {
      folders = foldersWith(this.#allFolders, paths);
      this.#folders.set(paths, folders);
    }
    return folders;
  }

  #textOf(entry: Entry): string {
    let text = this.#texts.get(entry);
    if (text === undefined) {
      text = textOf(entry);
      this.#texts.set(entry, text);
    }
    return text;
  }
}

function textOf(entry: Entry): string {
  const parts = [...pathsOf(entry)];
  if (entry.kind === 'problem') parts.push(entry.cause.message, entry.cause.fix);
  if (entry.kind === 'issue') parts.push(...entry.topics);
  if (entry.kind === 'issue' || entry.kind === 'fixed') {
    const { ruleCode, referenceNumber, severity, headline = '', summary, reasoning = '', precedents } = entry.issue;
    parts.push(ruleCode, `#${referenceNumber}`, severity, headline, summary, reasoning);
    for (const { title, decision } of precedents) parts.push(title, decision);
  }
  return parts.join('\n').toLowerCase();
}

/** A number such as #1012 is meant as a whole: not #10123. */
function wordTest(word: string): (text: string) => boolean {
  if (!/^#\d+$/.test(word)) return (text) => text.includes(word);
  const whole = new RegExp(`${word}(?!\\d)`);
  return (text) => whole.test(text);
}
