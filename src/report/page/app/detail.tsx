import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { count, formatList, plural } from '../../../lib/format.ts';
import { day, describeFile, provenance, UNTOUCHED } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { describeEffect, type Entry, type IssueEntry, type ProblemEntry } from './entries.ts';
import type { Index } from './filter.ts';
import { Icon } from './icons.tsx';
import { isPlayable, Preview, type PreviewProps } from './preview.tsx';
import { Rows } from './row.tsx';
import { Link, PathLink, Prose, Steps, Timed } from './text.tsx';
import { firstTime } from './times.ts';

/** A longer list is in report.json. */
const MAX_PATHS = 1_000;

type DetailProps = Readonly<{
  entry: Entry;
  report: Report;
  index: Index;
  open?: ((entry: Entry) => void) | undefined;
  search?: (query: string) => void;
}>;

/** Everything about one entry. */
export function Detail({ entry, report, index, open, search }: DetailProps): JSX.Element {
  const place = useRef<HTMLElement>(null);
  const [path = ''] = entry.paths;
  if (entry.kind === 'problem') return <Problem entry={entry} report={report} index={index} open={open} />;
  const { content } = entry;
  const causes = report.causes.filter(({ paths }) => paths.some((one) => content.paths.includes(one)));
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
        <Place content={content} report={report} start={entry.kind === 'issue' ? startOf(entry) : 0} />
        {content.outcome !== 'judged' && causes.length > 0 && (
          <>
            <p>
              <b class="stop">Not judged.</b> <Prose text={causes.map(({ message }) => message).join(' ')} />
            </p>
            <Steps steps={causes.flatMap(({ steps }) => steps)} />
          </>
        )}
      </section>
      {entry.kind === 'issue' && <IssueTexts entry={entry} seek={isPlayable(content) ? seek : undefined} />}
      {entry.kind === 'file' && content.issues.length > 0 && (
        <>
          <h3>{plural(content.issues.length, 'issue')}</h3>
          <Rows entries={index.issuesOf(content)} report={report} open={open} />
        </>
      )}
      {search && content.issues.length > 1 && (
        <button type="button" class="plain" onClick={() => search(path)}>
          Show all issues of this file
        </button>
      )}
      {content.paths.length > 1 && <h3>All files with the same bytes</h3>}
      {content.paths.length > 1 && <Paths paths={content.paths} isUntouched={content.isUntouched} run={report.run} />}
    </>
  );
}

/** A film opens where the text says that something happens. */
function startOf({ issue: { headline = '', summary, reasoning = '' } }: IssueEntry): number {
  return firstTime([headline, summary, reasoning]) ?? 0;
}

function Place({ content, report, start }: PreviewProps): JSX.Element {
  return (
    <>
      <PathLink path={content.paths[0] ?? ''} isUntouched={content.isUntouched} run={report.run} />
      <ul class="facts soft">
        <li>{describeFile(content)}</li>
        <li>{provenance(content, report.reason === 'dry-run')}</li>
        {content.isUntouched && <li>{UNTOUCHED}</li>}
      </ul>
      <p class="soft hash">SHA-256 {content.sha256}</p>
      <Preview key={content.sha256} content={content} report={report} start={start} />
    </>
  );
}

type ProblemProps = Pick<DetailProps, 'report' | 'index' | 'open'> & Readonly<{ entry: ProblemEntry }>;

/** What happened, what to do, and the files that it happened to. */
function Problem({ entry, report, index, open }: ProblemProps): JSX.Element {
  const files = index.filesAt(entry.paths);
  const [content, ...others] = new Set(files.map((file) => file.content));
  const found = new Set(files.flatMap(({ paths }) => paths));
  const missing = entry.paths.filter((path) => !found.has(path));
  return (
    <>
      <h2>
        <Prose text={entry.message} />
      </h2>
      <Steps steps={entry.steps} />
      {entry.submissionIds.length > 0 && <p class="soft">Submission {formatList(entry.submissionIds)}</p>}
      {entry.paths.length > 1 && <h3>{plural(entry.paths.length, 'file')}</h3>}
      {content && others.length === 0 && (
        <section class="place">
          <Place content={content} report={report} start={0} />
        </section>
      )}
      {others.length > 0 && <Rows entries={files} report={report} open={open} />}
      <Paths paths={missing} isUntouched={entry.isUntouched} run={report.run} />
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

type PathsProps = Readonly<{ paths: readonly string[]; isUntouched: boolean; run: Report['run'] }>;

function Paths({ paths, isUntouched, run }: PathsProps): JSX.Element {
  return (
    <ul>
      {paths.slice(0, MAX_PATHS).map((path) => (
        <li key={path}>
          <PathLink path={path} isUntouched={isUntouched} run={run} />
        </li>
      ))}
      {paths.length > MAX_PATHS && <li>and {count(paths.length - MAX_PATHS)} more in report.json</li>}
    </ul>
  );
}
