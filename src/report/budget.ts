/** Bytes that may still be written. */
export class Budget {
  left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  /** Pays for a text if it fits. */
  take(text: string): boolean {
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }
}

/** The first items that fit, rendered. Stops at the first that does not, so that what is shown stays worst first. */
export function takeWhileFits<T>(items: readonly T[], budget: Budget, render: (item: T) => string): string[] {
  const kept: string[] = [];
  for (const item of items) {
    const text = render(item);
    if (!budget.take(text)) break;
    kept.push(text);
  }
  return kept;
}
