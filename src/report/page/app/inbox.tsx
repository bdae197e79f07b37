import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { waiversToCopy } from '../../phrases.ts';
import { isPhone, renderInto, useListener, useView } from './browser.ts';
import { Detail } from './detail.tsx';
import { Icon, Sentences, Steps, TextButton } from './elements.tsx';
import { asCsv, type Entry, type PageData } from './entries.ts';
import { Filters } from './filters.tsx';
import { Head, RunFacts, Verdict } from './head.tsx';
import { List } from './list.tsx';
import { describeSelection, find, NO_FILTER, SORTS } from './view.ts';

const MESSAGE_MS = 3_000;

export function Inbox(page: PageData): JSX.Element {
  const { report, all } = page;
  const { view, change, visit, addressOf } = useView(page);
  const { box, sort, query, chosen } = view;
  const [message, say] = useState('');
  const searchField = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);

  const found = useMemo(() => find(all, view), [all, box, sort, query, chosen]);
  const { entries } = found;
  const picked = all.find(({ id }) => id === view.at);
  const shown = picked ?? entries[0];
  const index = shown ? entries.indexOf(shown) : -1;
  const selection = describeSelection(found, view);
  const waivers = useMemo(
    () => (report.waiversFile === undefined ? '' : waiversToCopy(entries.filter((entry) => entry.kind === 'issue'))),
    [entries],
  );
  const isNarrowed = query !== '' || Object.values(chosen).flat().length > 0;

  const pick = (entry: Entry | undefined): void => {
    // On a phone the entry covers the list, and going back closes the entry.
    const open = !picked && isPhone() ? visit : change;
    if (entry) open({ at: entry.id });
  };
  const copy = (text: string, what: string): void => {
    void navigator.clipboard.writeText(text).then(
      () => say(`Copied: ${what}.`),
      () => say('This browser did not allow copying.'),
    );
  };
  const copyLink = (entry: Entry): void => {
    if (canShareAddress()) copy(addressOf({ ...view, at: entry.id }), 'the address of this entry');
    else copy(`${nameOf(entry)}: ${report.run.url}`, 'its name, and the address of the run with its summary');
  };

  // Keys act in the list as soon as the page is open.
  useEffect(() => (isPhone() ? undefined : focusList()), []);

  useEffect(() => {
    const timer = setTimeout(() => say(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);

  useEffect(() => {
    if (picked && isPhone()) detail.current?.focus();
    detail.current?.scrollTo(0, 0);
  }, [shown]);

  useListener('beforeprint', () => renderInto('paper', <Paper {...page} entries={entries} selection={selection} />));
  useListener('afterprint', () => renderInto('paper', null));
  useListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = target === searchField.current;
    const isInList = target instanceof Element && target.id === 'list';
    const isReading = target instanceof Node && detail.current?.contains(target);
    // A single letter may also be typed, or spoken to software, so it acts only in the list and in the issue.
    const letter = isInList || isReading ? key : '';
    // Arrow keys and Enter are handled in the list and the search field only. Elsewhere the browser needs them: to
    // scroll, to seek in a film, or to press a button.
    const isMoving = isTyping || isInList || target === document.body;
    if (key === 'Escape' && isTyping && entries.length > 0) focusList();
    else if (key === 'Escape' && query !== '') change({ query: '' });
    else if (key === 'Escape' && isPhone()) change({});
    else if (letter === 'j' || (key === 'ArrowDown' && isMoving)) pick(entries[index + 1]);
    else if (letter === 'k' || (key === 'ArrowUp' && isMoving)) pick(entries[index - 1]);
    else if (key === 'Home' && isMoving && !isTyping) pick(entries[0]);
    else if (key === 'End' && isMoving && !isTyping) pick(entries.at(-1));
    else if (letter === '/') searchField.current?.focus();
    else if (key === 'Enter' && isMoving) {
      pick(shown);
      detail.current?.focus();
    } else return;
    event.preventDefault();
  });

  const head = <Head {...page} />;
  if (all.length === 0) return <main>{head}</main>;
  return (
    <div class={picked ? 'inbox is-open' : 'inbox'}>
      <button type="button" class="skip" onClick={focusList}>
        Skip to the list
      </button>
      {head}
      <Filters found={found} view={view} change={change} />
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
          {isNarrowed && <TextButton onClick={() => change(NO_FILTER)}>Clear</TextButton>}
          <select
            aria-label="Order of the list"
            value={sort}
            onChange={({ currentTarget }) => change({ sort: SORTS[currentTarget.selectedIndex]?.[0] ?? sort })}
          >
            {SORTS.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
          {entries.length > 0 && (
            <TextButton onClick={() => saveAs(`${report.gate}.csv`, asCsv(entries, report))}>Save as CSV</TextButton>
          )}
          {waivers && <TextButton onClick={() => copy(waivers, 'waivers')}>Copy waivers</TextButton>}
        </p>
        {view.at !== undefined && !picked && (
          <p class="unknown">
            This report has no entry <code>{view.at}</code>. The link may belong to the report of another run.
          </p>
        )}
        <div class="rows">
          {entries.length > 0 ? (
            <List entries={entries} picked={picked} pick={pick} />
          ) : (
            <p class="soft">Nothing matches here. The filters show which other lists have a match.</p>
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
                <Icon name="link" /> Copy link
              </button>
            </p>
            <Detail {...page} entry={shown} actions={{ visit, copy }} />
          </>
        )}
      </section>
      <p class="message" role="status">
        {message}
      </p>
    </div>
  );
}

type PaperProps = PageData & Readonly<{ entries: readonly Entry[]; selection: string }>;

/** All details of the entries for printing, under the name of their list. */
function Paper({ entries, selection, ...page }: PaperProps): JSX.Element {
  const { report } = page;
  return (
    <>
      <Verdict report={report} />
      <RunFacts report={report} />
      <p>{report.run.url}</p>
      <Steps steps={report.nextSteps} contact={report.contact} />
      <Sentences texts={report.notices} />
      <h2>{selection}</h2>
      {entries.map((entry) => (
        <article key={entry.id}>
          <Detail {...page} entry={entry} />
        </article>
      ))}
    </>
  );
}

/**
 * Whether "Copy link" may copy the address of the page. Nobody else can open a local file. An address with a query is
 * signed: everybody who gets the address can read the whole report.
 */
function canShareAddress(): boolean {
  return location.protocol.startsWith('http') && location.search === '';
}

function focusList(): void {
  document.getElementById('list')?.focus({ preventScroll: true });
}

/** "#1042 An old logo is shown (media/logo.png)". */
function nameOf(entry: Entry): string {
  const {
    title,
    paths: [path],
  } = entry;
  const number = entry.kind === 'issue' ? entry.words.number : '';
  return `${number} ${title}${path === undefined ? '' : ` (${path})`}`.trim();
}

function saveAs(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
