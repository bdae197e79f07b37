import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import { useListener } from './browser.ts';
import { Icon, Prose } from './elements.tsx';
import type { Entry } from './entries.ts';
import { type Change, NO_FILTER } from './view.ts';

/** The height of a row in pixels. page.css has the same height. */
const ROW_HEIGHT = 66;
/** How many rows are rendered above and below the screen, so that no row is missing while the reader scrolls. */
const SPARE_ROWS = 6;

type ListProps = Readonly<{
  entries: readonly Entry[];
  /** The entry that the reader picked, which may be in another list. Without it, the first entry is selected. */
  picked: Entry | undefined;
  pick: (entry: Entry) => void;
}>;

/** Renders only the rows near the screen, and the selected row. */
export function List({ entries, picked, pick }: ListProps): JSX.Element {
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
  const selected = picked ? entries.indexOf(picked) : 0;
  useEffect(() => {
    if (picked) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [entries, picked]);
  const end = first + Math.ceil(screen.height / ROW_HEIGHT) + 2 * SPARE_ROWS;
  const shown = entries.slice(first, end).map((entry, offset) => ({ entry, index: first + offset }));
  const distant = selected < first || selected >= end ? entries[selected] : undefined;
  if (distant) shown.push({ entry: distant, index: selected });
  return (
    <div
      ref={list}
      id="list"
      role="listbox"
      tabIndex={0}
      aria-label="Issues and files"
      aria-activedescendant={selected === -1 ? undefined : `row-${selected}`}
      style={{ height: `${entries.length * ROW_HEIGHT}px` }}
    >
      {shown.map(({ entry, index }) => (
        <div
          key={entry.id}
          id={`row-${index}`}
          class="row"
          role="option"
          aria-selected={index === selected}
          aria-posinset={index + 1}
          aria-setsize={entries.length}
          style={{ top: `${index * ROW_HEIGHT}px` }}
          onClick={() => pick(entry)}
        >
          <Row entry={entry} />
        </div>
      ))}
    </div>
  );
}

const MAX_LENGTH = 300;
const MAX_ROWS = 100;

type RowsProps = Readonly<{ entries: readonly Entry[]; visit: Change | undefined }>;

/** Rows in the text of another entry. On paper, there is no `visit`. */
export function Rows({ entries, visit }: RowsProps): JSX.Element {
  return (
    <ul class="related">
      {entries.slice(0, MAX_ROWS).map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            class="row"
            onClick={() => visit?.({ ...NO_FILTER, box: entry.boxes[0], at: entry.id })}
          >
            <Row entry={entry} />
          </button>
        </li>
      ))}
      {entries.length > MAX_ROWS && <li class="soft">and {count(entries.length - MAX_ROWS)} more in the list</li>}
    </ul>
  );
}

/** The title, and the path below the title. If a line is too long, the folder is cut first. */
function Row({ entry }: Readonly<{ entry: Entry }>): JSX.Element {
  const { kind, icon, paths } = entry;
  const issue = kind === 'issue' ? entry.issue : undefined;
  const [path = '', ...others] = paths;
  const cut = path.lastIndexOf('/') + 1;
  const title = entry.title.slice(0, MAX_LENGTH);
  return (
    <>
      <Icon name={icon} label={issue?.severity} />
      <span class="line">
        <span class={issue?.failsGate ? 'what stops' : 'what'}>
          {kind === 'problem' ? <Prose text={title} /> : title}
        </span>
        <span class="aside">
          {kind === 'issue' && entry.words.number}
          {kind === 'file' && entry.words.result}
        </span>
      </span>
      <span class="line">
        <span class="folder">{path.slice(0, cut)}</span>
        <span class="name">{kind !== 'file' && path.slice(cut)}</span>
        <span class="aside">
          {issue?.isNew && <b>New · </b>}
          {issue?.failsGate && <b class="stop">Stops the check · </b>}
          {issue?.ruleCode.slice(0, MAX_LENGTH)}
          {kind === 'file' && entry.words.kind}
          {kind === 'problem' && others.length > 0 && `and ${count(others.length)} more`}
        </span>
      </span>
    </>
  );
}
