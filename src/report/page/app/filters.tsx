import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { causesTitle, hasJudged, SEVERITY_NAMES } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { BOXES, type Box, type Boxes } from './entries.ts';
import { FACET_NAMES, FACETS, type Facet, type Found, type View } from './filter.ts';
import { Icon } from './icons.tsx';

/** A longer list is unfolded on demand. */
const MAX_VALUES = 8;

export function boxLabel(box: Box, report: Report): string {
  const names: Readonly<Record<Exclude<Box, 'problems'>, string>> = {
    active: 'Active issues',
    stops: 'Stop the check',
    uncounted: 'Not counted',
    fixed: 'Fixed',
    files: 'Files',
  };
  if (box !== 'problems') return names[box];
  return report.verdict === 'skipped' ? 'Why nothing was checked' : causesTitle(report);
}

export function valueLabel(facet: Facet, value: string): string {
  const severity = facet === 'severity' ? SEVERITIES.find((one) => one === value) : undefined;
  return severity ? SEVERITY_NAMES[severity] : value || '(none)';
}

interface FiltersProps {
  readonly report: Report;
  readonly boxes: Boxes;
  readonly found: Found;
  readonly view: View;
  readonly change: (change: Partial<View>) => void;
}

export function Filters({ report, boxes, found, view, change }: FiltersProps): JSX.Element {
  const offered = BOXES.filter((box) => boxes[box].length > 0 || (box === 'active' && hasJudged(report)));
  return (
    <>
      <ul class="boxes">
        {offered.map((box) => (
          <li key={box} class={box}>
            <button type="button" aria-current={box === view.box} onClick={() => change({ box })}>
              <span>{boxLabel(box, report)}</span>
              <b>{count(found.boxes[box])}</b>
            </button>
          </li>
        ))}
      </ul>
      {FACET_NAMES.map((facet) => (
        <FacetGroup key={facet} facet={facet} found={found} view={view} change={change} />
      ))}
      <p class="keys">
        <kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>/</kbd> search · <kbd>Esc</kbd> clear it
      </p>
    </>
  );
}

function FacetGroup({
  facet,
  found,
  view,
  change,
}: Pick<FiltersProps, 'found' | 'view' | 'change'> & { readonly facet: Facet }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const chosen = view.chosen[facet] ?? [];
  const counts = found.values.get(facet) ?? new Map<string, number>();
  const values = inOrder(facet, [...new Set([...counts.keys(), ...chosen])], counts);
  // One value alone narrows nothing; severities and rules are an overview as well.
  const isUseful = values.length > 1 || chosen.length > 0 || (values.length > 0 && /^(?:severity|rule)$/.test(facet));
  if (!isUseful) return null;
  const shown = isWhole ? values : values.filter((value, index) => index < MAX_VALUES || chosen.includes(value));
  const toggle = (value: string): void => {
    const others = chosen.filter((one) => one !== value);
    change({ chosen: { ...view.chosen, [facet]: others.length < chosen.length ? others : [...chosen, value] } });
  };
  return (
    <fieldset>
      <legend>{FACETS[facet]}</legend>
      {shown.map((value) => (
        <label key={value}>
          <input type="checkbox" name={facet} checked={chosen.includes(value)} onChange={() => toggle(value)} />
          {facet === 'severity' && <Icon name={SEVERITIES.find((one) => one === value) ?? 'INFO'} />}
          <span title={value}>{valueLabel(facet, value)}</span>
          <b>{count(counts.get(value) ?? 0)}</b>
        </label>
      ))}
      {values.length > MAX_VALUES && (
        <button type="button" class="more" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${count(values.length)}`}
        </button>
      )}
    </fieldset>
  );
}

/** Severities by weight, folders by name, anything else by number. */
function inOrder(facet: Facet, values: readonly string[], counts: ReadonlyMap<string, number>): readonly string[] {
  if (facet === 'severity') return SEVERITIES.filter((severity) => values.includes(severity));
  if (facet === 'folder') return values.toSorted();
  return values.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}
