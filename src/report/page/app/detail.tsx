import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatList, plural } from '../../../lib/format.ts';
import { comparisonUrl, fileAtCommitUrl, repositoryPath } from '../../links.ts';
import { day, describeContent, UNTOUCHED, waiversToCopy } from '../../phrases.ts';
import type { Report, ReportedCause, ReportedContent } from '../../report.ts';
import type { Copy } from './browser.ts';
import { Icon, Link, Prose, Steps, TextButton } from './elements.tsx';
import { type Entry, type FileEntry, type IssueEntry, type PageData, type ProblemEntry, startOf } from './entries.ts';
import { Rows } from './list.tsx';
import { type Change, NO_FILTER } from './view.ts';

type DetailProps<Kind extends Entry = Entry> = PageData &
  Readonly<{
    entry: Kind;
    /** What the buttons do. Undefined on paper, where nobody can press a button. */
    actions?: Readonly<{ visit: Change; copy: Copy }> | undefined;
  }>;

export function Detail({ entry, ...page }: DetailProps): JSX.Element {
  const { kind, title } = entry;
  return (
    <>
      <h2>{kind === 'problem' ? <Prose text={title} /> : title}</h2>
      {kind === 'issue' && <Tags entry={entry} />}
      {kind === 'problem' ? <AboutProblem {...page} entry={entry} /> : <AboutContent {...page} entry={entry} />}
    </>
  );
}

function AboutProblem({ report, all, entry, actions }: DetailProps<ProblemEntry>): JSX.Element {
  const { detail, steps, submissionIds, paths, isChanged } = entry.cause;
  const wanted = new Set(paths);
  const files = all.filter((one) => one.kind === 'file').filter((file) => file.paths.some((path) => wanted.has(path)));
  const [content, ...others] = new Set(files.map((file) => file.content));
  const found = new Set(files.flatMap((file) => file.paths));
  return (
    <>
      <Steps steps={steps} report={report} />
      {detail !== undefined && <p class="soft">{detail}</p>}
      {submissionIds.length > 0 && <p class="soft">Submission {formatList(submissionIds)}</p>}
      {paths.length > 1 && <h3>{plural(paths.length, 'file')}</h3>}
      {content && others.length === 0 && <Place content={content} start={0} report={report} />}
      {others.length > 0 && <Rows entries={files} visit={actions?.visit} />}
      <Paths paths={paths.filter((path) => !found.has(path))} isChanged={isChanged} run={report.run} />
    </>
  );
}

function AboutContent({ report, all, entry, actions }: DetailProps<IssueEntry | FileEntry>): JSX.Element {
  const { kind, content } = entry;
  const [path = ''] = entry.paths;
  const causes = report.causes.filter(({ paths }) => paths.some((one) => content.paths.includes(one)));
  const isShared = content.paths.length > 1;
  return (
    <>
      <Place content={content} start={kind === 'issue' ? startOf(entry.issue) : 0} report={report} />
      {content.outcome !== 'judged' && causes.length > 0 && (
        <>
          <p>
            <b class="stop">Not judged.</b> <Prose text={causes.map(({ message }) => message).join(' ')} />
          </p>
          <Steps steps={causes.flatMap(({ steps }) => steps)} report={report} />
        </>
      )}
      {kind === 'issue' && <AboutIssue report={report} entry={entry} actions={actions} />}
      {kind === 'file' && content.issues.length > 0 && (
        <>
          <h3>{plural(content.issues.length, 'issue')}</h3>
          <Rows entries={all.filter((one) => one.kind === 'issue' && one.content === content)} visit={actions?.visit} />
        </>
      )}
      {actions && content.issues.length > 1 && (
        <TextButton onClick={() => actions.visit({ ...NO_FILTER, box: 'all', query: path })}>
          Show all issues of this file
        </TextButton>
      )}
      {isShared && <h3>All files with the same bytes</h3>}
      {isShared && <Paths paths={content.paths} isChanged={content.isChanged} run={report.run} />}
    </>
  );
}

type PlaceProps = Readonly<{ content: ReportedContent; start: number; report: Report }>;

function Place({ content, start, report }: PlaceProps): JSX.Element {
  const [path] = content.paths;
  const { kind, origin } = describeContent(content, report);
  return (
    <section class="place">
      <PathLink key={path} path={path} isChanged={content.isChanged} run={report.run} />
      <ul class="facts soft">
        <li>{kind}</li>
        <li>{origin}</li>
        {content.isChanged === false && <li>{UNTOUCHED}</li>}
      </ul>
      <p class="soft hash">SHA-256 {content.sha256}</p>
      <Preview key={content.sha256} content={content} start={start} report={report} />
    </section>
  );
}

function Tags({ entry: { issue, words } }: Readonly<{ entry: IssueEntry }>): JSX.Element {
  const { effect, number, status } = words;
  const { severity, reportedSeverity, url, ruleCode, sidekickId, createdAt, updatedAt } = issue;
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
      <ul class="facts soft">
        {createdAt && <li>created {day(createdAt)}</li>}
        {updatedAt && <li>updated {day(updatedAt)}</li>}
        {sidekickId && <li>by checker {sidekickId}</li>}
      </ul>
    </>
  );
}

function AboutIssue({ report, entry, actions }: Omit<DetailProps<IssueEntry>, 'all'>): JSX.Element {
  const { issue, words, topics } = entry;
  const { precedents } = issue;
  return (
    <>
      <p class="text">{issue.summary}</p>
      {words.waiver && (
        <p>
          <b>Waiver:</b> {words.waiver}
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
      {actions && issue.failsGate && report.waiversFile !== undefined && (
        <p>
          <button type="button" onClick={() => actions.copy(waiversToCopy([entry]), 'a waiver')}>
            Copy a waiver
          </button>{' '}
          Fill in the blanks, add it to <code>{report.waiversFile}</code>, and merge that in a pull request of its own.
        </p>
      )}
    </>
  );
}

type PathLinkProps = Readonly<{ path: string; isChanged: boolean | undefined; run: Report['run'] }>;

/** Links to the file or, if the pull request changes it, to its diff. `key` must be the path: the effect runs once. */
function PathLink({ path, isChanged, run }: PathLinkProps): JSX.Element {
  const [url, setUrl] = useState(fileAtCommitUrl(run, path));
  useEffect(() => {
    if (!isChanged) return;
    void sha256(repositoryPath(run, path)).then((hash) => setUrl((known) => comparisonUrl(run, hash) ?? known));
  }, []);
  return (
    <Link url={url}>
      <code>{path}</code>
    </Link>
  );
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type PathsProps = Pick<ReportedCause, 'paths' | 'isChanged'> & Pick<Report, 'run'>;

function Paths({ paths, isChanged, run }: PathsProps): JSX.Element {
  return (
    <ul>
      {paths.map((path) => (
        <li key={path}>
          <PathLink path={path} isChanged={isChanged} run={run} />
        </li>
      ))}
    </ul>
  );
}

const NOT_EMBEDDED =
  'No preview: this page contains up to 30 MB of pictures, films and sounds that have issues or could not be analysed, as they were when they were checked.';

const NO_DOCUMENTS = 'No preview: this file is a document, and this page shows only pictures, films and sounds.';

/** Shows the file, or says why it cannot be shown. A film or a sound starts at `start`, in seconds. */
function Preview({ content, start, report }: PlaceProps): JSX.Element {
  // The media are at the end of the document, so they are looked up again when the document is complete.
  const find = (): string | undefined => document.getElementById(`media-${content.sha256}`)?.textContent;
  const source = useMemo(find, [content, document.readyState]);
  const [isDefect, setDefect] = useState(false);
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const goToStart = (): void => {
    // A text may mention a time that this file does not have.
    if (player.current && start < player.current.duration) player.current.currentTime = start;
  };
  useEffect(goToStart, [start]);
  const [path] = content.paths;
  const label = `The checked file ${path}`;
  const onError = (): void => setDefect(true);
  const events = { onError, onLoadedMetadata: goToStart };
  const playing = { ref: player, src: source, controls: true, preload: 'metadata', ...events } as const;
  const [kind] = source === undefined || isDefect ? [] : content.mime.split('/');
  const whyNot = content.category === 'document' ? NO_DOCUMENTS : NOT_EMBEDDED;
  const url = fileAtCommitUrl(report.run, path);
  return (
    <figure>
      {kind === 'image' && <img src={source} alt={label} onError={onError} />}
      {kind === 'video' && <video {...playing} playsInline aria-label={label} />}
      {kind === 'audio' && <audio {...playing} aria-label={label} />}
      <figcaption class="soft">
        {source === undefined && document.readyState !== 'loading' && whyNot}
        {isDefect && 'This browser cannot show the file.'}{' '}
        {url && <Link url={url}>Open the file in the repository</Link>}
      </figcaption>
    </figure>
  );
}
