import { createHash } from 'node:crypto';
import { markdown } from '../lib/escape.ts';
import { count } from '../lib/format.ts';
import { truncate } from './budget.ts';
import { comparisonUrl, fileAtCommitUrl, link } from './github-links.ts';
import type { Report } from './report.ts';

/** Links to the file at the commit, in a pull request to its place among the changes. */
export function pathLink(path: string, run: Report['run']): string {
  const url = comparisonUrl(run, createHash('sha256').update(path).digest('hex')) ?? fileAtCommitUrl(run, path);
  return link(url, `<code>${markdown(truncate(path, 200))}</code>`);
}

/** At most `max` paths, and how many there are more. */
export function pathLinks(paths: readonly string[], run: Report['run'], max: number): string {
  const shown = paths.slice(0, max).map((path) => pathLink(path, run));
  const hidden = paths.length - shown.length;
  return shown.join(', ') + (hidden > 0 ? ` and ${count(hidden)} more` : '');
}
