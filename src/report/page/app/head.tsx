import type { JSX } from 'preact';
import { formatList, plural, truncate } from '../../../lib/format.ts';
import { describeHandover, NOBODY_LOOKED, runLinks, signOf, title } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { between, Icon, Items, Link, Prose, stepItem } from './elements.tsx';

/** A longer text would push the list off the screen. */
const MAX_TITLE = 500;
const MAX_UNCHECKED = 50;

/** The verdict and the first step. All else is folded, so that the list is on the screen. */
export function Head({ report, isAlone }: Readonly<{ report: Report; isAlone: boolean }>): JSX.Element {
  const { nextSteps, notices, unchecked, consequence, contact, cost } = report;
  const { name } = signOf(report);
  const missed = unchecked.length > 0 ? [`${NOBODY_LOOKED} ${formatList(unchecked, MAX_UNCHECKED)}`] : [];
  const handover = describeHandover(report);
  const steps = nextSteps.map((step) => stepItem(step, report));
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
        {steps.length > 0 && <b>What to do</b>}
        {handover && (
          <p>
            <Link url={report.run.url}>{handover}</Link>
          </p>
        )}
        <p>{steps[0]}</p>
        {steps.length > 1 && (
          <details open={isAlone}>
            <summary>{plural(steps.length - 1, 'more step')}</summary>
            <Items kind="sentences" items={steps.slice(1)} />
          </details>
        )}
        {steps.length > 0 && contact !== undefined && (
          <p>
            Questions: <Link url={contact}>{contact}</Link>
          </p>
        )}
        <details open={isAlone}>
          <summary>
            About this run: {cost}, {plural(notices.length, 'notice')}
          </summary>
          <p class="soft">{between(runLinks(report).map(([text, url]) => <Link url={url}>{text}</Link>))}</p>
          <Items kind="sentences" items={[...missed, ...notices].map((text) => <Prose text={text} />)} />
        </details>
      </div>
    </header>
  );
}
