import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { waiversToCopy } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { type Copy, saveAs, useListener } from './browser.ts';
import { Icon, Prose, TextButton } from './elements.tsx';
import { asCsv, type Entry } from './entries.ts';
import { type Change, describeSelection, type Found, NO_FILTER, SORTS, type View } from './view.ts';

type ListboxProps = Readonly<{
  entries: readonly Entry[];
  /** The entry that the reader picked, which may be in another list. Without it, the first entry is selected. */
  picked: Entry | undefined;
  pick: (entry: Entry) => void;
}>;

type ListProps = Omit<ListboxProps, 'entries'> &
  Readonly<{
    report: Report;
    found: Found;
    view: View;
    change: Change;
    copy: Copy;
  }>;

/** The search, what it found, and the rows. */
export function List({ report, found, view, change, copy, ...props }: ListProps): JSX.Element {
  const { entries } = found;
  const issues = entries.filter((entry) => entry.kind === 'issue');
  const needsWaiver = report.waiversFile !== undefined && issues.some(({ issue }) => issue.failsGate);
  const isNarrowed = view.query !== '' || Object.values(view.chosen).flat().length > 0;
  return (
    <main aria-label="List">
      <label class="search">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          aria-label="Search"
          placeholder="Search path, rule, text, #"
          autocomplete="off"
          spellcheck={false}
          value={view.query}
          onInput={({ currentTarget }) => change({ query: currentTarget.value })}
        />
      </label>
      <p class="found">
        <b role="status">{describeSelection(found, view)}</b>
        {isNarrowed && <TextButton onClick={() => change(NO_FILTER)}>Clear</TextButton>}
        <select
          aria-label="Order of the list"
          value={view.sort}
          onChange={({ currentTarget }) => change({ sort: SORTS[currentTarget.selectedIndex]?.[0] ?? view.sort })}
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
        {needsWaiver && <TextButton onClick={() => copy(waiversToCopy(issues), 'waivers')}>Copy waivers</TextButton>}
      </p>
      {view.at !== undefined && !props.picked && (
        <p class="unknown">
          This report has no entry <code>{view.at}</code>. The link may belong to the report of another run.
        </p>
      )}
      <div class="rows">
        {entries.length > 0 ? (
          <Listbox {...props} entries={entries} />
        ) : (
          <p class="soft">Nothing matches here. The filters show which other lists have a match.</p>
        )}
      </div>
    </main>
  );
}

/** The height of a row in pixels. page.css has the same height. */
const ROW_HEIGHT = 66;
/** How many rows are rendered above and below the screen, so that no row is missing while the reader scrolls. */
const SPARE_ROWS = 6;

/** Renders only the rows near the screen, and the selected row. */
function Listbox({ entries, picked, pick }: ListboxProps): JSX.Element {
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
  const { kind, icon, title, paths } = entry;
  const issue = kind === 'issue' ? entry.issue : undefined;
  const [path = '', ...others] = paths;
  const cut = path.lastIndexOf('/') + 1;
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
          {issue?.ruleCode}
          {kind === 'file' && entry.words.kind}
          {kind === 'problem' && others.length > 0 && `and ${count(others.length)} more`}
        </span>
      </span>
    </>
  );
}

const KEYS = { j: 'next', k: 'previous', Enter: 'read', '/': 'search', Esc: 'to the list, then clear' };

const MAX_VALUES = 8;

export function Filters({ found, view, change }: Readonly<{ found: Found; view: View; change: Change }>): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <nav class={isOpen ? 'open' : ''} aria-label="Filters">
      <button type="button" class="toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="filter" /> Filters
      </button>
      <div class="folds">
        {found.boxes
          .filter(({ total }) => total > 0)
          .map(({ name, label, matches }) => (
            <button
              key={name}
              type="button"
              class={`box ${name}`}
              aria-current={name === view.box}
              onClick={() => change({ box: name })}
            >
              <span>{label}</span>
              <b>{count(matches)}</b>
            </button>
          ))}
        {found.facets.map((facet) => (
          <FacetGroup key={facet.name} facet={facet} view={view} change={change} />
        ))}
        <ul class="keys facts soft">
          {Object.entries(KEYS).map(([key, action]) => (
            <li key={key}>
              <code>{key}</code> {action}
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

type FacetGroupProps = Readonly<{ facet: Found['facets'][number]; view: View; change: Change }>;

function FacetGroup({ facet: { name, label, values }, view, change }: FacetGroupProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const own = view.chosen[name] ?? [];
  const shown = values.filter(([value], index) => isWhole || index < MAX_VALUES || own.includes(value));
  const toggle = (value: string): void => {
    const next = own.includes(value) ? own.filter((one) => one !== value) : [...own, value];
    change({ chosen: { ...view.chosen, [name]: next } });
  };
  return (
    <fieldset>
      <legend class="soft">{label}</legend>
      {shown.map(([value, matches]) => (
        <label key={value}>
          <input type="checkbox" checked={own.includes(value)} onChange={() => toggle(value)} />
          {name === 'severity' && <Icon name={SEVERITIES.find((one) => one === value) ?? 'INFO'} />}
          <span title={value}>{value || '(none)'}</span>
          <b>{count(matches)}</b>
        </label>
      ))}
      {values.length > MAX_VALUES && (
        <TextButton onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${count(values.length)}`}
        </TextButton>
      )}
    </fieldset>
  );
}
