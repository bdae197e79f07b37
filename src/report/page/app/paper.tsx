import type { JSX } from 'preact';
import type { Report } from '../../report.ts';
import { Detail } from './detail.tsx';
import type { Entry } from './entries.ts';
import { Verdict } from './head.tsx';
import { Sentences, Steps } from './text.tsx';

type PaperProps = Readonly<{
  report: Report;
  all: readonly Entry[];
  /** What is on the screen, and what that is a list of. */
  entries: readonly Entry[];
  selection: string;
}>;

/** What is on the screen is printed, in full. */
export function Paper({ report, all, entries, selection }: PaperProps): JSX.Element {
  return (
    <>
      <Verdict report={report} />
      <p>{report.run.url}</p>
      <Steps steps={report.nextSteps} />
      <Sentences texts={report.notices} />
      <h2>{selection}</h2>
      {entries.map((entry) => (
        <article key={entry.id}>
          <Detail entry={entry} report={report} all={all} />
        </article>
      ))}
    </>
  );
}
