import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const README = fileURLToPath(new URL('./README.md', import.meta.url));
export const TESTING_PAGE = fileURLToPath(new URL('../docs/testing.md', import.meta.url));

/** The results of a part's last run, as they are in deep/README.md. */
export function readRecord(part: string): string {
  const { before, after } = splitPage(part, README);
  return readFileSync(README, 'utf8').slice(before.length, -after.length).trim();
}

/** Writes the results of a part into a page. */
export function writeRecord(part: string, markdown: string, page: string = README): void {
  const { before, after } = splitPage(part, page);
  writeFileSync(page, `${before}\n${markdown}\n${after}`);
}

function splitPage(part: string, page: string): { readonly before: string; readonly after: string } {
  const text = readFileSync(page, 'utf8');
  const start = `<!-- measured by: npm run deep -- ${part} -->\n`;
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf('\n<!-- end -->', from);
  if (from < start.length || to === -1) throw new Error(`${page} has no place for the results of "${part}".`);
  return { before: text.slice(0, from), after: text.slice(to) };
}

/** The date in the form that the records use. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** @param align one for each column: `---` or `---:` */
export function formatTable(
  head: readonly string[],
  align: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
