import { useLayoutEffect } from 'preact/hooks';

/** Always the listener of the last render, in place before the next event. */
export function useListener<T extends keyof WindowEventMap>(
  type: T,
  listener: (event: WindowEventMap[T]) => void,
): void {
  useLayoutEffect(() => {
    // Scrolling does not bubble: on a wide screen the list scrolls, and on a phone the page.
    addEventListener(type, listener, { capture: true });
    return () => removeEventListener(type, listener, { capture: true });
  });
}
