/** Cuts a text to at most `most` UTF-16 units, on a whole character, with an ellipsis if something is cut off. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.max(0, most - 1);
  const last = text.charCodeAt(end - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isHighSurrogate ? end - 1 : end)}…`;
}
