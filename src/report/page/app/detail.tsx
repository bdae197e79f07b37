import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { count, plural } from '../../../lib/format.ts';
import { fileAtCommitUrl } from '../../github-links.ts';
import { day, describeCause, describeFile, describeSteps, effectOf, provenance } from '../../phrases.ts';
import type { Report, ReportedContent } from '../../report.ts';
import { describeEffect, type Entry, type IssueEntry } from './entries.ts';
import { Icon } from './icons.tsx';
import { Link, PathLink, Prose, Timed } from './text.tsx';

/** A longer list is in report.json. */
const MAX_PATHS = 1_000;

type Run = Report['run'];

type DetailProps = Readonly<{ entry: Entry; report: Report; search?: (query: string) => void }>;

/** Everything about one entry. */
export function Detail({ entry, report, search }: DetailProps): JSX.Element {
  const place = useRef<HTMLElement>(null);
  const { run } = report;
  const [path = ''] = entry.paths;
  if (entry.kind === 'problem')
    return (
      <>
        <h2>
          <Prose text={entry.message} />
        </h2>
        <p>
          <Prose text={entry.fix} />
        </p>
        {entry.paths.length > 0 && <h3>{plural(entry.paths.length, 'file')}</h3>}
        <Paths paths={entry.paths} run={run} />
      </>
    );
  const { asset } = entry;
  const seek = (seconds: number): void => {
    const player = place.current?.querySelector<HTMLMediaElement>('video, audio');
    if (!player) return;
    player.currentTime = seconds;
    player.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      {entry.kind === 'issue' ? <IssueTitle entry={entry} /> : <h2>{path.replace(/^.*\//s, '')}</h2>}
      <section class="place" ref={place}>
        <PathLink path={path} run={run} />
        <ul class="facts soft">
          <li>{describeFile(asset)}</li>
          <li>{provenance(asset)}</li>
        </ul>
        <p class="soft hash">SHA-256 {asset.sha256}</p>
        {asset.outcome !== 'judged' && <Unjudged asset={asset} report={report} />}
        <Media key={asset.sha256} asset={asset} run={run} />
      </section>
      {entry.kind === 'issue' ? (
        <IssueTexts entry={entry} seek={isPlayable(asset) ? seek : undefined} />
      ) : (
        <Issues issues={asset.issues} />
      )}
      {asset.issues.length > 1 && (
        <button type="button" class="plain" onClick={() => search?.(path)}>
          Show all issues of this file
        </button>
      )}
      {asset.paths.length > 1 && <h3>All files with the same bytes</h3>}
      {asset.paths.length > 1 && <Paths paths={asset.paths} run={run} />}
    </>
  );
}

function Issues({ issues }: Pick<ReportedContent, 'issues'>): JSX.Element {
  return (
    <>
      {issues.length > 0 && <h3>{plural(issues.length, 'issue')}</h3>}
      <ul class="sentences">
        {issues.map((issue) => (
          <li>
            {issue.severity} <code>{issue.ruleCode}</code> {issue.referenceNumber && `#${issue.referenceNumber} `}
            {issue.headline || issue.summary} <span class="soft">({effectOf(issue)})</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function IssueTitle({ entry }: Readonly<{ entry: IssueEntry }>): JSX.Element {
  const { severity, reportedSeverity, referenceNumber, url, status, headline, summary, ruleCode } = entry.issue;
  return (
    <>
      <h2>{headline || summary}</h2>
      <ul class="tags">
        <li class={severity}>
          <Icon name={severity} />
          {severity}
        </li>
        <li class={entry.issue.failsGate ? 'stop' : undefined}>{describeEffect(entry)}</li>
        <li>Status: {status || 'none'}</li>
        {severity !== reportedSeverity && <li>Reported as {reportedSeverity}</li>}
        <li>
          <code>{ruleCode}</code>
        </li>
        {(referenceNumber !== undefined || url !== undefined) && (
          <li>
            <Link url={url}>{referenceNumber === undefined ? 'At the service' : `#${referenceNumber}`}</Link>
          </li>
        )}
      </ul>
    </>
  );
}

type TextsProps = Readonly<{ entry: IssueEntry; seek: ((seconds: number) => void) | undefined }>;

function IssueTexts({ entry: { issue, topics }, seek }: TextsProps): JSX.Element {
  const { waiver, precedents } = issue;
  return (
    <>
      <Timed text={issue.summary} seek={seek} />
      {waiver && (
        <p>
          <b>Waived</b> by {waiver.owner} until {waiver.expires}: {waiver.reason}
        </p>
      )}
      {issue.reasoning && (
        <>
          <h3>Why {issue.severity}</h3>
          <Timed text={issue.reasoning} seek={seek} />
        </>
      )}
      {precedents.length > 0 && <h3>Precedents</h3>}
      <ul class="sentences">
        {precedents.map(({ url, title, decision, date }) => (
          <li>
            <Link url={url}>{title || url || 'untitled'}</Link>
            {decision && `: ${decision}`}
            {date && <span class="soft"> ({day(date)})</span>}
          </li>
        ))}
      </ul>
      {topics.length > 0 && <h3>{topics.length === 1 ? 'Topic' : 'Topics'}</h3>}
      <p>{topics.join('; ')}</p>
    </>
  );
}

function Unjudged({ asset, report }: Readonly<{ asset: ReportedContent; report: Report }>): JSX.Element {
  const causes = report.causes.filter(({ paths }) => paths.some((path) => asset.paths.includes(path)));
  return (
    <p>
      <b class="stop">Not judged.</b>{' '}
      <Prose text={causes.map((cause) => `${describeCause(cause)} ${describeSteps(cause.steps)}`).join(' ')} />
    </p>
  );
}

function Paths({ paths, run }: Readonly<{ paths: readonly string[]; run: Run }>): JSX.Element {
  return (
    <ul>
      {paths.slice(0, MAX_PATHS).map((path) => (
        <li key={path}>
          <PathLink path={path} run={run} />
        </li>
      ))}
      {paths.length > MAX_PATHS && <li>and {count(paths.length - MAX_PATHS)} more in report.json</li>}
    </ul>
  );
}

/** The embedded bytes as an address; undefined if the page has none. */
function mediaOf({ sha256 }: ReportedContent): string | undefined {
  return document.getElementById(`media-${sha256}`)?.textContent;
}

function isPlayable(asset: ReportedContent): boolean {
  return /^(?:video|audio)\//.test(asset.mime) && mediaOf(asset) !== undefined;
}

function Media({ asset, run }: Readonly<{ asset: ReportedContent; run: Run }>): JSX.Element {
  // Looked up again when the page is complete: the media stand at its end.
  const source = useMemo(() => mediaOf(asset), [asset, document.readyState]);
  const [path = ''] = asset.paths;
  const label = `The checked file ${path}`;
  return (
    <figure>
      {source?.startsWith('data:image/') && <img src={source} alt={label} />}
      {source?.startsWith('data:video/') && (
        <video controls playsInline preload="metadata" aria-label={label} src={source} />
      )}
      {source?.startsWith('data:audio/') && <audio controls preload="metadata" aria-label={label} src={source} />}
      <figcaption class="soft">
        <Link url={fileAtCommitUrl(run, path)}>Open the file on GitHub</Link>
        {source === undefined && ' (not in this page)'}
      </figcaption>
    </figure>
  );
}
