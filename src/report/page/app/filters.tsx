import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import type { Box } from './entries.ts';
import type { Change, Filter, Found } from './filter.ts';
import { Icon } from './icons.tsx';
import { TextButton } from './text.tsx';

/** A facet shows this many values at first, and the others on demand. */
const MAX_VALUES = 8;

type FiltersProps = Readonly<{ found: Found; box: Box; chosen: Filter['chosen']; change: Change }>;

export function Filters({ found, box, chosen, change }: FiltersProps): JSX.Element {
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
              aria-current={name === box}
              onClick={() => change({ box: name })}
            >
              <span>{label}</span>
              <b>{count(matches)}</b>
            </button>
          ))}
        {found.facets.map((group) => (
          <FacetGroup key={group.name} group={group} chosen={chosen} change={change} />
        ))}
        <p class="keys soft">
          <code>j</code> <code>k</code> next, previous · <code>Enter</code> read · <code>/</code> search ·{' '}
          <code>Esc</code> clear it
        </p>
      </div>
    </nav>
  );
}

type FacetGroupProps = Pick<FiltersProps, 'chosen' | 'change'> & Readonly<{ group: Found['facets'][number] }>;

function FacetGroup({ group: { name, label, values }, chosen, change }: FacetGroupProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const own = chosen[name] ?? [];
  const shown = values.filter(([value], index) => isWhole || index < MAX_VALUES || own.includes(value));
  const toggle = (value: string): void => {
    const others = own.filter((one) => one !== value);
    change({ chosen: { ...chosen, [name]: others.length < own.length ? others : [...own, value] } });
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
