import type { JSX } from 'preact';
import { options, render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { visibleLines } from '../../../lib/escape.ts';
import type { Report } from '../../report.ts';
import { Detail } from './detail.tsx';
import { finderOf, firstRow, NO_FILTER, type View } from './find.ts';
import { Head } from './head.tsx';
import { Filters, Results } from './list.tsx';
import { listRows, type Row } from './rows.ts';

/** Whether the screen is so narrow that the chosen row covers the list. page.css has the same limit. */
const isPhone = matchMedia('(max-width: 859px)').matches;

/** The address of the page when no row is chosen. */
const NO_ROW = '#at=';

function Page({ report, all }: Readonly<{ report: Report; all: readonly Row[] }>): JSX.Element {
  const first = firstRow(all);
  /** The id of the row that the page's address names. Without an address, a phone shows the list. */
  const chosenId = (): string =>
    new URLSearchParams(location.hash.slice(1)).get('at') ?? (isPhone ? '' : first?.id) ?? '';
  const [at, setAt] = useState(chosenId);
  const chosen = all.find(({ id }) => id === at);
  const [view, setView] = useState<View>(() => ({ ...NO_FILTER, list: (chosen ?? first)?.list ?? 'files' }));
  const find = useMemo(() => finderOf(all), []);
  const found = useMemo(() => find(view), [view]);
  const current = chosen ?? (isPhone ? undefined : found.rows[0]);
  const detail = useRef<HTMLElement>(null);
  const change = (parts: Partial<View>): void => {
    setAt('');
    setView({ ...view, ...parts });
    if (location.hash.length > NO_ROW.length) location.replace(NO_ROW);
  };
  useEffect(() => {
    const follow = (): void => {
      const row = all.find(({ id }) => id === chosenId());
      setAt(chosenId());
      if (row && !found.rows.includes(row)) setView({ ...NO_FILTER, list: row.list });
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  });
  useEffect(() => {
    detail.current?.scrollTo(0, 0);
    if (isPhone && chosen) detail.current?.focus();
  }, [current]);
  const head = <Head report={report} isAlone={all.length === 0} />;
  if (all.length === 0) return <main>{head}</main>;
  return (
    <div class={at === '' ? 'page' : 'page is-open'}>
      {head}
      <Filters all={all} found={found} view={view} change={change} isOpen={!isPhone} />
      <Results report={report} found={found} view={view} change={change} current={current} />
      <section class="detail" ref={detail} tabIndex={0} aria-label="The chosen entry">
        <a class="back" href={NO_ROW}>
          ← List
        </a>
        {at !== '' && !chosen ? (
          <p>
            This report has no entry <code>{at}</code>. The link may belong to the report of another run.
          </p>
        ) : (
          current && <Detail row={current} report={report} all={all} />
        )}
      </section>
    </div>
  );
}

// Texts come from outside, so characters that could hide or reorder text are escaped.
options.vnode = (vnode: { props: unknown }): void => {
  if (typeof vnode.props === 'string') vnode.props = visibleLines(vnode.props);
};

const app = document.getElementById('app');
const report: Report = JSON.parse(document.getElementById('report')?.textContent ?? '');
// Until now, the page shows the title alone.
app?.replaceChildren();
if (app) render(<Page report={report} all={listRows(report)} />, app);
