import type { IssueRecord } from './filters.ts';

/**
 * Reads the issues of a file from its HTML, as a text: making elements of thousands of issues takes seconds. It is the
 * HTML of our own template, in which every text is escaped, so that a sign means what it says.
 */

/** Of one issue: what it is found by. */
export interface SourceIssue extends IssueRecord {
  readonly id: string;
}

const ARTICLE = /<article class="issue[^"]*" id="([^"]*)"([^>]*)>(.*?)<\/article>/gs;
const FACET = / data-([a-z]+)="([^"]*)"/g;
/** Of most issues the labels are the same: a search for their words would find everything. */
const LABELS = /<p class="tags">.*?<\/p>/s;

export function readIssues(source: string, path: string): readonly SourceIssue[] {
  const start = source.indexOf('<article');
  const paths = [
    path,
    ...[...source.slice(0, start).matchAll(/<code>(.*?)<\/code>/gs)].map(([, text = '']) => plain(text)),
  ];
  return [...source.matchAll(ARTICLE)].map(([, id = '', attributes = '', body = '']) => {
    const facets = Object.fromEntries(
      [...attributes.matchAll(FACET)].map(([, name, value = '']) => [name, decode(value)]),
    );
    const text = `${paths.join(' ')} ${plain(body.replace(LABELS, ''))}`.toLowerCase();
    return { ...facets, id, text };
  });
}

function plain(html: string): string {
  return decode(html.replace(/<[^>]*>/g, ' '));
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
  amp: '&',
};

function decode(text: string): string {
  return text.replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
