import type { JSX } from 'preact';
import { count, formatList, plural, truncate } from '../../../lib/format.ts';
import { occurring } from '../../facts.ts';
import { breadcrumbs, helpLinks } from '../../github-links.ts';
import { describeNew, handover, NOT_SELECTED, nameActor, signOf, title } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { Icon, Link, Prose, Sentences, Steps } from './elements.tsx';
import type { PageData } from './entries.ts';

/** A longer text would push the issues off the screen. */
const MAX_TITLE = 500;
const MAX_UNCHECKED = 50;

/** The verdict and its numbers. The steps and the facts of the run are folded, so that the list is on the screen. */
export function Head({ report, all }: PageData): JSX.Element {
  const { nextSteps, notices, unchecked, counts, verdict } = report;
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
  return (
    <header class={signOf(report).name}>
      <div>
        <Verdict report={report} />
        <ul class="tags">
          {occurring(counts.bySeverity).map((severity) => (
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
              <b>What to do now</b> {nameActor(first.actor, report)}:{' '}
              <Prose text={first.text + handover(first, report)} />
            </summary>
            <Steps steps={nextSteps} contact={report.contact} />
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
  const { run, judgedAt, submission } = report;
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  const context = [...breadcrumbs(report), [`run of ${when}`, run.url] as const];
  return (
    <ul class="facts soft">
      {context.map(([text, url]) => (
        <li key={text}>
          <Link url={url}>{text}</Link>
        </li>
      ))}
      <li>Cost: {report.cost}</li>
      {submission.id !== '' && (
        <li>
          submission <code>{submission.id}</code> {submission.status}
        </li>
      )}
      {submission.workflowId && <li>workflow {submission.workflowId}</li>}
    </ul>
  );
}
