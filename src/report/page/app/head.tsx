import type { JSX } from 'preact';
import { count, plural } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { branchUrl, commitUrl, pullRequestUrl, repositoryUrl } from '../../github-links.ts';
import { consequence, cost, hasJudged, SEVERITY_NAMES, threshold, title } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import type { View } from './filter.ts';
import { Icon } from './icons.tsx';
import { Link, Prose } from './text.tsx';

/** More would push the issues off the screen. */
const MAX_OPEN_STEPS = 3;

interface HeadProps {
  readonly report: Report;
  /** How many active issues have each severity. */
  readonly severities: ReadonlyMap<string, number>;
  readonly change: (change: Partial<View>) => void;
}

/** The verdict, what to do about it, and the numbers behind it. */
export function Head({ report, severities, change }: HeadProps): JSX.Element {
  const { nextSteps, reason, docs, lastKnown, notices } = report;
  return (
    <header class={toneOf(report)}>
      <div class="verdict">
        <h1>
          <Icon name={signOf(report)} />
          <span>
            <Prose text={title(report)} />
          </span>
        </h1>
        <Context report={report} />
        <p>
          <Prose text={`${consequence(report)} ${hasJudged(report) ? threshold(report) : ''}`} />
        </p>
        {lastKnown && (
          <p>
            <Prose text={lastKnown.message} />
          </p>
        )}
        <Numbers report={report} severities={severities} change={change} />
      </div>
      {(nextSteps.length > 0 || reason !== '') && (
        <section class="steps" aria-labelledby="steps">
          <h2 id="steps">What to do now</h2>
          <Folded items={nextSteps} most={MAX_OPEN_STEPS} noun="more step" />
          {reason !== '' && docs !== undefined && (
            <p class="soft">
              More about <code>{reason}</code>:{' '}
              <Link url={`${docs}/troubleshooting.md#${reason}`}>troubleshooting</Link>
            </p>
          )}
        </section>
      )}
      {notices.length > 0 && (
        <section class="notices" aria-label="Notices">
          <Icon name="notice" />
          <Folded items={notices} most={1} noun="more notice" />
        </section>
      )}
    </header>
  );
}

function Folded({
  items,
  most,
  noun,
}: {
  readonly items: readonly string[];
  readonly most: number;
  readonly noun: string;
}): JSX.Element {
  const sentences = items.map((item) => (
    <li>
      <Prose text={item} />
    </li>
  ));
  return (
    <div>
      <ul>{sentences.slice(0, most)}</ul>
      {items.length > most && (
        <details>
          <summary>{plural(items.length - most, noun)}</summary>
          <ul>{sentences.slice(most)}</ul>
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

/** Where and when the files were checked. */
export function Context({ report: { run, gate, judgedAt } }: { readonly report: Report }): JSX.Element {
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  const branch = (run.branch ?? run.ref).replace(/^refs\/(?:heads|tags)\//, '');
  const parts = [
    <b>{gate}</b>,
    run.repository && <Link url={repositoryUrl(run)}>{run.repository}</Link>,
    run.pullRequest ? (
      <Link url={pullRequestUrl(run)}>Pull request #{run.pullRequest.number}</Link>
    ) : (
      branch && <Link url={branchUrl(run)}>{branch}</Link>
    ),
    run.commit && (
      <>
        commit <Link url={commitUrl(run)}>{run.commit.slice(0, 7)}</Link>
      </>
    ),
    <Link url={run.url}>run of {when}</Link>,
  ];
  return (
    <ul class="context soft">
      {parts.filter(Boolean).map((part) => (
        <li>{part}</li>
      ))}
    </ul>
  );
}

/** The same numbers as those of the filters, which each of them sets. */
function Numbers({ report, severities, change }: HeadProps): JSX.Element | null {
  if (report.counts.filesMatched === 0) return null;
  return (
    <ul class="numbers">
      {hasJudged(report) &&
        SEVERITIES.filter((severity) => severities.has(severity)).map((severity) => (
          <li key={severity}>
            <button
              type="button"
              onClick={() => change({ box: 'active', query: '', chosen: { severity: [severity] } })}
            >
              <Icon name={severity} />
              <b>{count(severities.get(severity) ?? 0)}</b> {SEVERITY_NAMES[severity]}
            </button>
          </li>
        ))}
      <li class="soft">Cost: {cost(report)}</li>
    </ul>
  );
}
