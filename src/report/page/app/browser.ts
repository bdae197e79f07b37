import { type ComponentChild, render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { PageData } from './entries.ts';
import { type Change, formatView, readView, usualBox, type View } from './view.ts';

export function renderInto(id: 'app' | 'paper', content: ComponentChild): void {
  const element = document.getElementById(id);
  if (element) render(content, element);
}

/** Whether the screen is so narrow that the chosen entry covers the list. page.css has the same limit. */
export function isPhone(): boolean {
  return matchMedia('(max-width: 859px)').matches;
}

/** Listens to an event of the window. Every render replaces the listener of the previous render. */
export function useListener<T extends keyof WindowEventMap>(
  type: T,
  listener: (event: WindowEventMap[T]) => void,
): void {
  useLayoutEffect(() => {
    // The listener captures events, because the scroll events of the list do not bubble.
    addEventListener(type, listener, { capture: true });
    return () => removeEventListener(type, listener, { capture: true });
  });
}

/** The address follows the view with this delay, because browsers limit how often a page may change its address. */
const ADDRESS_DELAY_MS = 150;

/**
 * Keeps the view in the page's address, so that a reload restores the view. `visit` adds to the browser's history, so
 * that going back restores the previous view. `change` does not.
 */
export function useView({ report, all }: PageData): Readonly<{
  view: View;
  change: Change;
  visit: Change;
  addressOf: (view: View) => string;
}> {
  const usual = useMemo(() => usualBox(all, report), [all, report]);
  const currentView = (): View => readView(location.hash, all, usual);
  const addressOf = (shown: View): string => {
    const address = new URL(location.href);
    address.hash = formatView(shown, usual);
    return address.href;
  };
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
  return { view, change, visit, addressOf };
}

export type Copy = (text: string, what: string) => void;

const MESSAGE_MS = 3_000;

/** Copies texts. The message says for a short time what was copied. */
export function useCopy(): Readonly<{ message: string; copy: Copy }> {
  const [message, say] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => say(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy: Copy = (text, what) => {
    void navigator.clipboard.writeText(text).then(
      () => say(`Copied: ${what}.`),
      () => say('This browser did not allow copying.'),
    );
  };
  return { message, copy };
}

/**
 * Whether "Copy link" may copy the address of the page. Nobody else can open a local file. An address with a query is
 * signed: everybody who gets the address can read the whole report.
 */
export function canShareAddress(): boolean {
  return location.protocol.startsWith('http') && location.search === '';
}

export function saveAs(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
