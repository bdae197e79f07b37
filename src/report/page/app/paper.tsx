import { type ComponentChild, render } from 'preact';
import { report } from './data.ts';
import { Detail } from './detail.tsx';
import type { Entry } from './entries.ts';
import { Verdict } from './head.tsx';
import { Sentences, Steps } from './text.tsx';

/** Renders all details of the entries for printing, under the name of their list. */
export function putOnPaper(entries: readonly Entry[], selection: string): void {
  const sheet = (
    <>
      <Verdict />
      <p>{report.run.url}</p>
      <Steps steps={report.nextSteps} />
      <Sentences texts={report.notices} />
      <h2>{selection}</h2>
      {entries.map((entry) => (
        <article key={entry.id}>
          <Detail entry={entry} />
        </article>
      ))}
    </>
  );
  renderPaper(sheet);
}

export function clearPaper(): void {
  renderPaper(null);
}

function renderPaper(sheet: ComponentChild): void {
  const paper = document.getElementById('paper');
  if (paper) render(sheet, paper);
}
