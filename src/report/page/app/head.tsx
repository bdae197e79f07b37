import type { JSX } from 'preact';
import { count, plural } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { truncate } from '../../budget.ts';
import { placesOf, troubleshootingUrl } from '../../github-links.ts';
import { consequence, cost, hasJudged, SEVERITY_NAMES, threshold, title } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import type { View } from './filter.ts';
import { Icon } from './icons.tsx';
import { Link, Prose, Sentences } from './text.tsx';

/** More would push the issues off the screen. */
const MAX_OPEN_STEPS = 3;
const MAX_TITLE = 500;

type HeadProps = Readonly<{
  report: Report;
  /** How many active issues have each severity. */
  severities: ReadonlyMap<string, number>;
  change: (change: Partial<View>) => void;
}>;

/** The verdict, what to do about it, and the numbers behind it. */
export function Head({ report, severities, change }: HeadProps): JSX.Element {
  const { nextSteps, reason, notices, submission } = report;
  const help = troubleshootingUrl(report);
  return (
    <header class={toneOf(report)}>
      <div>
        <Verdict report={report} />
        {report.counts.filesMatched > 0 && (
          <p class="numbers">
            {SEVERITIES.filter((severity) => hasJudged(report) && severities.has(severity)).map((severity) => (
              <button
                key={severity}
                type="button"
                onClick={() => change({ box: 'active', query: '', chosen: { severity: [severity] } })}
              >
                <Icon name={severity} />
                <b>{count(severities.get(severity) ?? 0)}</b> {SEVERITY_NAMES[severity]}
              </button>
            ))}
            <span class="soft">Cost: {cost(report)}</span>
          </p>
        )}
      </div>
      {(nextSteps.length > 0 || submission.id !== '') && (
        <section class="steps" aria-label="What to do now" tabIndex={0}>
          {nextSteps.length > 0 && <h2>What to do now</h2>}
          <Folded texts={nextSteps} most={MAX_OPEN_STEPS} noun="more step" />
          {submission.id !== '' && (
            <p class="soft">
              Submission <code>{submission.id}</code> {submission.status}
              {submission.workflowId && `, workflow ${submission.workflowId}`}
            </p>
          )}
          {help !== undefined && (
            <p class="soft">
              More about <code>{reason}</code>: <Link url={help}>troubleshooting</Link>
            </p>
          )}
        </section>
      )}
      {notices.length > 0 && (
        <section class="notices soft" aria-label="Notices" tabIndex={0}>
          <Icon name="notice" />
          <Folded texts={notices} most={1} noun="more notice" />
        </section>
      )}
    </header>
  );
}

type FoldedProps = Readonly<{ texts: readonly string[]; most: number; noun: string }>;

function Folded({ texts, most, noun }: FoldedProps): JSX.Element {
  return (
    <div>
      <Sentences texts={texts.slice(0, most)} />
      {texts.length > most && (
        <details>
          <summary>{plural(texts.length - most, noun)}</summary>
          <Sentences texts={texts.slice(most)} />
        </details>
      )}
    </div>
  );
}

function toneOf({ verdict, isPassing, mode, lastKnown }: Report): 'good' | 'bad' | 'warn' | 'none' {
  if (verdict === 'skipped') return 'none';
  if (verdict === 'pass') return mode === 'sandbox' || lastKnown ? 'warn' : 'good';
  return isPassing ? 'warn' : 'bad';
}

function signOf({ verdict, isPassing, mode }: Report): Report['verdict'] | 'sandbox' | 'warn' {
  if (verdict === 'pass' && mode === 'sandbox') return 'sandbox';
  return verdict === 'error' && isPassing ? 'warn' : verdict;
}

/** What was decided, where and when, and what that means. */
export function Verdict({ report }: Readonly<{ report: Report }>): JSX.Element {
  const { run, judgedAt, lastKnown } = report;
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  const context = [...placesOf(report), [`run of ${when}`, run.url] as const];
  return (
    <>
      <h1>
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
        <Prose text={`${consequence(report)} ${hasJudged(report) ? threshold(report) : ''}`} />
      </p>
      {lastKnown && <p>{lastKnown.message}</p>}
    </>
  );
}
