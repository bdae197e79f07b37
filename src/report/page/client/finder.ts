import { allIssues, filesIn, findById, groups, showView } from './document.ts';
import {
  applyFilters,
  FACETS,
  type Filters,
  formatFilters,
  isNarrowed,
  NO_FILTERS,
  PLACE_KEY,
  perFacet,
  readFilters,
  readPlace,
} from './filters.ts';

import type { SourceIssue } from './issue-source.ts';

/** Search and filters. The address of the page is the only place where they are kept. */

const number = new Intl.NumberFormat('en');
const plural = (count: number, noun: string): string => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;

const form = document.querySelector<HTMLFormElement>('#filters');
const search = document.querySelector<HTMLInputElement>('#search');
const boxes = perFacet((name) => [...(form?.querySelectorAll<HTMLInputElement>(`input[name=${name}]`) ?? [])]);
const entries = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.index a')].map((link) => [link.hash.slice(1), link]),
);
/** The counts of the whole page, as it was written. */
const initialCounts = new Map([...entries].map(([id, link]) => [id, countOf(link).textContent]));
const clearButtons = document.querySelectorAll<HTMLButtonElement>('button.clear');
const initialFound = document.getElementById('found')?.textContent ?? '';
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
  for (const button of clearButtons) button.addEventListener('click', clear);
  document.addEventListener('click', followLink);
  document.getElementById('show')?.addEventListener('click', showResults);
  addEventListener('hashchange', showAddress);
  showAddress();
}

function clear(): void {
  fillForm(NO_FILTERS);
  choose(NO_FILTERS, 'push');
  search?.focus();
}

function readForm(): Filters {
  const chosen = perFacet((name) => new Set(boxes[name].filter((box) => box.checked).map((box) => box.value)));
  return { query: search?.value ?? '', chosen };
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

/** A number of the head leads to the issues that it counts; a file of the index is shown with the filters kept. */
function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
  const link = event.target.closest<HTMLAnchorElement>('.verdict a[href^="#"], #also a, .index a');
  if (!link) return;
  event.preventDefault();
  const filters = formatFilters(readForm());
  const isFile = link.matches('.index a');
  const isKept = isFile && filters !== '';
  history.pushState(undefined, '', isKept ? `#${filters}&${PLACE_KEY}=${link.hash.slice(1)}` : link.hash);
  foldOnPhone();
  showAddress();
  if (!isFile) bringIntoView(firstResult());
}

function showResults(): void {
  foldOnPhone();
  bringIntoView(firstResult());
}

/** In several frames: heights are estimated until what is on the screen and above it is laid out. */
function bringIntoView(target: HTMLElement | null | undefined, frames = 10): void {
  target?.scrollIntoView();
  if (frames > 0) requestAnimationFrame(() => bringIntoView(target, frames - 1));
}

/** On a phone the filters cover the issues. On a wider screen they stand beside them, and nothing could unfold them. */
function foldOnPhone(): void {
  const fold = form?.closest('details');
  if (fold?.querySelector('summary')?.checkVisibility()) fold.open = false;
}

/** A reader who has scrolled down would otherwise see the middle or the end of the new list. */
function showFirstResult(): void {
  const first = firstResult();
  if (first && first.getBoundingClientRect().top < 0) first.scrollIntoView();
}

function firstResult(): HTMLElement | undefined {
  const group = groups.find(({ hidden }) => !hidden);
  return group && (filesIn(group).find(({ hidden }) => !hidden) ?? group);
}

function showAddress(): void {
  const filters = readFilters(location.hash);
  if (filters) {
    fillForm(filters);
    show(filters);
    const place = readPlace(location.hash);
    if (place !== undefined) bringIntoView(findById(place));
  } else showTarget();
}

/** The address names an issue or a file: it is shown, whatever was filtered before. */
function showTarget(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  // An issue that a link named may have been fixed since.
  const target = id === '' ? null : (findById(id) ?? findById(id.replace(/^issue-/, 'fixed-')));
  if (!target) return;
  // On a reload the browser would go back to a number of pixels, which is another place while heights are estimated.
  history.scrollRestoration = 'manual';
  if (target.hidden || target.closest('[hidden]')) {
    fillForm(NO_FILTERS);
    show(NO_FILTERS);
  }
  bringIntoView(target);
  if (target.matches('.issue')) target.focus({ preventScroll: true });
}

function fillForm({ query, chosen }: Filters): void {
  if (search) search.value = query;
  for (const name of FACETS) for (const box of boxes[name]) box.checked = chosen[name].has(box.value);
}

function show(filters: Filters): void {
  const isAll = !isNarrowed(filters);
  // A page that opens without a filter is already as it should be.
  if (isAll && isShowingAll) return;
  isShowingAll = isAll;
  const issues = allIssues();
  const { isMatch, counts } = findIssues(issues, filters);
  const shown = issues.filter((_, index) => isMatch[index]);
  const perFile = new Map<string, number>();
  for (const { file } of shown) perFile.set(file, (perFile.get(file) ?? 0) + 1);
  showView(isAll ? undefined : { issues: new Set(shown.map(({ id }) => id)), files: new Set(perFile.keys()) });
  showIndex(perFile, isAll);
  showCounts(counts);
  report(filters, { shown, files: perFile.size, alsoFixed: counts.change.get('fixed') ?? 0 });
}

/** If only fixed issues match, they are what the reader looks for. */
function findIssues(issues: readonly SourceIssue[], filters: Filters): ReturnType<typeof applyFilters> {
  const result = applyFilters(issues, filters);
  const { query, chosen } = filters;
  if (chosen.change.size > 0 || result.isMatch.includes(true) || !result.counts.change.has('fixed')) return result;
  return {
    ...result,
    isMatch: applyFilters(issues, { query, chosen: { ...chosen, change: new Set(['fixed']) } }).isMatch,
  };
}

function showIndex(perFile: ReadonlyMap<string, number>, isAll: boolean): void {
  for (const [id, link] of entries) {
    const count = perFile.get(id) ?? 0;
    link.hidden = !isAll && count === 0;
    // Most entries are out of view or as they were, and each change of a text takes time.
    if (!link.hidden) countOf(link).textContent = isAll ? (initialCounts.get(id) ?? '') : number.format(count);
  }
  for (const other of document.querySelectorAll<HTMLElement>('main > .clean')) other.hidden = !isAll;
}

function showCounts(counts: ReturnType<typeof applyFilters>['counts']): void {
  for (const name of FACETS) {
    for (const box of boxes[name]) {
      const count = counts[name].get(box.value) ?? 0;
      const label = box.closest('label');
      const place = label?.querySelector('b');
      if (place) place.textContent = number.format(count);
      label?.classList.toggle('none', count === 0 && !box.checked);
    }
  }
}

const isFixed = ({ change }: SourceIssue): boolean => change?.[0] === 'fixed';

interface Outcome {
  readonly shown: readonly SourceIssue[];
  readonly files: number;
  /** How many fixed issues the filters would show as well. */
  readonly alsoFixed: number;
}

function report(filters: Filters, { shown, files, alsoFixed }: Outcome): void {
  const isAll = !isNarrowed(filters);
  const total = allIssues().filter((issue) => !isFixed(issue)).length;
  const fixed = shown.filter(isFixed).length;
  // What was fixed is not part of the total.
  const numbers = [
    ...(fixed === 0 || shown.length > fixed
      ? [`${number.format(shown.length - fixed)} of ${plural(total, 'issue')}`]
      : []),
    ...(fixed > 0 ? [plural(fixed, 'fixed issue')] : []),
  ].join(' and ');
  showAlso(filters, isAll || fixed > 0 ? 0 : alsoFixed);
  const result = `${numbers} in ${plural(files, 'file')}`;
  setText('found', isAll ? initialFound : result);
  setText('brief', numbers);
  setText('show', `Show ${plural(shown.length, shown.length === fixed ? 'fixed issue' : 'issue')}`);
  setText('wanted', describe(filters));
  // Not hidden: the filters below would move while they are used.
  for (const button of clearButtons) button.disabled = isAll;
  for (const brief of document.querySelectorAll<HTMLElement>('.brief')) brief.hidden = isAll;
  setHidden('nothing', shown.length > 0 || isAll);
  // On paper a part of the report must not look like all of it.
  setText(
    'partial',
    isAll
      ? ''
      : `PART OF THE REPORT: ${result}. Filter: ${describe(filters)}. The numbers below are of the whole report.`,
  );
  document.body.classList.toggle('is-partial', !isAll);
}

/** Fixed issues are not in this version, so a filter shows them only if they are asked for. */
function showAlso(filters: Filters, fixed: number): void {
  setText('also', fixed === 0 ? '' : `${plural(fixed, 'fixed issue')} also ${fixed === 1 ? 'matches' : 'match'}: `);
  if (fixed === 0) return;
  const link = document.createElement('a');
  link.href = `#${formatFilters({ ...filters, chosen: { ...filters.chosen, change: new Set(['fixed']) } })}`;
  link.textContent = 'show';
  document.getElementById('also')?.append(link);
}

function setText(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element) element.textContent = text;
}

function setHidden(id: string, isHidden: boolean): void {
  const element = document.getElementById(id);
  if (element) element.hidden = isHidden;
}

/** "Search: “x”; Severity: Critical or Major" */
function describe({ query, chosen }: Filters): string {
  const filters = FACETS.filter((name) => chosen[name].size > 0).map((name) => {
    const label = boxes[name][0]?.closest('fieldset')?.querySelector('legend')?.textContent ?? name;
    const labelOf = (value: string): string => {
      const box = boxes[name].find((one) => one.value === value);
      return box?.closest('label')?.querySelector('span')?.textContent ?? value;
    };
    return `${label}: ${[...chosen[name]].map(labelOf).join(' or ')}`;
  });
  const searched = query.trim() === '' ? [] : [`Search: “${query.trim()}”`];
  return [...searched, ...filters].join('; ');
}

function countOf(link: Element): Element {
  return link.lastElementChild ?? link;
}
