import type { JSX } from 'preact';
import { count, formatList, plural, truncate } from '../../../lib/format.ts';
import { helpUrl, runLinks } from '../../links.ts';
import { isForOthers, NOBODY_LOOKED, NOT_YOURS, signOf, title } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { between, Icon, Items, Link, Prose, stepItem } from './elements.tsx';

/** A longer text would push the list off the screen. */
const MAX_TITLE = 500;
const MAX_UNCHECKED = 50;

/** The verdict and the first step. All else is folded, so that the list is on the screen. */
export function Head({ report, isAlone }: Readonly<{ report: Report; isAlone: boolean }>): JSX.Element {
  const { nextSteps, notices, unchecked, consequence, contact, cost } = report;
  const { name } = signOf(report);
  const [first, ...others] = nextSteps;
  const missed = unchecked.length > 0 ? [`${NOBODY_LOOKED} ${formatList(unchecked, MAX_UNCHECKED)}`] : [];
  const about = [
    unchecked.length > 0 && `${count(unchecked.length)} not checked`,
    notices.length > 0 && plural(notices.length, 'notice'),
    cost,
  ];
  const help = helpUrl(report);
  const links = [...runLinks(report), ...(help === undefined ? [] : [['Help', help] as const])];
  return (
    <header class={name}>
      <div>
        <h1>
          <Icon name={name} />
          <span>
            <Prose text={truncate(title(report), MAX_TITLE)} />
          </span>
        </h1>
        <p>
          <Prose text={consequence} />
        </p>
      </div>
      <div>
        {first && <b>What to do</b>}
        {isForOthers(report) && <p>{NOT_YOURS}</p>}
        {first && <p>{stepItem(first)}</p>}
        {others.length > 0 && (
          <details open={isAlone}>
            <summary>{plural(others.length, 'more step')}</summary>
            <Items kind="sentences" items={others.map(stepItem)} />
          </details>
        )}
        {first && contact !== undefined && (
          <p>
            Questions: <Link url={contact}>{contact}</Link>
          </p>
        )}
        <details open={isAlone}>
          <summary>About this run: {about.filter(Boolean).join(', ')}</summary>
          <p class="soft">{between(links.map(([text, url]) => <Link url={url}>{text}</Link>))}</p>
          <Items kind="sentences" items={[...missed, ...notices].map((text) => <Prose text={text} />)} />
        </details>
      </div>
    </header>
  );
}
