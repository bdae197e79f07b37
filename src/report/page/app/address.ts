import { useEffect, useState } from 'preact/hooks';
import { all, usualBox } from './data.ts';
import { type Change, formatView, readView, reveal, type View } from './filter.ts';
import { useListener } from './use-listener.ts';

/** The address follows the view with this delay, because browsers limit how often a page may change its address. */
const ADDRESS_DELAY_MS = 150;

/**
 * Keeps the view in the page's address, so that a reload restores the view. `visit` adds to the browser's history, so
 * that going back restores the previous view. `change` does not.
 */
export function useView(): Readonly<{ view: View; change: Change; visit: Change }> {
  const [view, setView] = useState(currentView);
  useListener('popstate', () => setView(currentView()));
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(undefined, '', addressOf(view)), ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [view]);
  const next = (parts: Partial<View>): View => ({ ...view, at: undefined, ...parts });
  const change: Change = (parts) => setView(next(parts));
  const visit: Change = (parts) => {
    history.replaceState(undefined, '', addressOf(view));
    history.pushState(undefined, '', addressOf(next(parts)));
    change(parts);
  };
  return { view, change, visit };
}

function currentView(): View {
  return reveal(readView(location.hash), all, usualBox);
}

export function addressOf(view: View): string {
  const address = new URL(location.href);
  address.hash = formatView(view);
  return address.href;
}
