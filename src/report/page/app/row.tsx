import type { JSX } from 'preact';
import { count } from '../../../lib/format.ts';
import { describeFile } from '../../phrases.ts';
import { type Entry, numberOf } from './entries.ts';
import { type Change, NO_FILTER } from './filter.ts';
import { Icon } from './icons.tsx';
import { Prose } from './text.tsx';

/** A longer text does not fit into a row. */
const MAX_LENGTH = 300;
/** At most this many related entries are shown. The list contains all entries. */
const MAX_ROWS = 100;

/** What the buttons do; undefined on paper, which has no buttons. */
export type Actions = Readonly<{ visit: Change; copy: (text: string, what: string) => void }> | undefined;

/** Entries that are related to the open entry, as buttons that open them. */
export function Rows({ entries, actions }: Readonly<{ entries: readonly Entry[]; actions: Actions }>): JSX.Element {
  return (
    <ul class="related">
      {entries.slice(0, MAX_ROWS).map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            class="row"
            onClick={() => actions?.visit({ ...NO_FILTER, box: entry.boxes[0], at: entry.id })}
          >
            <Row entry={entry} />
          </button>
        </li>
      ))}
      {entries.length > MAX_ROWS && <li class="soft">and {count(entries.length - MAX_ROWS)} more in the list</li>}
    </ul>
  );
}

/** The title, and the path below the title. If a line is too long, the folder is cut first. */
export function Row({ entry }: Readonly<{ entry: Entry }>): JSX.Element {
  const { icon, title, effect, issue, content, cause, paths } = entry;
  const [path = '', ...others] = paths;
  const cut = path.lastIndexOf('/') + 1;
  const isFile = !issue && !cause;
  const shortTitle = title.slice(0, MAX_LENGTH);
  return (
    <>
      <Icon name={icon} label={issue && (icon === 'pass' ? 'Fixed' : issue.severity)} />
      <span class="line">
        <span class={issue?.failsGate ? 'what stops' : 'what'}>{cause ? <Prose text={shortTitle} /> : shortTitle}</span>
        <span class="aside">{issue ? numberOf(issue) : content && effect}</span>
      </span>
      <span class="line">
        <span class="folder">{path.slice(0, cut)}</span>
        <span class="name">{isFile ? '' : path.slice(cut)}</span>
        <span class="aside">
          {issue?.failsGate && <b class="stop">Stops the check · </b>}
          {issue?.ruleCode.slice(0, MAX_LENGTH)}
          {isFile && content && describeFile(content)}
          {cause && others.length > 0 && `and ${count(others.length)} more`}
        </span>
      </span>
    </>
  );
}
