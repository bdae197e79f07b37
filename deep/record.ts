import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('./README.md', import.meta.url));

/** What a part measured last, as it stands in deep/README.md. */
export function recorded(part: string): string {
  const { before, after } = aroundRecord(part);
  return readFileSync(DOCS, 'utf8').slice(before.length, -after.length).trim();
}

/** Writes what a part has measured into deep/README.md. */
export function record(part: string, markdown: string): void {
  const { before, after } = aroundRecord(part);
  writeFileSync(DOCS, `${before}\n${markdown}\n${after}`);
}

function aroundRecord(part: string): { readonly before: string; readonly after: string } {
  const text = readFileSync(DOCS, 'utf8');
  const start = `<!-- measured by: npm run deep -- ${part} -->\n`;
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf('\n<!-- end -->', from);
  if (from < start.length || to === -1) throw new Error(`${DOCS} has no place for what "${part}" measures.`);
  return { before: text.slice(0, from), after: text.slice(to) };
}

/** Of now, as the records tell it. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** @param align of each column, `---` or `---:` */
export function table(
  head: readonly string[],
  align: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
