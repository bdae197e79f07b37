import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import type { Report } from '../../report.ts';
import { between, Icon, Prose } from './elements.tsx';
import { type Found, NO_FILTER, type View } from './find.ts';
import { asCsv, type Facet, LISTS, type Row } from './rows.ts';

type Change = (parts: Partial<View>) => void;

/** Further rows are shown on demand. */
const MAX_ROWS = 300;

type ResultsProps = Readonly<{
  report: Report;
  found: Found;
  view: View;
  change: Change;
  current: Row | undefined;
}>;

/** The search, how much it found, and the rows. */
export function Results({ report, found, view, change, current }: ResultsProps): JSX.Element {
  const { rows, total } = found;
  const [max, setMax] = useState(MAX_ROWS);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollTo(0, 0), [rows]);
  const shown = rows.slice(0, max);
  // Only one row can be reached with the Tab key. The arrow keys lead to the others.
  const reachable = current && shown.includes(current) ? current : shown[0];
  return (
    <main aria-label="List">
      <input
        id="search"
        type="search"
        aria-label="Search"
        placeholder="Search path, rule, text, #"
        value={view.query}
        onInput={({ currentTarget }) => change({ query: currentTarget.value })}
      />
      <p class="found">
        <b role="status">
          {LISTS[view.list]}: {rows.length < total && `${count(rows.length)} of `}
          {count(total)}
        </b>
        {(view.query !== '' || Object.values(view.chosen).flat().length > 0) && (
          <button type="button" onClick={() => change(NO_FILTER)}>
            Clear
          </button>
        )}
        {rows.length > 0 && (
          <button type="button" onClick={() => saveAs(`${report.gate}.csv`, asCsv(rows, report))}>
            Save as CSV
          </button>
        )}
      </p>
      <div class="rows" ref={list} onKeyDown={followKey}>
        {shown.map((row) => (
          <RowLink row={row} isCurrent={row === current} tabIndex={row === reachable ? 0 : -1} />
        ))}
        {rows.length > max && (
          <p class="found">
            <button type="button" onClick={() => setMax(max + MAX_ROWS)}>
              Show more
            </button>
          </p>
        )}
        {rows.length === 0 && <p class="found soft">Nothing matches.</p>}
      </div>
    </main>
  );
}

/** Arrow keys lead to the next row and the previous one, and `/` leads to the search. */
function followKey(event: JSX.TargetedKeyboardEvent<HTMLElement>): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return;
  const next = { ArrowDown: target.nextElementSibling, ArrowUp: target.previousElementSibling }[key];
  if (key === '/') document.getElementById('search')?.focus();
  else if (next instanceof HTMLAnchorElement) {
    next.focus();
    // Going back leads to the row that the reader clicked, not through all rows between.
    location.replace(next.hash);
  } else return;
  event.preventDefault();
}

function saveAs(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

type RowProps = Readonly<{ row: Row; isCurrent?: boolean; tabIndex?: number }>;

/** The headline, and below it the path. */
export function RowLink({ row: { id, list, cells, paths }, isCurrent, tabIndex }: RowProps): JSX.Element {
  const { Effect, Headline = '', Number: number, New, Rule, Kind } = cells;
  const severity = SEVERITIES.find((one) => one === cells.Severity);
  const stops = Effect === 'Stops the check';
  const [path = '', ...others] = paths;
  const name = path.lastIndexOf('/') + 1;
  const effect = <span class={stops ? 'stop' : ''}>{Effect}</span>;
  const facts = [New === 'yes' && <b>New</b>, effect, list === 'files' ? Kind : Rule];
  return (
    <a class="row" href={`#at=${id}`} aria-current={isCurrent} tabIndex={tabIndex}>
      <Icon name={severity ?? (list === 'files' ? 'file' : stops ? 'error' : 'forgiven')} label={severity} />
      <span class="line">
        <span class={stops ? 'what stops' : 'what'}>
          <Prose text={Headline} />
        </span>
        <span class="aside">{number}</span>
      </span>
      <span class="line">
        <span class="path">
          <span class="soft">{path.slice(0, name)}</span>
          {list !== 'files' && <span class="name">{path.slice(name)}</span>}
          {others.length > 0 && ` and ${count(others.length)} more`}
        </span>
        <span class="aside">{between(facts)}</span>
      </span>
    </a>
  );
}

type FiltersProps = Readonly<{ all: readonly Row[]; found: Found; view: View; change: Change; isOpen: boolean }>;

/** The menu of lists, and the facets of the shown list. */
export function Filters({ all, found, view: { list, chosen }, change, isOpen }: FiltersProps): JSX.Element {
  const toggle = (name: Facet, value: string): void => {
    const { [name]: own = [] } = chosen;
    const next = own.includes(value) ? own.filter((one) => one !== value) : [...own, value];
    change({ chosen: { ...chosen, [name]: next } });
  };
  return (
    <nav aria-label="Filters">
      <div class="lists">
        {Array.from(
          Map.groupBy(all, (row) => row.list),
          ([name, rows]) => (
            <button type="button" aria-current={name === list} onClick={() => change({ ...NO_FILTER, list: name })}>
              <span>{LISTS[name]}</span> <span class="soft">{count(rows.length)}</span>
            </button>
          ),
        )}
      </div>
      {found.facets.length > 0 && (
        <details open={isOpen}>
          <summary>Filters</summary>
          {found.facets.map(({ name, values }) => (
            <fieldset key={name}>
              <legend class="soft">{name}</legend>
              {values.map(([value, matches]) => (
                <label key={value}>
                  <input type="checkbox" checked={chosen[name]?.includes(value)} onChange={() => toggle(name, value)} />
                  {name === 'Severity' && <Icon name={SEVERITIES.find((one) => one === value) ?? 'INFO'} />}
                  <span>{value || '(none)'}</span>
                  <span class="soft">{count(matches)}</span>
                </label>
              ))}
            </fieldset>
          ))}
        </details>
      )}
    </nav>
  );
}
