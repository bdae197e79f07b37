import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedIssue } from '../../facts.ts';
import { fileAtCommitUrl } from '../../links.ts';
import { day, describeContent, describeIssue, UNTOUCHED, waiversToCopy } from '../../phrases.ts';
import type { Report, ReportedContent } from '../../report.ts';
import { between, Icon, Items, Link, Prose, stepItem } from './elements.tsx';
import { RowLink } from './list.tsx';
import { type Row, startOf } from './rows.ts';

type DetailProps = Readonly<{ row: Row; report: Report; all: readonly Row[] }>;

/** The chosen row, in full, and the rows of the other lists about the same files. */
export function Detail({ row, report, all }: DetailProps): JSX.Element {
  const { list, cells, cause, listed } = row;
  const { Headline = '' } = cells;
  const wanted = new Set(row.paths);
  const related = all.filter((one) => one.list !== list && one.paths.some((path) => wanted.has(path)));
  const contents = new Set([row, ...related].flatMap(({ content }) => content ?? []));
  // A problem may be about many files, of which each has its own row.
  const [content] = contents.size === 1 ? contents : [];
  const found = new Set(related.flatMap(({ paths }) => paths));
  const [first] = report.nextSteps;
  // The first step stands in the head of the page.
  const steps = cause?.steps.filter(({ text }) => text !== first?.text) ?? [];
  return (
    <>
      <h2>{cause ? <Prose text={Headline} /> : Headline}</h2>
      <Items kind="sentences" items={steps.map(stepItem)} />
      <p class="soft">{cause?.detail}</p>
      {listed && <Tags report={report} listed={listed} />}
      {content && <Place content={content} start={listed ? startOf(listed.issue) : 0} report={report} />}
      {listed && <AboutIssue report={report} listed={listed} />}
      {cause && <Paths paths={row.paths.filter((path) => !found.has(path))} report={report} />}
      {related.length > 0 && <h3>{cause ? 'Files' : 'Also about this file'}</h3>}
      {related.map((one) => (
        <RowLink row={one} />
      ))}
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
  const links = paths.map((path) => (
    <Link url={fileAtCommitUrl(report.run, path)}>
      <code>{path}</code>
    </Link>
  ));
  return <Items items={links} />;
}

type IssueProps = Readonly<{ report: Report; listed: ListedIssue }>;

function Tags({ report, listed: { issue } }: IssueProps): JSX.Element {
  const { severity, reportedSeverity, failsGate, url, ruleCode, sidekickId, createdAt, updatedAt } = issue;
  const { effect, number, status } = describeIssue(issue, report);
  const tags = [
    <b class={severity}>
      <Icon name={severity} /> {severity}
    </b>,
    failsGate ? <b class="stop">{effect}</b> : effect,
    `Status: ${status}`,
    severity !== reportedSeverity && `Reported as ${reportedSeverity}`,
    <code>{ruleCode}</code>,
    (number || url) && <Link url={url}>{number || 'At the service'}</Link>,
  ];
  const facts = [
    createdAt && `created ${day(createdAt)}`,
    updatedAt && `updated ${day(updatedAt)}`,
    sidekickId && `by checker ${sidekickId}`,
  ];
  return (
    <>
      <Items kind="tags" items={tags} />
      <p class="soft">{between(facts)}</p>
    </>
  );
}

function AboutIssue({ report, listed }: IssueProps): JSX.Element {
  const { issue, topics } = listed;
  const { waiver } = describeIssue(issue, report);
  const precedents = issue.precedents.map(({ url, title, decision, date }) => (
    <>
      <Link url={url}>{title || url || 'untitled'}</Link>
      {decision && `: ${decision}`} {date && <span class="soft">({day(date)})</span>}
    </>
  ));
  return (
    <>
      <p class="text">{issue.summary}</p>
      {issue.reasoning && <h3>Why {issue.severity}</h3>}
      <p class="text">{issue.reasoning}</p>
      {precedents.length > 0 && <h3>Precedents</h3>}
      <Items kind="sentences" items={precedents} />
      {topics.length > 0 && <h3>Topic</h3>}
      <p>{topics.join('; ')}</p>
      {waiver && <h3>Waiver</h3>}
      <p>{waiver}</p>
      {issue.failsGate && report.waiversFile !== undefined && (
        <>
          <h3>To accept this issue</h3>
          <p>
            Fill in this entry, add it to <code>{report.waiversFile}</code>, and merge that in a pull request of its
            own.
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
  const name = `The checked file ${paths[0]}`;
  const events = { onError: () => setDefect(true), onLoadedMetadata: goToStart };
  const playing = {
    ref: player,
    src: source,
    controls: true,
    preload: 'metadata',
    'aria-label': name,
    ...events,
  } as const;
  if (source === undefined) return <p class="soft">{category === 'document' ? NO_DOCUMENTS : NOT_EMBEDDED}</p>;
  if (isDefect) return <p class="soft">This browser cannot show the file.</p>;
  if (mime.startsWith('video/')) return <video {...playing} playsInline />;
  if (mime.startsWith('audio/')) return <audio {...playing} />;
  return <img src={source} alt={name} {...events} />;
}
