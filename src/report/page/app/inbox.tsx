import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import type { Report } from '../../report.ts';
import { isSigned, linkTo, useView } from './address.ts';
import { Detail } from './detail.tsx';
import { BOXES, type Box, describeOthers, type Entry } from './entries.ts';
import { type Change, FACET_NAMES, FACETS, type Found, type Index, type View } from './filter.ts';
import { BOX_LABELS, Filters } from './filters.tsx';
import { Head } from './head.tsx';
import { Icon } from './icons.tsx';
import { List } from './list.tsx';
import { asCsv } from './table.ts';

/** As in the style. */
const PHONE = '(max-width: 859px)';
const MESSAGE_MS = 3_000;

type InboxProps = Readonly<{
  report: Report;
  index: Index;
  /** Called with each new list, and what it is a list of. */
  onShown: (entries: readonly Entry[], selection: string) => void;
}>;

export function Inbox({ report, index, onShown }: InboxProps): JSX.Element {
  const usual = usualBox(report, index);
  const { view, setView, visit } = useView(usual);
  const { box, query, chosen } = view;
  const [areFiltersOpen, openFilters] = useState(false);
  const [message, say] = useState('');
  const searchField = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);

  const byId = useMemo(
    () => new Map(Object.values(index.boxes).flatMap((all) => all.map((one) => [one.id, one]))),
    [index],
  );
  const whole = useMemo(() => index.find({ box, query: '', chosen: {} }), [index, box]);
  const isNarrowed = query !== '' || Object.values(chosen).flat().length > 0;
  const found = useMemo(() => (isNarrowed ? index.find(view) : whole), [whole, query, chosen]);
  const { entries } = found;
  const picked = byId.get(view.at ?? '');
  const shown = picked ?? entries[0];
  const others = useMemo(() => describeOthers(report), [report]);
  const selection = describeView(view, entries.length, index.boxes[box].length);
  // Before the page can be printed.
  useLayoutEffect(() => onShown(entries, selection), [onShown, entries, selection]);

  // A new list starts with its first entry.
  const change: Change = (part) => setView({ ...view, ...part, at: undefined });
  const choose = (entry: Entry | undefined): void => {
    if (!entry) return;
    const next = { ...view, at: entry.id };
    // On a phone the issue covers the list.
    if (!picked && matchMedia(PHONE).matches) visit(next);
    else setView(next);
  };
  /** From another entry: in a list that has it. */
  const open = (entry: Entry): void => {
    const home = BOXES.find((name) => index.boxes[name].includes(entry)) ?? usual;
    visit({ box: home, query: '', chosen: {}, at: entry.id });
  };
  const at = shown ? entries.indexOf(shown) : -1;
  const copyLink = (entry: Entry): void => {
    const [url, target] = linkTo(entry, report, view, usual);
    void navigator.clipboard.writeText(url).then(
      () => say(`The link to ${target} is copied.`),
      () => say('This browser did not allow copying.'),
    );
  };

  useEffect(() => {
    const timer = setTimeout(() => say(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);

  useEffect(() => {
    if (picked && matchMedia(PHONE).matches) detail.current?.focus();
    detail.current?.scrollTo(0, 0);
  }, [shown]);

  // Before the next key is pressed: it moves on from here.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = target === searchField.current;
      const isInList = target === document.body || (target instanceof Element && target.id === 'list');
      // In any other place these keys scroll, seek or press a button.
      const isMoving = isTyping || isInList;
      if (key === 'Escape' && query !== '') change({ query: '' });
      else if (key === 'Escape' && matchMedia(PHONE).matches) change({});
      else if ((key === 'j' && !isTyping) || (key === 'ArrowDown' && isMoving)) choose(entries[at + 1]);
      else if ((key === 'k' && !isTyping) || (key === 'ArrowUp' && isMoving)) choose(entries[at - 1]);
      else if (key === 'Home' && isInList) choose(entries[0]);
      else if (key === 'End' && isInList) choose(entries.at(-1));
      else if (key === '/' && !isTyping) searchField.current?.focus();
      else if (key === 'Enter' && isMoving) {
        choose(shown);
        detail.current?.focus();
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });

  const head = <Head report={report} change={change} />;
  if (byId.size === 0) return <main>{head}</main>;
  return (
    <div class={picked ? 'inbox is-open' : 'inbox'}>
      <button type="button" class="skip" onClick={() => document.getElementById('list')?.focus()}>
        Skip to the list
      </button>
      {head}
      <nav class={areFiltersOpen ? 'open' : ''} aria-label="Filters">
        <button
          type="button"
          class="toggle"
          aria-expanded={areFiltersOpen}
          onClick={() => openFilters(!areFiltersOpen)}
        >
          <Icon name="filter" /> Filters
        </button>
        <Filters index={index} whole={whole} found={found} view={view} change={change} />
      </nav>
      <main aria-label="List">
        <label class="search">
          <Icon name="search" />
          <input
            ref={searchField}
            id="search"
            type="search"
            aria-label="Search"
            placeholder="Search path, rule, text, #"
            autocomplete="off"
            spellcheck={false}
            value={query}
            onInput={({ currentTarget }) => change({ query: currentTarget.value })}
          />
        </label>
        <p class="found">
          <b role="status">{selection}</b>
          {isNarrowed && (
            <button type="button" class="plain" onClick={() => change({ query: '', chosen: {} })}>
              Clear
            </button>
          )}
          {entries.length > 0 && (
            <button type="button" class="plain" onClick={() => save(`${report.gate}.csv`, asCsv(entries, report))}>
              Save as CSV
            </button>
          )}
        </p>
        <div class="rows">
          {shown && entries.length > 0 ? (
            <List entries={entries} chosen={shown} isPicked={picked !== undefined} report={report} choose={choose} />
          ) : (
            <Elsewhere found={found} change={change} />
          )}
          {box === 'problems' && others !== '' && (
            <p class="soft">
              {others}{' '}
              <button type="button" class="plain" onClick={() => change({ box: 'files', query: '', chosen: {} })}>
                Show files
              </button>
            </p>
          )}
        </div>
      </main>
      <section class="detail" ref={detail} tabIndex={0} aria-label="The chosen entry">
        {shown && (
          <>
            <p class="bar">
              <button type="button" class="back" onClick={() => change({})}>
                <Icon name="back" /> List
              </button>
              <button type="button" onClick={() => copyLink(shown)}>
                <Icon name="link" /> {isSigned() ? 'Copy link to the run' : 'Copy link'}
              </button>
            </p>
            <Detail
              entry={shown}
              report={report}
              index={index}
              open={open}
              search={(query) => change({ box: 'active', query, chosen: {} })}
            />
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

/** Instead of an empty list: where something matches. */
function Elsewhere({ found, change }: Readonly<{ found: Found; change: Change }>): JSX.Element {
  const boxes = BOXES.filter((box) => (found.boxes.get(box) ?? 0) > 0);
  return (
    <p class="soft">
      Nothing matches here{boxes.length === 0 ? ' or anywhere else.' : '. Elsewhere:'}{' '}
      {boxes.map((box) => (
        <button key={box} type="button" onClick={() => change({ box })}>
          {BOX_LABELS[box]} <b>{count(found.boxes.get(box) ?? 0)}</b>
        </button>
      ))}
    </p>
  );
}

/** "Active issues: 12 of 150; search: “claim”; Severity: CRITICAL or MAJOR": nothing narrows the list unseen. */
function describeView({ box, query, chosen }: View, shown: number, all: number): string {
  const filters = FACET_NAMES.filter((facet) => chosen[facet]?.length).map(
    (facet) => `${FACETS[facet]}: ${chosen[facet]?.map((value) => value || '(none)').join(' or ')}`,
  );
  const searched = query.trim() === '' ? [] : [`search: “${query.trim()}”`];
  const number = shown === all ? count(all) : `${count(shown)} of ${count(all)}`;
  return [`${BOX_LABELS[box]}: ${number}`, ...searched, ...filters].join('; ');
}

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
