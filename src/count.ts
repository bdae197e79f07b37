/** A whole number, "2,000". By hand: the language data behind `toLocaleString` would take 13 ms of every start. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 file", "2,000 files". */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}
