import type { Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true }).use(rehypeRaw);
const cleaner = unified().use(rehypeSanitize).use(rehypeStringify);

/** Markdown as a tree of HTML, with everything that it asks for. */
export function parseMarkdown(markdown: string): Root {
  return parser.runSync(parser.parse(markdown));
}

/** Markdown as GitHub shows it: the sanitiser's default list is GitHub's. */
export function asGitHub(markdown: string): string {
  return cleaner.stringify(cleaner.runSync(parseMarkdown(markdown)));
}
