import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatList, plural } from '../../../lib/format.ts';
import { describeFile } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { type Entry, resultOf } from './entries.ts';
import { Icon } from './icons.tsx';
import { Path } from './text.tsx';

/** In pixels, as in the style. */
const ROW_HEIGHT = 60;
/** Rows beyond the edges of the screen, so that none is missing while it scrolls. */
const SPARE_ROWS = 6;
/** More does not fit into a line. */
const MAX_LINE = 300;

interface ListProps {
  readonly entries: readonly Entry[];
  readonly chosen: Entry | undefined;
  readonly mode: Report['mode'];
  readonly choose: (entry: Entry) => void;
}

/** Only the rows on the screen, and the chosen one, are in the document. */
export function List({ entries, chosen, mode, choose }: ListProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const rows = Math.ceil(innerHeight / ROW_HEIGHT) + 2 * SPARE_ROWS;
  useLayoutEffect(() => {
    const look = (): void => {
      const hidden = -(list.current?.getBoundingClientRect().top ?? 0);
      setFirst(Math.max(0, Math.floor(hidden / ROW_HEIGHT) - SPARE_ROWS));
    };
    look();
    // Captured, because on a wide screen the list scrolls, and on a phone the page.
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [entries]);
  useEffect(() => {
    if (list.current?.parentElement) list.current.parentElement.scrollTop = 0;
  }, [entries]);
  const at = chosen ? entries.indexOf(chosen) : -1;
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, entries]);
  const shown = entries.slice(first, first + rows).map((_, index) => first + index);
  if (at !== -1 && !shown.includes(at)) shown.push(at);
  return (
    <div
      ref={list}
      class="list"
      role="listbox"
      id="list"
      tabIndex={0}
      aria-label="Issues and files"
      aria-activedescendant={at === -1 ? undefined : `row-${at}`}
      style={{ height: `${entries.length * ROW_HEIGHT}px` }}
    >
      {shown.map((index) => {
        const entry = entries[index];
        return (
          entry && (
            // The list has the focus and the keys: its rows are not in the order of the document.
            <div
              key={entry.id}
              id={`row-${index}`}
              class="row"
              role="option"
              aria-selected={entry === chosen}
              aria-posinset={index + 1}
              aria-setsize={entries.length}
              style={{ top: `${index * ROW_HEIGHT}px` }}
              onClick={() => choose(entry)}
            >
              <Row entry={entry} mode={mode} />
            </div>
          )
        );
      })}
    </div>
  );
}

function Row({ entry, mode }: { readonly entry: Entry; readonly mode: Report['mode'] }): JSX.Element {
  switch (entry.kind) {
    case 'issue':
    case 'fixed': {
      const { severity, headline, summary, referenceNumber, ruleCode } = entry.issue;
      const isStopping = entry.kind === 'issue' && entry.issue.failsGate;
      return (
        <>
          {entry.kind === 'fixed' ? <Icon name="pass" label="Fixed" /> : <Icon name={severity} label={severity} />}
          <span class={isStopping ? 'what strong' : 'what'}>{(headline || summary).slice(0, MAX_LINE)}</span>
          <span class="aside">{referenceNumber !== undefined && `#${referenceNumber}`}</span>
          <Path path={entry.asset.paths[0] ?? ''} />
          <span class="aside">
            {isStopping && <b class="stop">Stops the check · </b>}
            {ruleCode.slice(0, MAX_LINE)}
          </span>
        </>
      );
    }
    case 'file': {
      const { asset, path } = entry;
      const cut = path.lastIndexOf('/') + 1;
      return (
        <>
          <Icon name={asset.category ?? 'file'} />
          <span class="what">{path.slice(cut)}</span>
          <span class="aside">
            {asset.issues.length > 0 ? plural(asset.issues.length, 'issue') : resultOf(asset, mode)}
          </span>
          <span class="path">
            <span class="folder">{path.slice(0, cut)}</span>
          </span>
          <span class="aside">{describeFile(asset).slice(0, MAX_LINE)}</span>
        </>
      );
    }
    case 'problem': {
      const { cause, isConsequence } = entry;
      const files = formatList(cause.paths, 1);
      return (
        <>
          <Icon name={isConsequence ? 'skipped' : 'error'} />
          <span class={isConsequence ? 'what' : 'what strong'}>{cause.message.slice(0, MAX_LINE)}</span>
          <span class="aside" />
          {isConsequence ? <span class="path">{files}</span> : <Path path={files} />}
        </>
      );
    }
  }
}
