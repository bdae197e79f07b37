import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleLines } from '../../../lib/escape.ts';
import { day, describeContent, describeIssue, fileAtCommitUrl, UNTOUCHED, waiversToCopy } from '../../phrases.ts';
import type { ListedIssue, Report, ReportedContent } from '../../report.ts';
import { between, Icon, Items, Link, Prose, stepItem } from './elements.tsx';
import { RowLink } from './list.tsx';
import { type Row, startOf } from './rows.ts';

type DetailProps = Readonly<{ row: Row; report: Report; all: readonly Row[] }>;

/** The chosen row, in full, and the rows of the other lists about the same files. */
export function Detail({ row, report, all }: DetailProps): JSX.Element {
  const { list, cells, cause, listed, paths } = row;
  const related = all.filter((one) => one.list !== list && one.paths.some((path) => paths.includes(path)));
  const [content] = [row, ...related].flatMap((one) => one.content ?? []);
  const { kind, origin } = content ? describeContent(content, report) : {};
  const start = listed ? startOf(listed.issue) : 0;
  const files = (content?.paths ?? paths).map((path) => (
    <Link url={fileAtCommitUrl(report.run, path)}>
      <code>{path}</code>
    </Link>
  ));
  // The head of the page has the steps of the only problem.
  const steps = cause && report.causes.length > 1 ? cause.steps : [];
  return (
    <>
      <h2>
        <Prose text={cells.Headline ?? ''} />
      </h2>
      <Items kind="sentences" items={steps.map((step) => stepItem(step, report))} />
      <p class="soft">{cause?.detail}</p>
      {listed && <Tags row={row} listed={listed} />}
      {paths.length > 0 && (
        <section class="place">
          <Items items={files} />
          <p class="soft">{between([kind, origin, content?.isChanged === false && UNTOUCHED])}</p>
          {content && <Preview key={`${content.sha256} ${start}`} content={content} start={start} />}
        </section>
      )}
      {listed && <AboutIssue row={row} listed={listed} waiversFile={report.waiversFile} />}
      {related.length > 0 && <h3>Also about this file</h3>}
      {related.map((one) => (
        <RowLink row={one} />
      ))}
    </>
  );
}

type IssueProps = Readonly<{ row: Row; listed: ListedIssue }>;

function Tags({ row: { cells }, listed: { issue } }: IssueProps): JSX.Element {
  const { severity, url } = issue;
  const tags = [
    <b class={severity}>
      <Icon name={severity} /> {severity}
    </b>,
    <span class={issue.failsGate ? 'stop' : ''}>{describeIssue(issue).effect}</span>,
    `Status: ${cells.Status}`,
    <code>{cells.Rule}</code>,
    (cells.Number || url) && <Link url={url}>{cells.Number || 'At the service'}</Link>,
    cells.Checker && `Checker ${cells.Checker}`,
  ];
  return <Items kind="tags" items={tags} />;
}

function AboutIssue({ row: { cells }, listed, waiversFile }: IssueProps & Pick<Report, 'waiversFile'>): JSX.Element {
  const { severity, precedents, failsGate } = listed.issue;
  const texts = [
    ['', cells.Summary],
    [`Why ${severity}`, cells.Reasoning],
    ['Topic', cells.Topic],
    ['Waiver', cells.Waiver],
  ] as const;
  const decided = precedents.map(({ url, title, decision, date }) => (
    <>
      <Link url={url}>{title || url || 'untitled'}</Link>
      {decision && `: ${decision}`} {date && <span class="soft name">({day(date)})</span>}
    </>
  ));
  return (
    <>
      {texts.map(([name, text]) => [text && name && <h3>{name}</h3>, text && <p class="text">{text}</p>])}
      {decided.length > 0 && <h3>Precedents</h3>}
      <Items kind="sentences" items={decided} />
      {failsGate && waiversFile !== undefined && (
        <>
          <h3>To accept this issue</h3>
          <p>
            Fill in this entry, add it to <code>{waiversFile}</code>, and merge that in a pull request of its own.
          </p>
          <pre>{waiversToCopy(listed)}</pre>
        </>
      )}
    </>
  );
}

const NOT_EMBEDDED =
  'No preview: this page contains only pictures, films and sounds that have issues or could not be analysed, up to 30 MB, as they were when they were checked.';

type PreviewProps = Readonly<{ content: ReportedContent; start: number }>;

/** Shows the file, or says why it cannot be shown. A film or a sound starts at `start`, in seconds. */
function Preview({ content: { sha256, mime, paths }, start }: PreviewProps): JSX.Element {
  const src = document.getElementById(`media-${sha256}`)?.textContent;
  const [isDefect, setDefect] = useState(false);
  const name = visibleLines(`The checked file ${paths[0]}`);
  const onError = (): void => setDefect(true);
  if (src === undefined) return <p class="soft">{NOT_EMBEDDED}</p>;
  if (isDefect) return <p class="soft">This browser cannot show the file.</p>;
  if (mime.startsWith('image/')) return <img src={src} alt={name} onError={onError} />;
  // A text may mention a time that this file does not have.
  const onLoadedMetadata = ({ currentTarget }: JSX.TargetedEvent<HTMLMediaElement>): void => {
    if (start < currentTarget.duration) currentTarget.currentTime = start;
  };
  const player = { src, 'aria-label': name, onError, onLoadedMetadata, controls: true, playsInline: true };
  return mime.startsWith('audio/') ? (
    <audio {...player} preload="metadata" />
  ) : (
    <video {...player} preload="metadata" />
  );
}
