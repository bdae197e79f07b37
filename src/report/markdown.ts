import { createHash } from 'node:crypto';
import { markdown, markdownLines, prose } from '../lib/escape.ts';
import { formatList, plural, truncate } from '../lib/format.ts';
import { comparisonUrl, fileAtCommitUrl, link, repositoryPath } from './links.ts';
import type { Report, ReportedCause } from './report.ts';

/** The building blocks of summary and comment, in GitHub's Markdown. */

/**
 * Texts from outside are cut to a line, a sentence of ours that quotes them, or a paragraph, because the full report has
 * them whole. They are cut before they are escaped, so that a huge text takes no time.
 */
export function line(text: string, max = 200): string {
  return markdown(truncate(text, max));
}

export function sentence(text: string, max = 1_000): string {
  return prose(truncate(text, max));
}

export function paragraph(text: string): string {
  return markdownLines(truncate(text, 4_000));
}

/** GitHub renders Markdown inside `details` only between empty lines. */
export function fold(name: string, text: string): string {
  return `<details><summary>${name}</summary>\n\n${text}\n\n</details>`;
}

export function section(name: string, text: string): string {
  return text === '' ? '' : `### ${name}\n\n${text}`;
}

/** Adds a line that counts what is left out, if anything is. */
export function withRest(text: string, hidden: number, noun: string): string {
  return hidden > 0 ? `${text}\n\nand ${plural(hidden, `more ${noun}`)} in <code>report.html</code>` : text;
}

/** Returns an empty text if there are no rows. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [columns, columns.map(() => ':--'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

type Files = Pick<ReportedCause, 'paths' | 'isChanged'>;

/** Links to the first `max` files, or to their diffs if the pull request changes them, and counts the other files. */
export function pathLinks({ paths, isChanged }: Files, { run }: Report, max = 1): string {
  const links = paths.slice(0, max).map((path) => {
    const sha256 = createHash('sha256').update(repositoryPath(run, path)).digest('hex');
    const url = (isChanged ? comparisonUrl(run, sha256) : undefined) ?? fileAtCommitUrl(run, path);
    return link(url, `<code>${line(path)}</code>`);
  });
  return formatList([...links, ...paths.slice(max)], max);
}
