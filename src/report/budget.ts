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

/** Cuts a text to at most `most` UTF-16 units, on a whole character, with an ellipsis if something is cut off. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.max(0, most - 1);
  const last = text.charCodeAt(end - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isHighSurrogate ? end - 1 : end)}…`;
}
