import { foldersWith } from '../folders.ts';
import type { IssueRecord } from './filters.ts';

/**
 * Reads the issues of a group of files from its HTML, as a text: making elements of thousands of issues takes seconds.
 * It is the HTML of our own template, in which every text is escaped, so that a sign means what it says.
 */

/** Of one issue: what it is found by. */
export interface SourceIssue extends IssueRecord {
  readonly id: string;
  /** The id of its file. */
  readonly file: string;
}

const FILE = /<section class="file[^"]*" id="([^"]*)"/;
const ARTICLE = /<article class="issue[^"]*" id="([^"]*)"([^>]*)>(.*?)<\/article>/gs;
const FACET = / data-([a-z]+)="([^"]*)"/g;
/** Of most issues the labels are the same: a search for their words would find everything. */
const LABELS = /<p class="tags">.*?<\/p>/s;

/** @param folders those that a reader can filter by */
export function readIssues(source: string, folders: readonly string[]): readonly SourceIssue[] {
  return source.split('<section ').flatMap((text) => {
    const [, file] = FILE.exec(`<section ${text.slice(0, 200)}`) ?? [];
    const start = text.indexOf('<article');
    if (file === undefined || start === -1) return [];
    const paths = [...text.slice(0, start).matchAll(/<code>(.*?)<\/code>/gs)].map(([, path = '']) => plain(path));
    const folder = foldersWith(folders, paths);
    const prefix = `${paths.join(' ')} `;
    return [...text.slice(start).matchAll(ARTICLE)].map(([, id = '', attributes = '', body = '']) => ({
      ...Object.fromEntries([...attributes.matchAll(FACET)].map(([, name, value = '']) => [name, [decode(value)]])),
      folder,
      id,
      file,
      text: (prefix + plain(body.replace(LABELS, ''))).toLowerCase(),
    }));
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
  return text.includes('&')
    ? text.replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    : text;
}
