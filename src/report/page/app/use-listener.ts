import { useLayoutEffect } from 'preact/hooks';

/** Always the listener of the last render, in place before the next event. */
export function useListener<T extends keyof WindowEventMap>(
  type: T,
  listener: (event: WindowEventMap[T]) => void,
): void {
  useLayoutEffect(() => {
    addEventListener(type, listener);
    return () => removeEventListener(type, listener);
  });
}
