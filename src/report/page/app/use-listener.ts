import { useLayoutEffect } from 'preact/hooks';

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
