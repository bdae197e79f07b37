import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { canShareAddress, isPhone, renderInto, useCopy, useListener, useView } from './browser.ts';
import { Detail } from './detail.tsx';
import { Icon, Sentences, Steps } from './elements.tsx';
import type { Entry, PageData } from './entries.ts';
import { Head, RunFacts, Verdict } from './head.tsx';
import { Filters, List } from './list.tsx';
import { describeSelection, type Found, find, type View } from './view.ts';

export function Inbox(page: PageData): JSX.Element {
  const { report, all } = page;
  const { view, change, visit, addressOf } = useView(page);
  const { box, sort, query, chosen } = view;
  const { message, copy } = useCopy();
  const detail = useRef<HTMLElement>(null);

  const found = useMemo(() => find(all, view), [all, box, sort, query, chosen]);
  const { entries } = found;
  const picked = all.find(({ id }) => id === view.at);
  const current = picked ?? entries[0];
  const index = current ? entries.indexOf(current) : -1;

  const pick = (entry: Entry | undefined): void => {
    // On a phone the entry covers the list, and going back closes the entry.
    const open = !picked && isPhone() ? visit : change;
    if (entry) open({ at: entry.id });
  };
  const copyLink = (entry: Entry): void => {
    if (canShareAddress()) copy(addressOf({ ...view, at: entry.id }), 'the address of this entry');
    else copy(`${nameOf(entry)}: ${report.run.url}`, 'its name, and the address of the run with its summary');
  };

  // Keys act in the list as soon as the page is open.
  useEffect(() => (isPhone() ? undefined : focusOn('list')), []);

  useEffect(() => {
    if (picked && isPhone()) detail.current?.focus();
    detail.current?.scrollTo(0, 0);
  }, [current]);

  useListener('beforeprint', () => renderInto('paper', <Paper {...page} found={found} view={view} />));
  useListener('afterprint', () => renderInto('paper', null));
  useListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = target instanceof Element ? target.id : '';
    const isTyping = focused === 'search';
    const isInList = focused === 'list';
    const isReading = target instanceof Node && detail.current?.contains(target);
    // A single letter may also be typed, or spoken to software, so it acts only in the list and in the issue.
    const letter = isInList || isReading ? key : '';
    // Arrow keys and Enter are handled in the list and the search field only. Elsewhere the browser needs them: to
    // scroll, to seek in a film, or to press a button.
    const isMoving = isTyping || isInList || target === document.body;
    if (key === 'Escape' && isTyping && entries.length > 0) focusOn('list');
    else if (key === 'Escape' && query !== '') change({ query: '' });
    else if (key === 'Escape' && isPhone()) change({});
    else if (letter === 'j' || (key === 'ArrowDown' && isMoving)) pick(entries[index + 1]);
    else if (letter === 'k' || (key === 'ArrowUp' && isMoving)) pick(entries[index - 1]);
    else if (key === 'Home' && isMoving && !isTyping) pick(entries[0]);
    else if (key === 'End' && isMoving && !isTyping) pick(entries.at(-1));
    else if (letter === '/') focusOn('search');
    else if (key === 'Enter' && isMoving) {
      pick(current);
      detail.current?.focus();
    } else return;
    event.preventDefault();
  });

  const head = <Head {...page} />;
  if (all.length === 0) return <main>{head}</main>;
  return (
    <div class={picked ? 'inbox is-open' : 'inbox'}>
      <button type="button" class="skip" onClick={() => focusOn('list')}>
        Skip to the list
      </button>
      {head}
      <Filters found={found} view={view} change={change} />
      <List report={report} found={found} view={view} change={change} picked={picked} pick={pick} copy={copy} />
      <section class="detail" ref={detail} tabIndex={0} aria-label="The chosen entry">
        {current && (
          <>
            <p class="bar">
              <button type="button" class="back" onClick={() => change({})}>
                <Icon name="back" /> List
              </button>
              <button type="button" onClick={() => copyLink(current)}>
                <Icon name="link" /> Copy link
              </button>
            </p>
            <Detail {...page} entry={current} actions={{ visit, copy }} />
          </>
        )}
      </section>
      <p class="message" role="status">
        {message}
      </p>
    </div>
  );
}

type PaperProps = PageData & Readonly<{ found: Found; view: View }>;

/** All details of the entries for printing, under the name of their list. */
function Paper({ found, view, ...page }: PaperProps): JSX.Element {
  const { report } = page;
  return (
    <>
      <Verdict report={report} />
      <RunFacts report={report} />
      <p>{report.run.url}</p>
      <Steps steps={report.nextSteps} report={report} />
      <Sentences texts={report.notices} />
      <h2>{describeSelection(found, view)}</h2>
      {found.entries.map((entry) => (
        <article key={entry.id}>
          <Detail {...page} entry={entry} />
        </article>
      ))}
    </>
  );
}

function focusOn(id: 'list' | 'search'): void {
  // The list is longer than the screen, so the browser would scroll to bring it into view.
  document.getElementById(id)?.focus({ preventScroll: id === 'list' });
}

/** "#1042 An old logo is shown (media/logo.png)". */
function nameOf(entry: Entry): string {
  const [path] = entry.paths;
  const number = entry.kind === 'issue' ? entry.words.number : '';
  return `${number} ${entry.title}${path === undefined ? '' : ` (${path})`}`.trim();
}
