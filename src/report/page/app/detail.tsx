import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatList, plural } from '../../../lib/format.ts';
import { isJudged } from '../../../service/analysis.ts';
import type { ListedIssue } from '../../facts.ts';
import { fileAtCommitUrl } from '../../links.ts';
import { day, describeContent, describeIssue, UNTOUCHED, waiversToCopy } from '../../phrases.ts';
import type { Report, ReportedCause, ReportedContent } from '../../report.ts';
import { between, Icon, Link, Prose, Sentences, Steps } from './elements.tsx';
import { RowLink } from './list.tsx';
import { type Row, startOf } from './rows.ts';

type Page = Readonly<{ report: Report; all: readonly Row[] }>;

/** The chosen row, in full. */
export function Detail({ row, report, all }: Page & Readonly<{ row: Row }>): JSX.Element {
  const { list, cells, cause, listed, content } = row;
  const title = cells.Headline ?? '';
  const causes = report.causes.filter(({ paths }) => paths.some((path) => content?.paths.includes(path)));
  const isUnjudged = content && !isJudged(content) && causes.length > 0;
  const related = all.filter((one) => content && one.content === content && one.list !== list);
  return (
    <>
      <h2>{cause ? <Prose text={title} /> : title}</h2>
      {cause && <AboutProblem report={report} all={all} cause={cause} />}
      {listed && <Tags report={report} listed={listed} />}
      {content && <Place content={content} start={listed ? startOf(listed.issue) : 0} report={report} />}
      {isUnjudged && (
        <p>
          <b class="stop">Not judged.</b> <Prose text={causes.map(({ message }) => message).join(' ')} />
        </p>
      )}
      {isUnjudged && <OwnSteps causes={causes} report={report} />}
      {listed && <AboutIssue report={report} listed={listed} />}
      {related.length > 0 && <h3>{list === 'issues' ? 'File' : plural(related.length, 'issue')}</h3>}
      {related.map((one) => (
        <RowLink key={one.id} row={one} />
      ))}
    </>
  );
}

/** The steps of a problem, but for the one that stands in the head of the page. */
function OwnSteps({ causes, report }: Readonly<{ causes: readonly ReportedCause[]; report: Report }>): JSX.Element {
  const [first] = report.nextSteps;
  const steps = causes.flatMap((cause) => cause.steps).filter(({ text }) => text !== first?.text);
  return <Steps steps={steps} />;
}

function AboutProblem({ report, all, cause }: Page & Readonly<{ cause: ReportedCause }>): JSX.Element {
  const { detail, submissionIds, paths } = cause;
  const wanted = new Set(paths);
  const files = all.filter(({ list, cells }) => list === 'files' && wanted.has(cells.Files ?? ''));
  const [content, ...others] = new Set(files.flatMap((file) => file.content ?? []));
  const found = new Set(files.map(({ cells }) => cells.Files));
  return (
    <>
      <OwnSteps causes={[cause]} report={report} />
      {detail !== undefined && <p class="soft">{detail}</p>}
      {submissionIds.length > 0 && <p class="soft">Submission {formatList(submissionIds)}</p>}
      {content && others.length === 0 && <Place content={content} start={0} report={report} />}
      {paths.length > 0 && <h3>{plural(paths.length, 'file')}</h3>}
      {files.map((file) => (
        <RowLink key={file.id} row={file} />
      ))}
      <Paths paths={paths.filter((path) => !found.has(path))} report={report} />
    </>
  );
}

type PlaceProps = Readonly<{ content: ReportedContent; start: number; report: Report }>;

function Place({ content, start, report }: PlaceProps): JSX.Element {
  const { kind, origin } = describeContent(content, report);
  return (
    <section class="place">
      <Paths paths={content.paths} report={report} />
      <p class="soft">{between([kind, origin, content.isChanged === false && UNTOUCHED])}</p>
      <Preview key={content.sha256} content={content} start={start} />
    </section>
  );
}

function Paths({ paths, report }: Readonly<{ paths: readonly string[]; report: Report }>): JSX.Element {
  return (
    <ul>
      {paths.map((path) => (
        <li key={path}>
          <Link url={fileAtCommitUrl(report.run, path)}>
            <code>{path}</code>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Tags({ report, listed: { issue } }: Readonly<{ report: Report; listed: ListedIssue }>): JSX.Element {
  const { severity, reportedSeverity, url, ruleCode, sidekickId, createdAt, updatedAt } = issue;
  const { effect, number, status } = describeIssue(issue, report);
  const dates = [
    createdAt && `created ${day(createdAt)}`,
    updatedAt && `updated ${day(updatedAt)}`,
    sidekickId && `by checker ${sidekickId}`,
  ];
  return (
    <>
      <ul class="tags">
        <li class={severity}>
          <Icon name={severity} />
          {severity}
        </li>
        <li class={issue.failsGate ? 'stop' : undefined}>{effect}</li>
        <li>Status: {status}</li>
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
      <p class="soft">{between(dates)}</p>
    </>
  );
}

function AboutIssue({ report, listed }: Readonly<{ report: Report; listed: ListedIssue }>): JSX.Element {
  const { issue, topics } = listed;
  const { waiver } = describeIssue(issue, report);
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
      {issue.precedents.length > 0 && <h3>Precedents</h3>}
      <Sentences
        texts={issue.precedents.map(({ url, title, decision, date }) => (
          <>
            <Link url={url}>{title || url || 'untitled'}</Link>
            {decision && `: ${decision}`}
            {date && <span class="soft"> ({day(date)})</span>}
          </>
        ))}
      />
      {topics.length > 0 && <h3>{topics.length === 1 ? 'Topic' : 'Topics'}</h3>}
      <p>{topics.join('; ')}</p>
      {issue.failsGate && report.waiversFile !== undefined && (
        <>
          <h3>Waiver</h3>
          <p>
            To accept the issue, fill in this entry, add it to <code>{report.waiversFile}</code>, and merge that in a
            pull request of its own.
          </p>
          <pre>{waiversToCopy([listed])}</pre>
        </>
      )}
    </>
  );
}

const NOT_EMBEDDED =
  'No preview: this page contains up to 30 MB of pictures, films and sounds that have issues or could not be analysed, as they were when they were checked.';

const NO_DOCUMENTS = 'No preview: this file is a document, and this page shows only pictures, films and sounds.';

type PreviewProps = Omit<PlaceProps, 'report'>;

/** Shows the file, or says why it cannot be shown. A film or a sound starts at `start`, in seconds. */
function Preview({ content: { sha256, mime, category, paths }, start }: PreviewProps): JSX.Element {
  const source = document.getElementById(`media-${sha256}`)?.textContent;
  const [isDefect, setDefect] = useState(false);
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const goToStart = (): void => {
    // A text may mention a time that this file does not have.
    if (player.current && start < player.current.duration) player.current.currentTime = start;
  };
  useEffect(goToStart, [start]);
  const label = `The checked file ${paths[0]}`;
  const events = { onError: () => setDefect(true), onLoadedMetadata: goToStart };
  const playing = { ref: player, src: source, controls: true, preload: 'metadata', ...events } as const;
  const [kind] = mime.split('/');
  if (source === undefined) return <p class="soft">{category === 'document' ? NO_DOCUMENTS : NOT_EMBEDDED}</p>;
  if (isDefect) return <p class="soft">This browser cannot show the file.</p>;
  if (kind === 'video') return <video {...playing} playsInline aria-label={label} />;
  if (kind === 'audio') return <audio {...playing} aria-label={label} />;
  return <img src={source} alt={label} {...events} />;
}
