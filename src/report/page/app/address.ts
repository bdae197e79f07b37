import { useEffect, useState } from 'preact/hooks';
import type { Report } from '../../report.ts';
import type { Box, Entry } from './entries.ts';
import { formatView, readView, type View } from './filter.ts';

/** A browser refuses to change the address more often. */
const ADDRESS_DELAY_MS = 150;

type Show = (view: View) => void;

/** The view is kept in the address, where a reload finds it. From a view that was visited, going back leads to the one before. */
export function useView(usual: Box): Readonly<{ view: View; setView: Show; visit: Show }> {
  const [view, setView] = useState(() => readView(location.hash, usual));
  useEffect(() => {
    const read = (): void => setView(readView(location.hash, usual));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, [usual]);
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(undefined, '', addressOf(view, usual)), ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [view, usual]);
  const visit = (next: View): void => {
    history.replaceState(undefined, '', addressOf(view, usual));
    history.pushState(undefined, '', addressOf(next, usual));
    setView(next);
  };
  return { view, setView, visit };
}

function addressOf(view: View, usual: Box): string {
  const hash = formatView(view, usual);
  return hash === '' ? location.pathname + location.search : `#${hash}`;
}

/** Who has such an address can read the whole report, so it is never copied. */
export function isSigned(): boolean {
  return location.search !== '';
}

/** An address, and what it leads to. */
export function linkTo(entry: Entry, { run }: Report, view: View, usual: Box): readonly [url: string, target: string] {
  if (isSigned()) return [run.url, 'the run'];
  const url = new URL(`#${formatView({ ...view, at: entry.id }, usual)}`, location.href);
  return [url.href, 'this place in this page'];
}
