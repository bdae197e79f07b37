import type { JSX } from 'preact';
import { formatList, plural } from '../../../lib/format.ts';
import {
  day,
  describeFile,
  describeStatus,
  describeWaiver,
  numberOf,
  provenance,
  UNTOUCHED,
  waiversToCopy,
} from '../../phrases.ts';
import type { ReportedCause, ReportedContent } from '../../report.ts';
import { all, report } from './browser.ts';
import { type Entry, firstTime } from './entries.ts';
import { inBox, NO_FILTER } from './filter.ts';
import { Icon } from './icons.tsx';
import { type Actions, Rows } from './list.tsx';
import { Preview } from './preview.tsx';
import { Link, PathLink, Prose, Steps, TextButton } from './text.tsx';

export function Detail({ entry, actions }: Readonly<{ entry: Entry; actions?: Actions }>): JSX.Element {
  const { title, cause } = entry;
  return (
    <>
      <h2>{cause ? <Prose text={title} /> : title}</h2>
      {cause && <AboutCause cause={cause} actions={actions} />}
      <Tags entry={entry} />
      <AboutContent entry={entry} actions={actions} />
    </>
  );
}

function AboutCause({ cause, actions }: Readonly<{ cause: ReportedCause; actions: Actions }>): JSX.Element {
  const { detail, steps, submissionIds, paths, isChanged } = cause;
  const wanted = new Set(paths);
  const files = inBox(all, 'files').filter((file) => file.paths.some((path) => wanted.has(path)));
  const [content, ...others] = new Set(files.map((file) => file.content));
  const found = new Set(files.flatMap((file) => file.paths));
  return (
    <>
      <Steps steps={steps} />
      {detail !== undefined && <p class="soft">{detail}</p>}
      {submissionIds.length > 0 && <p class="soft">Submission {formatList(submissionIds)}</p>}
      {paths.length > 1 && <h3>{plural(paths.length, 'file')}</h3>}
      {content && others.length === 0 && <Place content={content} start={0} />}
      {others.length > 0 && <Rows entries={files} actions={actions} />}
      <Paths paths={paths.filter((path) => !found.has(path))} isChanged={isChanged} />
    </>
  );
}

function AboutContent({ entry, actions }: Readonly<{ entry: Entry; actions: Actions }>): JSX.Element | null {
  const { issue, content } = entry;
  if (!content) return null;
  const causes = report.causes.filter(({ paths }) => paths.some((path) => content.paths.includes(path)));
  const [path = ''] = entry.paths;
  const texts = [issue?.headline, issue?.summary, issue?.reasoning];
  return (
    <>
      {/* A film starts at the first timestamp in the texts of the issue. */}
      <Place content={content} start={firstTime(texts.join('\n'))} />
      {content.outcome !== 'judged' && causes.length > 0 && (
        <>
          <p>
            <b class="stop">Not judged.</b> <Prose text={causes.map(({ message }) => message).join(' ')} />
          </p>
          <Steps steps={causes.flatMap(({ steps }) => steps)} />
        </>
      )}
      <IssueTexts entry={entry} />
      {actions && issue?.failsGate && report.waiversFile !== undefined && (
        <p>
          <button type="button" onClick={() => actions.copy(waiversToCopy([{ issue, content }]), 'a waiver')}>
            Copy a waiver
          </button>{' '}
          Fill in the blanks, add it to <code>{report.waiversFile}</code>, and merge that in a pull request of its own.
        </p>
      )}
      {!issue && content.issues.length > 0 && (
        <>
          <h3>{plural(content.issues.length, 'issue')}</h3>
          <Rows entries={inBox(all, 'all').filter((one) => one.content === content)} actions={actions} />
        </>
      )}
      {actions && content.issues.length > 1 && (
        <TextButton onClick={() => actions.visit({ ...NO_FILTER, box: 'all', query: path })}>
          Show all issues of this file
        </TextButton>
      )}
      {content.paths.length > 1 && <h3>All files with the same bytes</h3>}
      <Paths paths={content.paths.length > 1 ? content.paths : []} isChanged={content.isChanged} />
    </>
  );
}

function Place({ content, start }: Readonly<{ content: ReportedContent; start: number }>): JSX.Element {
  const [path] = content.paths;
  return (
    <section class="place">
      <PathLink key={path} path={path} isChanged={content.isChanged} />
      <ul class="facts soft">
        <li>{describeFile(content)}</li>
        <li>{provenance(content, report.reason === 'dry-run')}</li>
        {content.isChanged === false && <li>{UNTOUCHED}</li>}
      </ul>
      <p class="soft hash">SHA-256 {content.sha256}</p>
      <Preview key={content.sha256} content={content} start={start} />
    </section>
  );
}

function Tags({ entry: { issue, effect } }: Readonly<{ entry: Entry }>): JSX.Element | null {
  if (!issue) return null;
  const { severity, reportedSeverity, url, status, ruleCode, sidekickId, createdAt, updatedAt } = issue;
  const number = numberOf(issue);
  return (
    <>
      <ul class="tags">
        <li class={severity}>
          <Icon name={severity} />
          {severity}
        </li>
        <li class={issue.failsGate ? 'stop' : undefined}>{effect}</li>
        <li>Status: {describeStatus(status)}</li>
        {severity !== reportedSeverity && <li>Reported as {reportedSeverity}</li>}
        <li>
          <code>{ruleCode}</code>
        </li>
        {(number !== '' || url !== undefined) && (
          <li>
            <Link url={url}>{number || 'At the service'}</Link>
          </li>
        )}
      </ul>
      <ul class="facts soft">
        {createdAt && <li>created {day(createdAt)}</li>}
        {updatedAt && <li>updated {day(updatedAt)}</li>}
        {sidekickId && <li>by checker {sidekickId}</li>}
      </ul>
    </>
  );
}

function IssueTexts({ entry }: Readonly<{ entry: Entry }>): JSX.Element | null {
  const { issue, topics = [] } = entry;
  if (!issue) return null;
  const { precedents } = issue;
  const waiver = describeWaiver(issue);
  return (
    <>
      <p class="text">{issue.summary}</p>
      {waiver && (
        <p>
          <b>Waiver:</b> {waiver}
        </p>
      )}
      {issue.reasoning && <h3>Why {issue.severity}</h3>}
      <p class="text">{issue.reasoning}</p>
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

function Paths({ paths, isChanged }: Pick<ReportedCause, 'paths' | 'isChanged'>): JSX.Element {
  return (
    <ul>
      {paths.map((path) => (
        <li key={path}>
          <PathLink path={path} isChanged={isChanged} />
        </li>
      ))}
    </ul>
  );
}
