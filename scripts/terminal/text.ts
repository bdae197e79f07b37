import { stripVTControlCharacters } from 'node:util';

/** Text for a terminal: a character takes one or two cells. */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE = /\p{Emoji_Presentation}|\ufe0f/u;

function width(text: string): number {
  let cells = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) cells += WIDE.test(segment) ? 2 : 1;
  return cells;
}

/** Wraps between words and keeps existing line breaks. A word longer than a line is not broken. */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      const longer = current === '' ? word : `${current} ${word}`;
      if (current !== '' && width(longer) > columns) {
        lines.push(current);
        current = word;
      } else current = longer;
    }
    return [...lines, current];
  });
}

/** Rows of cells in aligned columns. If they do not fit, the widest column is wrapped. */
export function table(rows: readonly (readonly string[])[], columns: number): readonly string[] {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.flatMap((row) => (row[column] ?? '').split('\n').map(width))),
  );
  // An empty column is left out.
  const used = widths.map((_, column) => column).filter((column) => (widths[column] ?? 0) > 0);
  const gaps = 2 * (used.length - 1);
  const sum = (): number => used.reduce((total, column) => total + (widths[column] ?? 0), gaps);
  while (sum() > columns && Math.max(...widths) > 10)
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  return rows.flatMap((row) => {
    const cells = used.map((column) => wrap(row[column] ?? '', widths[column] ?? 0));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) =>
      used
        .map((column, place) => pad(cells[place]?.[line] ?? '', widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  });
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}
