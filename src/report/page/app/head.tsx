import type { JSX } from 'preact';
import { count, formatList, plural, truncate } from '../../../lib/format.ts';
import { helpLinks, runLinks } from '../../links.ts';
import { isForOthers, NOBODY_LOOKED, NOT_YOURS, signOf, title } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { between, Icon, Link, Prose, Sentences, Steps } from './elements.tsx';

/** A longer text would push the list off the screen. */
const MAX_TITLE = 500;
const MAX_UNCHECKED = 50;

/** The verdict and the first step. All else is folded, so that the list is on the screen. */
export function Head({ report, isAlone }: Readonly<{ report: Report; isAlone: boolean }>): JSX.Element {
  const { nextSteps, notices, unchecked, consequence, contact, cost } = report;
  const { name } = signOf(report);
  const missed = unchecked.length > 0 ? [`${NOBODY_LOOKED} ${formatList(unchecked, MAX_UNCHECKED)}`] : [];
  const about = [
    unchecked.length > 0 && `${count(unchecked.length)} not checked`,
    notices.length > 0 && plural(notices.length, 'notice'),
    cost,
  ];
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
        {nextSteps.length > 0 && <h2>What to do</h2>}
        {isForOthers(report) && <p>{NOT_YOURS}</p>}
        <Steps steps={nextSteps.slice(0, 1)} />
        {nextSteps.length > 1 && (
          <details open={isAlone}>
            <summary>{plural(nextSteps.length - 1, 'more step')}</summary>
            <Steps steps={nextSteps.slice(1)} />
          </details>
        )}
        {contact !== undefined && nextSteps.length > 0 && (
          <p>
            Questions: <Link url={contact}>{contact}</Link>
          </p>
        )}
        <details open={isAlone}>
          <summary>About this run: {about.filter(Boolean).join(', ')}</summary>
          <p class="soft">
            {between([...runLinks(report), ...helpLinks(report)].map(([text, url]) => <Link url={url}>{text}</Link>))}
          </p>
          <Sentences texts={[...missed, ...notices].map((text) => <Prose text={text} />)} />
        </details>
      </div>
    </header>
  );
}
