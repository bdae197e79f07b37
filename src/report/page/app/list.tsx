import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from './entries.ts';
import { Row } from './row.tsx';

/** In pixels, as in the style. */
const ROW_HEIGHT = 66;
/** Rows beyond the edges of the screen, so that none is missing while it scrolls. */
const SPARE_ROWS = 6;

type ListProps = Readonly<{
  entries: readonly Entry[];
  /** Need not be in this list. */
  chosen: Entry;
  /** Whether the reader chose it: the first one is chosen by itself, and must not make a phone scroll. */
  isPicked: boolean;
  choose: (entry: Entry) => void;
}>;

/** Only the rows on the screen, and the chosen one, are in the document. */
export function List({ entries, chosen, isPicked, choose }: ListProps): JSX.Element {
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
  const at = entries.indexOf(chosen);
  useEffect(() => {
    if (isPicked) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, entries, isPicked]);
  const end = first + Math.ceil(screen.height / ROW_HEIGHT) + 2 * SPARE_ROWS;
  const shown = entries.slice(first, end).map((entry, offset) => ({ entry, index: first + offset }));
  if (at !== -1 && (at < first || at >= end)) shown.push({ entry: chosen, index: at });
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
