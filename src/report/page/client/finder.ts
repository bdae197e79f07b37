import { allIssues, findById, sections, showIssues } from './document.ts';
import {
  applyFilters,
  FACETS,
  type FacetName,
  type Filters,
  formatFilters,
  isNarrowed,
  NO_FILTERS,
  readFilters,
} from './filters.ts';

/** Search and filters. The address of the page is the only place where they are kept. */

const number = new Intl.NumberFormat('en');
const plural = (count: number, noun: string): string => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;

const form = document.querySelector<HTMLFormElement>('#filters');
const search = document.querySelector<HTMLInputElement>('#search');
/** The boxes of each group. */
const groups = FACETS.map((name) => ({
  name,
  boxes: [...(form?.querySelectorAll<HTMLInputElement>(`input[name=${name}]`) ?? [])],
}));
const entries = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.index a')].map((link) => [link.hash.slice(1), link]),
);
/** The counts of the whole page, as it was written. */
const initialCounts = new Map([...entries].map(([id, link]) => [id, countOf(link).textContent]));
let isShowingAll = true;

const TYPING_PAUSE_MS = 60;

export function startFinder(): void {
  if (!form || !search) {
    showTarget();
    return;
  }
  form.addEventListener('change', () => choose(readForm(), 'push'));
  form.addEventListener('submit', (event) => event.preventDefault());
  let timer = 0;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => choose(readForm(), 'replace'), TYPING_PAUSE_MS);
  });
  for (const id of ['clear', 'reset']) document.getElementById(id)?.addEventListener('click', clear);
  addEventListener('hashchange', showAddress);
  showAddress();
}

function clear(): void {
  fillForm(NO_FILTERS);
  choose(NO_FILTERS, 'push');
  search?.focus();
}

function chosenIn(wanted: FacetName): ReadonlySet<string> {
  const boxes = groups.find(({ name }) => name === wanted)?.boxes ?? [];
  return new Set(boxes.filter((box) => box.checked).map((box) => box.value));
}

function readForm(): Filters {
  return {
    query: search?.value ?? '',
    chosen: {
      severity: chosenIn('severity'),
      gate: chosenIn('gate'),
      change: chosenIn('change'),
      base: chosenIn('base'),
      status: chosenIn('status'),
      rule: chosenIn('rule'),
    },
  };
}

/** Typing replaces the address, so that going back leaves the search at once. */
function choose(filters: Filters, how: 'push' | 'replace'): void {
  const hash = formatFilters(filters);
  const address = `${location.pathname}${location.search}${hash === '' ? '' : `#${hash}`}`;
  if (how === 'push') history.pushState(undefined, '', address);
  else history.replaceState(undefined, '', address);
  show(filters);
  showFirstResult();
}

/** A reader who has scrolled down would otherwise see the middle or the end of the new list. */
function showFirstResult(): void {
  const first = sections.find((section) => !section.hidden);
  if (first && first.getBoundingClientRect().top < 0) first.scrollIntoView();
}

function showAddress(): void {
  const filters = readFilters(location.hash);
  if (filters) {
    fillForm(filters);
    show(filters);
  } else showTarget();
}

/** The address names an issue or a file: it is shown, whatever was filtered before. */
function showTarget(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : findById(id);
  if (!target) return;
  if (target.hidden || target.closest('[hidden]')) {
    fillForm(NO_FILTERS);
    show(NO_FILTERS);
  }
  target.scrollIntoView();
  if (target.matches('.issue')) target.focus({ preventScroll: true });
}

function fillForm({ query, chosen }: Filters): void {
  if (search) search.value = query;
  for (const { name, boxes } of groups) for (const box of boxes) box.checked = chosen[name].has(box.value);
}

function show(filters: Filters): void {
  const isAll = !isNarrowed(filters);
  // A page that opens without a filter is already as it should be.
  if (isAll && isShowingAll) return;
  isShowingAll = isAll;
  const issues = allIssues();
  const { isMatch, counts } = applyFilters(issues, filters);
  const ids = new Set<string>();
  const perFile = new Map<HTMLElement, number>();
  for (const [index, { id, section }] of issues.entries()) {
    if (isMatch[index] !== true) continue;
    ids.add(id);
    perFile.set(section, (perFile.get(section) ?? 0) + 1);
  }
  showIssues(isAll ? undefined : ids, new Set(perFile.keys()));
  showIndex(perFile, isAll);
  showCounts(counts);
  report(filters, ids.size, perFile.size);
}

function showIndex(perFile: ReadonlyMap<HTMLElement, number>, isAll: boolean): void {
  for (const section of sections) {
    const link = entries.get(section.id);
    if (!link) continue;
    const count = perFile.get(section) ?? 0;
    link.hidden = !isAll && count === 0;
    countOf(link).textContent = isAll ? (initialCounts.get(section.id) ?? '') : number.format(count);
  }
  for (const other of document.querySelectorAll<HTMLElement>('main > .clean')) other.hidden = !isAll;
}

function showCounts(counts: ReturnType<typeof applyFilters>['counts']): void {
  for (const { name, boxes } of groups) {
    for (const box of boxes) {
      const count = counts[name].get(box.value) ?? 0;
      const label = box.closest('label');
      const place = label?.querySelector('b');
      if (place) place.textContent = number.format(count);
      label?.classList.toggle('none', count === 0 && !box.checked);
    }
  }
}

function report(filters: Filters, shown: number, files: number): void {
  const total = allIssues().filter(({ change }) => change !== 'fixed').length;
  const isAll = !isNarrowed(filters);
  const found = document.getElementById('found');
  const kind = filters.chosen.change.has('fixed') && filters.chosen.change.size === 1 ? 'fixed issue' : 'issue';
  if (found)
    found.textContent = isAll
      ? plural(total, 'issue')
      : `${plural(shown, kind)}${kind === 'issue' ? ` of ${number.format(total)}` : ''} in ${plural(files, 'file')}`;
  const clearButton = document.getElementById('clear');
  if (clearButton) clearButton.hidden = isAll;
  const nothing = document.getElementById('nothing');
  if (nothing) nothing.hidden = shown > 0 || isAll;
  const wanted = document.getElementById('wanted');
  if (wanted) wanted.textContent = describe(filters);
  // Shown on paper, where a part of the report must not look like all of it.
  if (isAll) delete document.body.dataset['partial'];
  else
    document.body.dataset['partial'] =
      `PARTIAL: ${number.format(shown)} of ${plural(total, 'issue')}. Filter: ${describe(filters)}`;
}

/** "Search: “x”; Severity: Critical or Major" */
function describe({ query, chosen }: Filters): string {
  const filters = groups
    .filter(({ name }) => chosen[name].size > 0)
    .map(({ name, boxes }) => {
      const label = boxes[0]?.closest('fieldset')?.querySelector('legend')?.textContent ?? name;
      const nameOf = (value: string): string =>
        boxes
          .find((box) => box.value === value)
          ?.closest('label')
          ?.querySelector('span')?.textContent ?? value;
      return `${label}: ${[...chosen[name]].map(nameOf).join(' or ')}`;
    });
  const searched = query.trim() === '' ? [] : [`Search: “${query.trim()}”`];
  return [...searched, ...filters].join('; ');
}

function countOf(link: Element): Element {
  return link.lastElementChild ?? link;
}
