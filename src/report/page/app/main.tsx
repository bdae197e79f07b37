import { options } from 'preact';
import { visibleLines } from '../../../lib/escape.ts';
import type { Report } from '../../report.ts';
import { renderInto } from './browser.ts';
import { listEntries } from './entries.ts';
import { Inbox } from './inbox.tsx';

/** Attributes with text. Texts come from outside, so characters that could hide or reorder text are escaped. */
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

function show(): void {
  renderInto('app', <Inbox report={report} all={all} />);
}

show();
// The media follow this script in the document, so the page is rendered again when they are loaded.
addEventListener('DOMContentLoaded', show);
