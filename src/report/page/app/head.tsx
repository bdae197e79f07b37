import type { JSX } from 'preact';
import { count, plural, truncate } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { breadcrumbs, helpLinks } from '../../github-links.ts';
import { consequence, cost, hasJudged, signOf, title } from '../../phrases.ts';
import { isPhone, report } from './browser.ts';
import type { Change } from './filter.ts';
import { Icon } from './icons.tsx';
import { Link, Prose, Sentences, Steps } from './text.tsx';

/** Longer texts and lists would push the issues off the screen. */
const MAX_TITLE = 500;
const MAX_STEPS = 3;

/** The verdict, what to do about it, and the numbers behind it. */
export function Head({ change }: Readonly<{ change: Change }>): JSX.Element {
  const { verdict, nextSteps, notices, submission, counts } = report;
  const severities = SEVERITIES.filter((severity) => hasJudged(report) && counts.bySeverity[severity] > 0);
  return (
    <header class={signOf(report)}>
      <div>
        <Verdict />
        <p class="numbers">
          {severities.map((severity) => (
            <button
              key={severity}
              type="button"
              onClick={() => change({ box: 'active', query: '', chosen: { severity: [severity] } })}
            >
              <Icon name={severity} />
              <b>{count(counts.bySeverity[severity])}</b> {severity}
            </button>
          ))}
          <span class="soft">Cost: {cost(report)}</span>
        </p>
      </div>
      <section class="steps" aria-label="What to do now">
        {nextSteps.length > 0 && <h2>What to do now</h2>}
        <Steps steps={nextSteps} max={isPhone() ? 1 : MAX_STEPS} />
        <ul class="facts soft">
          {helpLinks(report).map(([intro, text, url]) => (
            <li>
              {intro} <Link url={url}>{text}</Link>
            </li>
          ))}
        </ul>
        {(submission.id !== '' || notices.length > 0) && (
          <details class="soft" open={verdict === 'skipped'}>
            <summary>About this run{notices.length > 0 && `: ${plural(notices.length, 'notice')}`}</summary>
            {submission.id !== '' && (
              <p>
                Submission <code>{submission.id}</code> {submission.status}
                {submission.workflowId && `, workflow ${submission.workflowId}`}
              </p>
            )}
            <Sentences texts={notices} />
          </details>
        )}
      </section>
    </header>
  );
}

/** The verdict with its consequence, and the run and time of the verdict. */
export function Verdict(): JSX.Element {
  const { run, judgedAt, lastKnown } = report;
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  const context = [...breadcrumbs(report), [`run of ${when}`, run.url] as const];
  return (
    <>
      <h1 class={signOf(report)}>
        <Icon name={signOf(report)} />
        <span>
          <Prose text={truncate(title(report), MAX_TITLE)} />
        </span>
      </h1>
      <ul class="facts soft">
        {context.map(([text, url]) => (
          <li key={text}>
            <Link url={url}>{text}</Link>
          </li>
        ))}
      </ul>
      <p>
        <Prose text={consequence(report)} />
      </p>
      {lastKnown && (
        <p>
          <Prose text={lastKnown.message} />
        </p>
      )}
    </>
  );
}
