/** A time such as 0:01, 00:12.5, 1:02:03 or 01:02:03:12 (with frames). "5 s" matches only after "at" or "from". */
export const TIME =
  /(?<![\d:.,])((?:\d{1,2}:){1,2}[0-5]\d(?:[.,]\d{1,3}|[:;]\d\d)?|(?<=\b(?:at|from) )\d{1,5}(?:\.\d+)? ?s(?:ec(?:ond)?s?)?\b)(?![\d:])/iu;

/** The first time in a text, in seconds; 0 if the text contains no time. */
export function firstTime(text: string): number {
  const [, time = '0'] = TIME.exec(text) ?? [];
  return secondsOf(time);
}

/** Converts a time to seconds, without its frames. */
export function secondsOf(time: string): number {
  return time
    .replace(/;.*/, '')
    .split(':')
    .slice(0, 3)
    .reduce((sum, part) => sum * 60 + Number.parseFloat(part.replace(',', '.')), 0);
}
