import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from './entries.ts';
import { Row } from './row.tsx';
import { useListener } from './use-listener.ts';

/** The height of a row in pixels. page.css has the same height. */
const ROW_HEIGHT = 66;
/** This many rows above and below the screen are rendered, so that no row is missing while the reader scrolls. */
const SPARE_ROWS = 6;

type ListProps = Readonly<{
  entries: readonly Entry[];
  /** The reader's choice, which may be in another list. If undefined, the first entry is selected without scrolling. */
  picked: Entry | undefined;
  choose: (entry: Entry) => void;
}>;

/** Renders only the rows near the screen, and the selected row. */
export function List({ entries, picked, choose }: ListProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const look = (): void => {
    const hidden = -(list.current?.getBoundingClientRect().top ?? 0);
    setFirst(Math.max(0, Math.floor(hidden / ROW_HEIGHT) - SPARE_ROWS));
  };
  useListener('scroll', look);
  useLayoutEffect(() => {
    list.current?.parentElement?.scrollTo(0, 0);
    look();
  }, [entries]);
  const at = picked ? entries.indexOf(picked) : 0;
  useEffect(() => {
    if (picked) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [entries, picked]);
  const end = first + Math.ceil(screen.height / ROW_HEIGHT) + 2 * SPARE_ROWS;
  const shown = entries.slice(first, end).map((entry, offset) => ({ entry, index: first + offset }));
  const chosen = entries[at];
  if (chosen && (at < first || at >= end)) shown.push({ entry: chosen, index: at });
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
          <Row entry={entry} />
        </div>
      ))}
    </div>
  );
}
