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

/** Parses Markdown into a tree of HTML that is not sanitised. */
export function parseMarkdown(markdown: string): Root {
  return parser.runSync(parser.parse(markdown));
}

/** Renders Markdown as GitHub shows it: the sanitiser's default rules are those of GitHub. */
export function asGitHub(markdown: string): string {
  return cleaner.stringify(cleaner.runSync(parseMarkdown(markdown)));
}
