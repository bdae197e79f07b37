import { useEffect, useState } from 'preact/hooks';
import type { Report } from '../../report.ts';
import type { Box, Entry } from './entries.ts';
import { formatView, readView, type View } from './filter.ts';

/** A browser refuses to change the address more often. */
const ADDRESS_DELAY_MS = 150;

/** The view is kept in the address, where a reload finds it. */
export function useView(usual: Box): [View, (view: View) => void] {
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
  return [view, setView];
}

function addressOf(view: View, usual: Box): string {
  const hash = formatView(view, usual);
  return hash === '' ? location.pathname + location.search : `#${hash}`;
}

/** Goes to another view; going back leads to the one that is shown now. */
export function pushView(next: View, view: View, usual: Box): void {
  history.replaceState(undefined, '', addressOf(view, usual));
  history.pushState(undefined, '', addressOf(next, usual));
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
