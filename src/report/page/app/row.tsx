import type { ComponentChildren, JSX } from 'preact';
import { count } from '../../../lib/format.ts';
import { describeFile } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { describeResult, type Entry } from './entries.ts';
import { Icon } from './icons.tsx';
import { Prose } from './text.tsx';

/** More does not fit into a row. */
const MAX_LENGTH = 300;
/** More are in the list. */
const MAX_ROWS = 100;

type RowsProps = Readonly<{ entries: readonly Entry[]; report: Report; open: ((entry: Entry) => void) | undefined }>;

/** Entries that belong to what is shown, each of which can be opened. */
export function Rows({ entries, report, open }: RowsProps): JSX.Element {
  return (
    <ul class="related">
      {entries.slice(0, MAX_ROWS).map((entry) => (
        <li key={entry.id}>
          <button type="button" class="row" onClick={() => open?.(entry)}>
            <Row entry={entry} report={report} />
          </button>
        </li>
      ))}
      {entries.length > MAX_ROWS && <li class="soft">and {count(entries.length - MAX_ROWS)} more in the list</li>}
    </ul>
  );
}

/** The title above, the place below; of what does not fit, the folder is cut first. */
export function Row({ entry, report }: Readonly<{ entry: Entry; report: Report }>): JSX.Element {
  const { icon, title, aside, path, note } = partsOf(entry, report);
  const stops = entry.kind === 'issue' && entry.issue.failsGate;
  const cut = path.lastIndexOf('/') + 1;
  return (
    <>
      {icon}
      <span class="line">
        <span class={stops ? 'what stops' : 'what'}>{title}</span>
        <span class="aside">{aside}</span>
      </span>
      <span class="line">
        <span class="folder">{path.slice(0, cut)}</span>
        <span class="name">{path.slice(cut)}</span>
        <span class="aside">
          {stops && (
            <b class="stop">
              Stops<span class="long"> the check</span> ·{' '}
            </b>
          )}
          {note}
        </span>
      </span>
    </>
  );
}

type Parts = Readonly<{
  icon: JSX.Element;
  title: ComponentChildren;
  aside: string;
  path: string;
  note: string;
}>;

function partsOf(entry: Entry, report: Report): Parts {
  const [path = ''] = entry.paths;
  if (entry.kind === 'problem') {
    const others = entry.paths.length - 1;
    const icon = <Icon name={report.isPassing ? 'forgiven' : 'error'} />;
    const title = <Prose text={entry.message.slice(0, MAX_LENGTH)} />;
    return { icon, title, aside: '', path, note: others > 0 ? `and ${count(others)} more` : '' };
  }
  if (entry.kind === 'file') {
    const cut = path.lastIndexOf('/') + 1;
    const aside = describeResult(entry.content, report);
    const note = describeFile(entry.content);
    return { icon: <Icon name="file" />, title: path.slice(cut), aside, path: path.slice(0, cut), note };
  }
  const { severity, headline, summary, referenceNumber, ruleCode } = entry.issue;
  return {
    icon: entry.isFixed ? <Icon name="pass" label="Fixed" /> : <Icon name={severity} label={severity} />,
    title: (headline || summary).slice(0, MAX_LENGTH),
    aside: referenceNumber === undefined ? '' : `#${referenceNumber}`,
    path,
    note: ruleCode.slice(0, MAX_LENGTH),
  };
}
