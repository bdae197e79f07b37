import type { ComponentChild, JSX } from 'preact';
import type { Step } from '../../../causes/cause.ts';
import { safeHref } from '../../../lib/escape.ts';
import { nameActor } from '../../phrases.ts';
import type { Report } from '../../report.ts';

/** A link, or only the text of the link if the address is missing or not https. */
export function Link({ url, children }: Readonly<{ url: string | undefined; children: ComponentChild }>): JSX.Element {
  const href = url === undefined ? undefined : safeHref(url);
  if (!href?.startsWith('https:')) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">
      {children}
    </a>
  );
}

/** A sentence in which names are quoted in backticks. A date does not break between lines. */
export function Prose({ text }: Readonly<{ text: string }>): JSX.Element {
  // Because the pattern has a group, the matches are the pieces with an odd index.
  const shown = text.split(/(`[^`]+`|\d{4}-\d\d-\d\d)/u).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return piece.startsWith('`') ? <code>{piece.slice(1, -1)}</code> : <span class="name">{piece}</span>;
  });
  return <>{shown}</>;
}

/** Puts a dot between the parts that exist. */
export function between(parts: readonly ComponentChild[]): ComponentChild {
  return parts.filter(Boolean).map((part, index) => [index > 0 && ' · ', part]);
}

type ItemsProps = Readonly<{ kind?: 'sentences' | 'tags'; items: readonly ComponentChild[] }>;

/** A list of the items that exist. */
export function Items({ kind, items }: ItemsProps): JSX.Element {
  const shown = items.filter(Boolean).map((item) => <li>{item}</li>);
  return <ul class={kind}>{shown}</ul>;
}

/** A step that anyone can do is a re-run, so it links to the run. */
export function stepItem(step: Step, { run }: Report): JSX.Element {
  return (
    <>
      <b>{nameActor(step)}:</b>{' '}
      <Link url={step.actor === 'anyone' ? run.url : undefined}>
        <Prose text={step.text} />
      </Link>
    </>
  );
}

/** Icons are SVG paths, as not every machine has a font with these signs. Severities differ in shape and colour. */

const CIRCLE = 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z';
const OCTAGON = ['M5 1h6l4 4v6l-4 4H5l-4-4V5z', 'M8 4.2v4.6M8 11.2v.3'] as const;
const TRIANGLE = ['M8 1.2 15.4 14.4H.6z', 'M8 5.8v4M8 11.9v.3'] as const;

/** Each icon has the path of a filled shape, which can be empty, and the path of the lines over that shape. */
const ICONS = {
  CRITICAL: OCTAGON,
  MAJOR: TRIANGLE,
  MINOR: ['M8 .8 15.2 8 8 15.2.8 8z', 'M5.6 8h4.8'],
  INFO: [CIRCLE, 'M8 7.2v4.2M8 4.5v.3'],
  pass: [CIRCLE, 'M4.7 8.3 7 10.6l4.4-4.9'],
  fail: [CIRCLE, 'm5.4 5.4 5.2 5.2m0-5.2-5.2 5.2'],
  error: OCTAGON,
  forgiven: TRIANGLE,
  skipped: [CIRCLE, 'M4.8 8h6.4'],
  sandbox: ['M6 1h4v4.5l4 7.3A1.5 1.5 0 0 1 12.7 15H3.3A1.5 1.5 0 0 1 2 12.8l4-7.3z', 'M5.5 10.5h5'],
  file: ['', 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3'],
} as const;

/** @param label for screen readers; undefined if the text beside the icon says the same */
export function Icon({ name, label }: Readonly<{ name: keyof typeof ICONS; label?: string | undefined }>): JSX.Element {
  const [shape, lines] = ICONS[name];
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  return (
    <svg class={`icon ${name}`} viewBox="0 0 16 16" {...said}>
      <path d={shape} />
      <path class="sign" d={lines} />
    </svg>
  );
}
