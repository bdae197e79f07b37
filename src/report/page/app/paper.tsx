import type { JSX } from 'preact';
import { consequence, hasJudged, threshold, title } from '../../phrases.ts';
import type { Report, ReportedAsset } from '../../report.ts';
import { Facts, IssueText, mediaOf, Problem } from './detail.tsx';
import type { Entry, FixedEntry, IssueEntry } from './entries.ts';
import { Context } from './head.tsx';
import { PathLink, Prose } from './text.tsx';

interface PaperProps {
  readonly report: Report;
  readonly entries: readonly Entry[];
  /** What was searched and filtered, as a sentence: a part of the report must not look like all of it. */
  readonly selection: string;
}

/** What the list shows, in full, file by file. */
export function Paper({ report, entries, selection }: PaperProps): JSX.Element {
  const problems = entries.filter((entry) => entry.kind === 'problem');
  const byAsset = Map.groupBy(
    entries.filter((entry) => entry.kind !== 'problem'),
    ({ asset }) => asset,
  );
  return (
    <>
      <h1>
        <Prose text={title(report)} />
      </h1>
      <Context report={report} />
      <p>{report.run.url}</p>
      <p>
        <Prose text={`${consequence(report)} ${hasJudged(report) ? threshold(report) : ''}`} />
      </p>
      <ul>
        {[...report.nextSteps, ...report.notices].map((text) => (
          <li>
            <Prose text={text} />
          </li>
        ))}
      </ul>
      <p>
        <b>{selection}</b>
      </p>
      {problems.map((entry) => (
        <section key={entry.id}>
          <Problem entry={entry} run={report.run} />
        </section>
      ))}
      {[...byAsset].map(([asset, own]) => (
        <PaperFile
          key={asset.sha256}
          asset={asset}
          report={report}
          issues={own.filter((entry) => entry.kind !== 'file')}
        />
      ))}
    </>
  );
}

interface PaperFileProps {
  readonly asset: ReportedAsset;
  readonly report: Report;
  readonly issues: readonly (IssueEntry | FixedEntry)[];
}

function PaperFile({ asset, report, issues }: PaperFileProps): JSX.Element {
  const source = issues.length > 0 ? mediaOf(asset) : undefined;
  return (
    <section>
      <h2>
        <PathLink path={asset.paths[0] ?? ''} run={report.run} />
      </h2>
      <Facts asset={asset} run={report.run} />
      <p class="soft hash">SHA-256 {asset.sha256}</p>
      {source?.startsWith('data:image/') && <img src={source} alt="" />}
      {issues.map((entry) => (
        <article key={entry.id}>
          <IssueText entry={entry} policy={report.policy} />
        </article>
      ))}
    </section>
  );
}
