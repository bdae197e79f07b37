import { options, render } from 'preact';
import { visibleLines } from '../../../lib/escape.ts';
import type { Report } from '../../report.ts';
import { Detail } from './detail.tsx';
import { type Entry, sortIntoBoxes } from './entries.ts';
import { Index } from './filter.ts';
import { Verdict } from './head.tsx';
import { Inbox } from './inbox.tsx';
import { Sentences, Steps } from './text.tsx';

/** Texts come from outside: what could hide or reorder them is shown as an escape, wherever they stand. */
const SPOKEN = ['title', 'alt', 'aria-label'] as const;
options.vnode = (vnode: { type: unknown; props: unknown }): void => {
  if (typeof vnode.props === 'string') vnode.props = visibleLines(vnode.props);
  else if (typeof vnode.type === 'string') {
    const props = Object(vnode.props);
    for (const name of SPOKEN) if (typeof props[name] === 'string') props[name] = visibleLines(props[name]);
  }
};

const report: Report = JSON.parse(document.getElementById('report')?.textContent ?? '');
const index = new Index(sortIntoBoxes(report));
const [app, paper] = [document.getElementById('app'), document.getElementById('paper')];

/** What is on the screen is printed, in full. */
let printed: Readonly<{ entries: readonly Entry[]; selection: string }> = { entries: [], selection: '' };
const onShown = (entries: readonly Entry[], selection: string): void => {
  printed = { entries, selection };
};

function show(): void {
  if (app) render(<Inbox report={report} index={index} onShown={onShown} />, app);
}

show();
// The media stand behind this script: once they are read, the first one is shown.
addEventListener('DOMContentLoaded', show);

addEventListener('beforeprint', () => {
  const sheet = (
    <>
      <Verdict report={report} />
      <p>{report.run.url}</p>
      <Steps steps={report.nextSteps} />
      <Sentences texts={report.notices} />
      <h2>{printed.selection}</h2>
      {printed.entries.map((entry) => (
        <article key={entry.id}>
          <Detail entry={entry} report={report} index={index} />
        </article>
      ))}
    </>
  );
  if (paper) render(sheet, paper);
});
addEventListener('afterprint', () => {
  if (paper) render(null, paper);
});
