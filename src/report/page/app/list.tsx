import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count, plural } from '../../../lib/format.ts';
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
  /** Whether the reader chose it: the first one is chosen by itself, and must not make a phone scroll. */
  readonly isPicked: boolean;
  readonly mode: Report['mode'];
  readonly choose: (entry: Entry) => void;
}

/** Only the rows on the screen, and the chosen one, are in the document. */
export function List({ entries, chosen, isPicked, mode, choose }: ListProps): JSX.Element {
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
    if (isPicked) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, entries, isPicked]);
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
        <Lines
          icon={entry.kind === 'fixed' ? <Icon name="pass" label="Fixed" /> : <Icon name={severity} label={severity} />}
          title={headline || summary}
          isStrong={isStopping}
          aside={referenceNumber === undefined ? '' : `#${referenceNumber}`}
          path={entry.asset.paths[0] ?? ''}
        >
          {isStopping && <b class="stop">Stops the check · </b>}
          {ruleCode.slice(0, MAX_LINE)}
        </Lines>
      );
    }
    case 'file': {
      const { asset, path } = entry;
      const { issues, category = 'file' } = asset;
      const result = issues.length > 0 ? plural(issues.length, 'issue') : resultOf(asset, mode);
      const cut = path.lastIndexOf('/') + 1;
      return (
        <Lines icon={<Icon name={category} />} title={path.slice(cut)} aside={result} path={path.slice(0, cut)}>
          {describeFile(asset).slice(0, MAX_LINE)}
        </Lines>
      );
    }
    case 'problem': {
      const { cause, isConsequence } = entry;
      const [path = ''] = cause.paths;
      return (
        <Lines
          icon={<Icon name={isConsequence ? 'skipped' : 'error'} />}
          title={cause.message}
          isStrong={!isConsequence}
          path={path}
        >
          {cause.paths.length > 1 && `and ${count(cause.paths.length - 1)} more`}
        </Lines>
      );
    }
  }
}

interface LinesProps {
  readonly icon: JSX.Element;
  readonly title: string;
  readonly isStrong?: boolean;
  readonly aside?: string;
  readonly path: string;
  /** Beside the path. */
  readonly children: ComponentChildren;
}

function Lines({ icon, title, isStrong = false, aside = '', path, children }: LinesProps): JSX.Element {
  return (
    <>
      {icon}
      <span class="line">
        <span class={isStrong ? 'what strong' : 'what'}>{title.slice(0, MAX_LINE)}</span>
        <span class="aside">{aside}</span>
      </span>
      <span class="line">
        <Path path={path} />
        <span class="aside">{children}</span>
      </span>
    </>
  );
}
