import type { JSX } from 'preact';
import { count, formatList, plural, truncate } from '../../../lib/format.ts';
import { occurring } from '../../facts.ts';
import { breadcrumbs, helpLinks, runLinks } from '../../links.ts';
import { describeNew, NOT_SELECTED, nameActor, signOf, title } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { Icon, Link, Prose, Sentences, Steps } from './elements.tsx';
import type { PageData } from './entries.ts';

/** A longer text would push the issues off the screen. */
const MAX_TITLE = 500;
const MAX_UNCHECKED = 50;

/** The verdict and its numbers. The steps and the facts of the run are folded, so that the list is on the screen. */
export function Head({ report, all }: PageData): JSX.Element {
  const { nextSteps, notices, unchecked, counts, verdict, mode } = report;
  const [first] = nextSteps;
  const [, ...place] = breadcrumbs(report).map(([text]) => text);
  const missed = unchecked.length > 0 ? [`${NOT_SELECTED} ${formatList(unchecked, MAX_UNCHECKED)}`] : [];
  const about = [
    missed.length > 0 && `${count(unchecked.length)} not checked`,
    notices.length > 0 && plural(notices.length, 'notice'),
    report.cost,
    ...place,
  ].filter(Boolean);
  const added = describeNew(report);
  // A sandbox and a skipped run analyse nothing, so a number of issues would mislead.
  const severities = mode === 'sandbox' || verdict === 'skipped' ? [] : occurring(counts.bySeverity);
  return (
    <header class={signOf(report).name}>
      <div>
        <Verdict report={report} />
        <ul class="tags">
          {severities.map((severity) => (
            <li key={severity}>
              <Icon name={severity} />
              <b>{count(counts.bySeverity[severity])}</b> {severity}
            </li>
          ))}
          {added && (
            <li>
              <b>
                <Prose text={added} />
              </b>
            </li>
          )}
        </ul>
      </div>
      <section>
        {first && (
          <details class="steps" open={all.length === 0}>
            <summary>
              <b>What to do now</b> {nameActor(first)}: <Prose text={first.text} />
            </summary>
            <Steps steps={nextSteps} report={report} />
            <ul class="facts soft">
              {helpLinks(report).map(([intro, text, url]) => (
                <li>
                  {intro} <Link url={url}>{text}</Link>
                </li>
              ))}
            </ul>
          </details>
        )}
        <details open={verdict === 'skipped'}>
          <summary>
            <b>About this run</b> {about.join(', ')}
          </summary>
          <RunFacts report={report} />
          <Sentences texts={[...missed, ...notices]} />
        </details>
      </section>
    </header>
  );
}

export function Verdict({ report }: Readonly<{ report: Report }>): JSX.Element {
  const { lastKnown } = report;
  const { name } = signOf(report);
  return (
    <>
      <h1 class={name}>
        <Icon name={name} />
        <span>
          <Prose text={truncate(title(report), MAX_TITLE)} />
        </span>
      </h1>
      <p>
        <Prose text={report.consequence} />
      </p>
      {lastKnown && (
        <p>
          <Prose text={lastKnown} />
        </p>
      )}
    </>
  );
}

export function RunFacts({ report }: Readonly<{ report: Report }>): JSX.Element {
  return (
    <ul class="facts soft">
      {runLinks(report).map(([text, url]) => (
        <li key={text}>
          <Link url={url}>{text}</Link>
        </li>
      ))}
      <li>Cost: {report.cost}</li>
    </ul>
  );
}
