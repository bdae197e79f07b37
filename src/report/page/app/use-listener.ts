import { useLayoutEffect } from 'preact/hooks';

/** Listens on the window with the function of the last render. */
export function useListener<T extends keyof WindowEventMap>(
  type: T,
  listener: (event: WindowEventMap[T]) => void,
): void {
  useLayoutEffect(() => {
    // Scroll events of the list do not bubble, so they are captured.
    addEventListener(type, listener, { capture: true });
    return () => removeEventListener(type, listener, { capture: true });
  });
}
