import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { BOXES, type Box } from './entries.ts';
import { type Change, FACET_NAMES, FACETS, type Facet, type Found, type Index, type View } from './filter.ts';
import { Icon } from './icons.tsx';

/** A longer list is unfolded on demand. */
const MAX_VALUES = 8;

export const BOX_LABELS: Readonly<Record<Box, string>> = {
  problems: 'Problems',
  active: 'Active issues',
  stops: 'Stops the check',
  others: 'Does not stop it',
  uncounted: 'Not counted',
  fixed: 'Fixed',
  files: 'Files',
};

type FiltersProps = Readonly<{ index: Index; whole: Found; found: Found; view: View; change: Change }>;

export function Filters({ index, whole, found, view, change }: FiltersProps): JSX.Element {
  return (
    <div class="folds">
      {BOXES.filter((box) => index.boxes[box].length > 0).map((box) => (
        <button
          key={box}
          type="button"
          class={`box ${box}`}
          aria-current={box === view.box}
          onClick={() => change({ box })}
        >
          <span>{BOX_LABELS[box]}</span>
          <b>{count(found.boxes.get(box) ?? 0)}</b>
        </button>
      ))}
      {FACET_NAMES.map((facet) => (
        <FacetGroup
          key={facet}
          facet={facet}
          values={inOrder(facet, whole.values.get(facet) ?? new Map())}
          counts={found.values.get(facet) ?? new Map()}
          view={view}
          change={change}
        />
      ))}
      <p class="keys soft">
        <code>j</code> <code>k</code> next, previous · <code>Enter</code> read · <code>/</code> search ·{' '}
        <code>Esc</code> clear it
      </p>
    </div>
  );
}

type FacetProps = Readonly<{
  facet: Facet;
  /** All values of the box, so that they keep their place while the list is narrowed. */
  values: readonly string[];
  counts: ReadonlyMap<string, number>;
  view: View;
  change: Change;
}>;

function FacetGroup({ facet, values, counts, view, change }: FacetProps): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const chosen = view.chosen[facet] ?? [];
  // One value alone narrows nothing.
  if (values.length < 2) return null;
  const shown = isWhole ? values : values.filter((value, index) => index < MAX_VALUES || chosen.includes(value));
  const toggle = (value: string): void => {
    const others = chosen.filter((one) => one !== value);
    change({ chosen: { ...view.chosen, [facet]: others.length < chosen.length ? others : [...chosen, value] } });
  };
  return (
    <fieldset>
      <legend class="soft">{FACETS[facet]}</legend>
      {shown.map((value) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          {facet === 'severity' && <Icon name={SEVERITIES.find((one) => one === value) ?? 'INFO'} />}
          <span title={value}>{value || '(none)'}</span>
          <b>{count(counts.get(value) ?? 0)}</b>
        </label>
      ))}
      {values.length > MAX_VALUES && (
        <button type="button" class="plain" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${count(values.length)}`}
        </button>
      )}
    </fieldset>
  );
}

/** Severities by weight, folders by name, anything else by number. */
function inOrder(facet: Facet, counts: ReadonlyMap<string, number>): readonly string[] {
  if (facet === 'severity') return SEVERITIES.filter((severity) => counts.has(severity));
  if (facet === 'folder') return [...counts.keys()].toSorted();
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}
