import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { Icon, TextButton } from './elements.tsx';
import type { Change, Found, View } from './view.ts';

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
