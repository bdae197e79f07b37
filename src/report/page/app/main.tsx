import { options, render } from 'preact';
import { visibleLines } from '../../../lib/escape.ts';
import type { Report } from '../../report.ts';
import { listEntries } from './entries.ts';
import { Inbox } from './inbox.tsx';

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
const all = listEntries(report);
const [app, paper] = [document.getElementById('app'), document.getElementById('paper')];

function show(): void {
  if (app && paper) render(<Inbox report={report} all={all} paper={paper} />, app);
}

show();
// The media stand behind this script: once they are read, the first one is shown.
addEventListener('DOMContentLoaded', show);
