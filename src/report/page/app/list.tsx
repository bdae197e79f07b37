import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count, plural } from '../../../lib/format.ts';
import { describeFile, resultOf } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import type { Entry } from './entries.ts';
import { Icon } from './icons.tsx';

/** In pixels, as in the style. */
const ROW_HEIGHT = 60;
/** Rows beyond the edges of the screen, so that none is missing while it scrolls. */
const SPARE_ROWS = 6;
/** More does not fit into a line. */
const MAX_LINE = 300;

type ListProps = Readonly<{
  entries: readonly Entry[];
  chosen: Entry | undefined;
  /** Whether the reader chose it: the first one is chosen by itself, and must not make a phone scroll. */
  isPicked: boolean;
  mode: Report['mode'];
  choose: (entry: Entry) => void;
}>;

/** Only the rows on the screen, and the chosen one, are in the document. */
export function List({ entries, chosen, isPicked, mode, choose }: ListProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  useLayoutEffect(() => {
    list.current?.parentElement?.scrollTo(0, 0);
    const look = (): void => {
      const hidden = -(list.current?.getBoundingClientRect().top ?? 0);
      setFirst(Math.max(0, Math.floor(hidden / ROW_HEIGHT) - SPARE_ROWS));
    };
    look();
    // Captured, because on a wide screen the list scrolls, and on a phone the page.
    addEventListener('scroll', look, { capture: true, passive: true });
    return () => removeEventListener('scroll', look, { capture: true });
  }, [entries]);
  const at = chosen ? entries.indexOf(chosen) : -1;
  useEffect(() => {
    if (isPicked) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, entries, isPicked]);
  const end = first + Math.ceil(screen.height / ROW_HEIGHT) + 2 * SPARE_ROWS;
  const shown = entries.slice(first, end).map((entry, offset) => ({ entry, index: first + offset }));
  if (chosen && at !== -1 && (at < first || at >= end)) shown.push({ entry: chosen, index: at });
  return (
    <div
      ref={list}
      id="list"
      role="listbox"
      tabIndex={0}
      aria-label="Issues and files"
      aria-activedescendant={at === -1 ? undefined : `row-${at}`}
      style={{ height: `${entries.length * ROW_HEIGHT}px` }}
    >
      {shown.map(({ entry, index }) => (
        <div
          key={entry.id}
          id={`row-${index}`}
          class="row"
          role="option"
          aria-selected={index === at}
          aria-posinset={index + 1}
          aria-setsize={entries.length}
          style={{ top: `${index * ROW_HEIGHT}px` }}
          onClick={() => choose(entry)}
        >
          <Row {...rowOf(entry, mode)} />
        </div>
      ))}
    </div>
  );
}

type RowProps = Readonly<{
  icon: JSX.Element;
  title: string;
  aside: string;
  path: string;
  note: string;
  stops?: boolean;
}>;

function Row({ icon, title, aside, path, note, stops = false }: RowProps): JSX.Element {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <>
      {icon}
      <span class="line">
        <span class={stops ? 'what stops' : 'what'}>{title.slice(0, MAX_LINE)}</span>
        <span class="aside">{aside}</span>
      </span>
      <span class="line">
        <span class="folder">{path.slice(0, cut)}</span>
        <span class="name">{path.slice(cut)}</span>
        <span class="aside">
          {stops && <b class="stop">Stops the check · </b>}
          {note.slice(0, MAX_LINE)}
        </span>
      </span>
    </>
  );
}

function rowOf(entry: Entry, mode: Report['mode']): RowProps {
  const [path = ''] = entry.paths;
  if (entry.kind === 'problem') {
    const others = entry.paths.length - 1;
    const icon = <Icon name={entry.fix === '' ? 'skipped' : 'error'} />;
    return { icon, title: entry.message, aside: '', path, note: others > 0 ? `and ${count(others)} more` : '' };
  }
  if (entry.kind === 'file') {
    const cut = path.lastIndexOf('/') + 1;
    const { issues } = entry.asset;
    const aside = issues.length > 0 ? plural(issues.length, 'issue') : resultOf(entry.asset, mode);
    const note = describeFile(entry.asset);
    return { icon: <Icon name="file" />, title: path.slice(cut), aside, path: path.slice(0, cut), note };
  }
  const { severity, headline, summary, referenceNumber, ruleCode, failsGate } = entry.issue;
  return {
    icon: entry.isFixed ? <Icon name="pass" label="Fixed" /> : <Icon name={severity} label={severity} />,
    title: headline || summary,
    aside: referenceNumber === undefined ? '' : `#${referenceNumber}`,
    path,
    note: ruleCode,
    stops: failsGate,
  };
}
