import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import type { Report } from '../../report.ts';
import { formatPlace, type Place, readPlace } from './address.ts';
import { Detail } from './detail.tsx';
import type { Box, Entry, FixedEntry, IssueEntry } from './entries.ts';
import { FACET_NAMES, FACETS, type Found, type Index, type View } from './filter.ts';
import { boxLabel, Filters, valueLabel } from './filters.tsx';
import { Head } from './head.tsx';
import { Icon } from './icons.tsx';
import { List } from './list.tsx';
import { asCsv, asMarkdown } from './table.ts';
import { safeUrl } from './text.tsx';

/** As in the style. */
const PHONE = '(max-width: 859px)';
/** A browser refuses to change the address more often. */
const ADDRESS_DELAY_MS = 150;
const MESSAGE_MS = 3_000;

interface InboxProps {
  readonly report: Report;
  readonly index: Index;
  /** What is printed: called with each new list. */
  readonly onShown: (entries: readonly Entry[], selection: string) => void;
}

export function Inbox({ report, index, onShown }: InboxProps): JSX.Element {
  const { boxes } = index;
  const usual = usualBox(report, index);
  const [place, setPlace] = usePlace(usual);
  const { box, query, chosen } = place;
  const [areFiltersOpen, openFilters] = useState(false);
  const [message, say] = useMessage();
  const search = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);

  const severities = useMemo(() => index.count(boxes.active, 'severity'), [index, boxes]);
  const found = useMemo(() => index.find({ box, query, chosen }), [index, box, query, chosen]);
  const byId = useMemo(() => new Map(Object.values(boxes).flatMap((all) => all.map((one) => [one.id, one]))), [boxes]);
  const { entries } = found;
  const picked = place.at === undefined ? undefined : byId.get(place.at);
  const shown = picked ?? entries[0];
  const selection = describeView(place, found, report, index);
  useEffect(() => onShown(entries, selection), [onShown, entries, selection]);

  // A narrower list starts with its first entry.
  const change = (view: Partial<View>): void => setPlace({ ...place, ...view, at: undefined });
  const choose = (entry: Entry): void => {
    const next = { ...place, at: entry.id };
    // On a phone the issue covers the list, and going back leads to the list.
    if (!picked && matchMedia(PHONE).matches) history.pushState(undefined, '', `#${formatPlace(next, usual)}`);
    setPlace(next);
  };
  const step = (by: 1 | -1): void => {
    const next = entries[shown ? entries.indexOf(shown) + by : 0];
    if (next) choose(next);
  };
  const leave = (): void => setPlace({ ...place, at: undefined });

  useEffect(() => {
    if (picked && matchMedia(PHONE).matches) detail.current?.focus();
    detail.current?.scrollTo(0, 0);
  }, [shown]);

  // Before the next key is pressed: it moves on from here.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target === search.current;
      const isInList = event.target instanceof Element && event.target.id === 'list';
      const { key } = event;
      if (key === 'Escape' && query !== '') change({ query: '' });
      else if (key === 'Escape' && picked && matchMedia(PHONE).matches) leave();
      else if ((key === 'j' && !isTyping) || (key === 'ArrowDown' && (isTyping || isInList))) step(1);
      else if ((key === 'k' && !isTyping) || (key === 'ArrowUp' && (isTyping || isInList))) step(-1);
      else if (key === '/' && !isTyping) search.current?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });

  const copy = (text: string, what: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => say(`${what} is copied.`),
      () => say('This browser did not allow copying.'),
    );

  const head = <Head report={report} severities={severities} change={change} />;
  if (byId.size === 0) return <main>{head}</main>;
  return (
    <div class={picked ? 'inbox is-open' : 'inbox'}>
      {head}
      <nav class={areFiltersOpen ? 'filters open' : 'filters'} aria-label="Filters">
        <button
          type="button"
          class="toggle"
          aria-expanded={areFiltersOpen}
          onClick={() => openFilters(!areFiltersOpen)}
        >
          <Icon name="filter" /> Filters
        </button>
        <div class="folds">
          <Filters report={report} boxes={boxes} found={found} view={place} change={change} />
        </div>
      </nav>
      <main aria-label="List">
        <div class="tools">
          <label class="search">
            <Icon name="search" />
            <input
              ref={search}
              id="search"
              type="search"
              aria-label="Search"
              placeholder="Search path, rule, number, text"
              autocomplete="off"
              spellcheck={false}
              value={query}
              onInput={({ currentTarget }) => change({ query: currentTarget.value })}
            />
          </label>
          <Export entries={entries} report={report} copy={copy} />
        </div>
        <div class="found">
          <span id="found" role="status">
            {boxLabel(box, report)}: {count(entries.length)}
            {entries.length < boxes[box].length && ` of ${count(boxes[box].length)}`}
          </span>
          <Chips place={place} change={change} />
        </div>
        <div class="rows">
          {entries.length > 0 ? (
            <List entries={entries} chosen={shown} isPicked={picked !== undefined} mode={report.mode} choose={choose} />
          ) : (
            <Nothing report={report} found={found} place={place} change={change} />
          )}
        </div>
      </main>
      <section class="detail" ref={detail} tabIndex={0} aria-label="The chosen entry">
        {shown && (
          <>
            <p class="bar">
              <button type="button" class="back" onClick={leave}>
                <Icon name="back" /> List
              </button>
              <span class="soft">
                {entries.includes(shown)
                  ? `${count(entries.indexOf(shown) + 1)} of ${count(entries.length)}`
                  : 'Not in the list'}
              </span>
              <button type="button" aria-label="Previous" onClick={() => step(-1)}>
                <Icon name="previous" />
              </button>
              <button type="button" aria-label="Next" onClick={() => step(1)}>
                <Icon name="next" />
              </button>
              <button
                type="button"
                onClick={() => copy(...linkTo(shown, report, formatPlace({ ...place, at: shown.id }, usual)))}
              >
                <Icon name="link" /> Copy link
              </button>
            </p>
            <Detail entry={shown} report={report} siblings={siblingsOf(shown, index)} choose={choose} />
          </>
        )}
      </section>
      <p class="message" role="status">
        {message}
      </p>
    </div>
  );
}

/** What a reader needs first. */
function usualBox({ verdict }: Report, { boxes }: Index): Box {
  const isAboutProblems = verdict === 'error' || verdict === 'skipped' || boxes.active.length === 0;
  if (isAboutProblems && boxes.problems.length > 0) return 'problems';
  return boxes.active.length > 0 ? 'active' : 'files';
}

/** The view is kept in the address, where a reload finds it. */
function usePlace(usual: Box): [Place, (place: Place) => void] {
  const [place, setPlace] = useState(() => readPlace(location.hash, usual));
  useEffect(() => {
    const read = (): void => setPlace(readPlace(location.hash, usual));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, [usual]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const hash = formatPlace(place, usual);
      history.replaceState(undefined, '', hash === '' ? location.pathname + location.search : `#${hash}`);
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [place, usual]);
  return [place, setPlace];
}

function useMessage(): [string, (message: string) => void] {
  const [message, setMessage] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setMessage(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, setMessage];
}

/** Never the address of the page if it is signed: who has it can read the whole report. */
function linkTo(entry: Entry, { run }: Report, hash: string): [string, string] {
  const service = entry.kind === 'issue' ? safeUrl(entry.issue.url) : undefined;
  if (service !== undefined) return [service, "The service's link to this issue"];
  if (location.search === '') return [new URL(`#${hash}`, location.href).href, 'The link to this entry'];
  return [run.url, 'The link to the run'];
}

function siblingsOf(entry: Entry, { boxes }: Index): readonly (IssueEntry | FixedEntry)[] {
  if (entry.kind === 'problem') return [];
  const all = [...boxes.active, ...boxes.uncounted, ...boxes.fixed];
  return all.filter(
    (one): one is IssueEntry | FixedEntry =>
      (one.kind === 'issue' || one.kind === 'fixed') && one.asset === entry.asset && one !== entry,
  );
}

interface PartProps {
  readonly place: Place;
  readonly change: (change: Partial<View>) => void;
}

/** What narrows the list: nothing does so unseen. */
function Chips({ place: { query, chosen }, change }: PartProps): JSX.Element {
  const chips = FACET_NAMES.flatMap((facet) =>
    (chosen[facet] ?? []).map((value) => (
      <button
        key={`${facet} ${value}`}
        type="button"
        class="chip"
        aria-label={`Remove the filter ${FACETS[facet]}: ${valueLabel(facet, value)}`}
        onClick={() => change({ chosen: { ...chosen, [facet]: (chosen[facet] ?? []).filter((one) => one !== value) } })}
      >
        {valueLabel(facet, value)} <span aria-hidden="true">×</span>
      </button>
    )),
  );
  return (
    <>
      {chips}
      {(chips.length > 0 || query !== '') && (
        <button type="button" class="chip clear" onClick={() => change({ query: '', chosen: {} })}>
          Clear
        </button>
      )}
    </>
  );
}

/** An empty list says where else something matches. */
function Nothing({
  report,
  found,
  place,
  change,
}: PartProps & { readonly report: Report; readonly found: Found }): JSX.Element {
  const elsewhere = (['problems', 'active', 'uncounted', 'fixed', 'files'] as const).filter(
    (box) => box !== place.box && found.boxes[box] > 0,
  );
  const isNarrowed = place.query !== '' || FACET_NAMES.some((facet) => (place.chosen[facet] ?? []).length > 0);
  return (
    <div class="nothing">
      <p>{isNarrowed ? 'Nothing here matches.' : 'There is nothing here.'}</p>
      {isNarrowed &&
        elsewhere.map((box) => (
          <button key={box} type="button" class="chip" onClick={() => change({ box })}>
            {boxLabel(box, report)}: {count(found.boxes[box])}
          </button>
        ))}
    </div>
  );
}

/** "Active issues: 12 of 150; search: “claim”; Severity: Critical or Major" */
function describeView({ box, query, chosen }: Place, { entries }: Found, report: Report, { boxes }: Index): string {
  const filters = FACET_NAMES.filter((facet) => (chosen[facet] ?? []).length > 0).map(
    (facet) => `${FACETS[facet]}: ${(chosen[facet] ?? []).map((value) => valueLabel(facet, value)).join(' or ')}`,
  );
  return [
    `${boxLabel(box, report)}: ${count(entries.length)} of ${count(boxes[box].length)}`,
    ...(query.trim() === '' ? [] : [`search: “${query.trim()}”`]),
    ...filters,
  ].join('; ');
}

interface ExportProps {
  readonly entries: readonly Entry[];
  readonly report: Report;
  readonly copy: (text: string, what: string) => void;
}

/** The list as it is filtered, for a spreadsheet or an issue on GitHub. */
function Export({ entries, report: { mode, gate }, copy }: ExportProps): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null);
  const option = (label: string, act: () => void): JSX.Element => (
    <button
      type="button"
      onClick={() => {
        act();
        menu.current?.removeAttribute('open');
      }}
    >
      {label}
    </button>
  );
  return (
    <details class="menu" ref={menu}>
      <summary>
        <Icon name="export" /> Export
      </summary>
      <div>
        {option('Copy as Markdown', () => copy(asMarkdown(entries, mode), 'The list'))}
        {option('Copy as CSV', () => copy(asCsv(entries, mode), 'The list'))}
        {option('Save as Markdown', () => save(`${gate}.md`, asMarkdown(entries, mode)))}
        {option('Save as CSV', () => save(`${gate}.csv`, asCsv(entries, mode)))}
      </div>
    </details>
  );
}

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
