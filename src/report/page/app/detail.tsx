import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { count, formatBytes, plural } from '../../../lib/format.ts';
import type { Issue } from '../../../service/issue.ts';
import { fileAtCommitUrl } from '../../github-links.ts';
import { day, describeChanges, describeFile, GATE_LABELS, gateOf, novelty, provenance } from '../../phrases.ts';
import type { Report, ReportedAsset, ReportedIssue } from '../../report.ts';
import type { Entry, FixedEntry, IssueEntry, ProblemEntry } from './entries.ts';
import { Badge, Icon } from './icons.tsx';
import { Link, PathLink, Prose, Timed } from './text.tsx';

/** A longer list is in report.json. */
const MAX_PATHS = 1_000;

interface DetailProps {
  readonly entry: Entry;
  readonly report: Report;
  /** The other issues of its file. */
  readonly siblings?: readonly (IssueEntry | FixedEntry)[];
  readonly choose?: (entry: Entry) => void;
}

/** Everything about one entry. */
export function Detail({ entry, report, siblings = [], choose }: DetailProps): JSX.Element {
  const place = useRef<HTMLElement>(null);
  if (entry.kind === 'problem') return <Problem entry={entry} run={report.run} />;
  const { asset } = entry;
  const causes = report.causes.filter(({ path }) => path !== undefined && asset.paths.includes(path));
  const media = <Media key={asset.sha256} asset={asset} run={report.run} />;
  const others = <Siblings entries={siblings} isAlone={entry.kind === 'file'} choose={choose} />;
  if (entry.kind === 'file')
    return (
      <>
        <h2>
          <PathLink path={entry.path} run={report.run} />
        </h2>
        <Facts asset={asset} run={report.run} />
        <p class="soft hash">SHA-256 {asset.sha256}</p>
        {asset.outcome !== 'judged' && (
          <p class="unjudged">
            <b>{asset.outcome === 'failed' ? 'The analysis failed.' : 'Not judged.'}</b> Nothing is known about this
            file. <Prose text={causes.map(({ message, fix }) => `${message} ${fix}`).join(' ')} />
          </p>
        )}
        {media}
        {others}
      </>
    );
  const seek = (seconds: number): void => {
    const player = place.current?.querySelector<HTMLMediaElement>('video, audio');
    if (!player) return;
    player.currentTime = seconds;
    player.scrollIntoView({ block: 'nearest' });
  };
  const isPlayable = /^data:(?:video|audio)/.test(mediaOf(asset)?.slice(0, 20) ?? '');
  return (
    <>
      <IssueText entry={entry} policy={report.policy} seek={isPlayable ? seek : undefined}>
        <section class="place" ref={place}>
          <PathLink path={asset.paths[0] ?? ''} run={report.run} />
          <Facts asset={asset} run={report.run} />
          {media}
        </section>
      </IssueText>
      {others}
    </>
  );
}

interface IssueTextProps {
  readonly entry: IssueEntry | FixedEntry;
  readonly policy: Report['policy'];
  readonly seek?: ((seconds: number) => void) | undefined;
  readonly children?: ComponentChildren;
}

/** @param children between the title and the texts */
export function IssueText({ entry, policy, seek, children }: IssueTextProps): JSX.Element {
  const { issue } = entry;
  const { headline, summary, reasoning, precedents, severity, reportedSeverity } = issue;
  return (
    <>
      <h2>{headline || summary}</h2>
      <ul class="tags">
        <li>
          <Badge severity={severity} />
          {severity !== reportedSeverity && <span class="soft"> reported as {reportedSeverity}</span>}
        </li>
        {entry.kind === 'issue' ? (
          <Standing issue={entry.issue} policy={policy} />
        ) : (
          <li>Fixed since the version before</li>
        )}
        <li>
          <code>{issue.ruleCode}</code>
        </li>
        <Reference issue={issue} url={entry.kind === 'issue' ? entry.issue.url : undefined} />
      </ul>
      {children}
      <p class="text">
        <Timed text={summary} seek={seek} />
      </p>
      {entry.kind === 'issue' && entry.issue.waiver && (
        <p>
          <b>Waived</b> by {entry.issue.waiver.owner} until {entry.issue.waiver.expires}: {entry.issue.waiver.reason}
        </p>
      )}
      {reasoning && (
        <>
          <h3>Why {severity}</h3>
          <p class="text">
            <Timed text={reasoning} seek={seek} />
          </p>
        </>
      )}
      {precedents.length > 0 && (
        <>
          <h3>Precedents</h3>
          <ul class="precedents">
            {precedents.map(({ url, title, decision, date }) => (
              <li>
                <Link url={url}>{title || url || 'untitled'}</Link>
                {decision && `: ${decision}`}
                {date && <span class="soft"> ({day(date)})</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {entry.kind === 'issue' && entry.topics.length > 0 && (
        <>
          <h3>{entry.topics.length === 1 ? 'Topic' : 'Topics'}</h3>
          <p>{entry.topics.join('; ')}</p>
        </>
      )}
    </>
  );
}

function Reference({ issue, url }: { readonly issue: Issue; readonly url: string | undefined }): JSX.Element | null {
  if (issue.referenceNumber === undefined && url === undefined) return null;
  const name = issue.referenceNumber === undefined ? 'At the service' : `#${issue.referenceNumber}`;
  return (
    <li>
      <Link url={url}>{name}</Link>
    </li>
  );
}

/** What the issue means for the check; if it does not stop it, why not. */
function Standing({
  issue,
  policy,
}: {
  readonly issue: ReportedIssue;
  readonly policy: Report['policy'];
}): JSX.Element {
  const gate = gateOf(issue);
  const below = policy.failOnSeverity === 'never' ? 'this gate only reports' : `below ${policy.failOnSeverity}`;
  const base = novelty(issue);
  return (
    <>
      <li class={gate === 'stops' ? 'stop' : ''}>
        {gate === 'counted' ? `Does not stop the check: ${below}` : GATE_LABELS[gate]}
      </li>
      <li>Status: {issue.status || 'none'}</li>
      {issue.isNewInVersion && <li>New since the version before</li>}
      {base && <li>{base}</li>}
    </>
  );
}

/** What is known about a file, and where the same bytes are. */
export function Facts({ asset, run }: { readonly asset: ReportedAsset; readonly run: Report['run'] }): JSX.Element {
  const [, ...copies] = asset.paths;
  const changes = describeChanges(asset);
  return (
    <ul class="facts soft">
      <li>{describeFile(asset)}</li>
      <li>{provenance(asset)}</li>
      {changes && <li>since the version before: {changes}</li>}
      {copies.length > 0 && (
        <li>
          the same bytes are in <Paths paths={copies} run={run} />
        </li>
      )}
    </ul>
  );
}

function Paths({ paths, run }: { readonly paths: readonly string[]; readonly run: Report['run'] }): JSX.Element {
  return (
    <ul class="paths">
      {paths.slice(0, MAX_PATHS).map((path) => (
        <li>
          <PathLink path={path} run={run} />
        </li>
      ))}
      {paths.length > MAX_PATHS && <li>and {count(paths.length - MAX_PATHS)} more in report.json</li>}
    </ul>
  );
}

export function Problem({ entry, run }: { readonly entry: ProblemEntry; readonly run: Report['run'] }): JSX.Element {
  const { message, fix, paths } = entry.cause;
  return (
    <>
      <h2>
        <Prose text={message} />
      </h2>
      {fix && (
        <>
          {!entry.isConsequence && <h3>What to do</h3>}
          <p>
            <Prose text={fix} />
          </p>
        </>
      )}
      {paths.length > 0 && (
        <>
          <h3>{paths.length === 1 ? 'File' : plural(paths.length, 'file')}</h3>
          <Paths paths={paths} run={run} />
        </>
      )}
    </>
  );
}

/** The embedded bytes as an address; undefined if the page has none. */
export function mediaOf({ sha256 }: ReportedAsset): string | undefined {
  return document.getElementById(`media-${sha256}`)?.textContent;
}

const NAMES = { video: 'film', audio: 'sound', image: 'image', document: 'document', file: 'file' } as const;

function Media({ asset, run }: { readonly asset: ReportedAsset; readonly run: Report['run'] }): JSX.Element | null {
  const [isLarge, setLarge] = useState(false);
  const isComplete = document.readyState !== 'loading';
  const source = useMemo(() => mediaOf(asset), [asset, isComplete]);
  const [path = ''] = asset.paths;
  const address = fileAtCommitUrl(run, path);
  const name = NAMES[asset.category ?? 'file'];
  const label = `The checked ${name} ${path}`;
  if (source === undefined)
    return isComplete ? (
      <p class="soft">
        <Link url={address}>Open the {name} on GitHub</Link> ({formatBytes(asset.size)}, not in this page)
      </p>
    ) : null;
  return (
    <figure>
      {source.startsWith('data:image/') ? (
        <button
          type="button"
          class={isLarge ? 'zoom large' : 'zoom'}
          aria-label={isLarge ? 'Fit the image into the page' : 'Enlarge the image'}
          onClick={() => setLarge(!isLarge)}
        >
          <img src={source} alt={label} />
        </button>
      ) : source.startsWith('data:video/') ? (
        <video controls playsInline preload="metadata" aria-label={label} src={source} />
      ) : (
        <audio controls preload="metadata" aria-label={label} src={source} />
      )}
      <figcaption>
        <Link url={address}>Open the {name} on GitHub</Link>
      </figcaption>
    </figure>
  );
}

/** More is found by searching for the file. */
const MAX_SIBLINGS = 30;

function Siblings({
  entries,
  isAlone,
  choose,
}: {
  readonly entries: readonly (IssueEntry | FixedEntry)[];
  readonly isAlone: boolean;
  readonly choose: DetailProps['choose'];
}): JSX.Element | null {
  if (entries.length === 0) return null;
  return (
    <section class="siblings">
      <h3>{plural(entries.length, isAlone ? 'issue' : 'other issue')} in this file</h3>
      <ul>
        {entries.slice(0, MAX_SIBLINGS).map((entry) => (
          <li key={entry.id}>
            <button type="button" onClick={() => choose?.(entry)}>
              {entry.kind === 'fixed' ? (
                <Icon name="pass" label="Fixed" />
              ) : (
                <Icon name={entry.issue.severity} label={entry.issue.severity} />
              )}
              <span>{entry.issue.headline || entry.issue.summary}</span>
            </button>
          </li>
        ))}
      </ul>
      {entries.length > MAX_SIBLINGS && <p class="soft">and {count(entries.length - MAX_SIBLINGS)} more</p>}
    </section>
  );
}
