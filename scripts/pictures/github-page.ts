import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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
function asGitHub(markdown: string): string {
  return cleaner.stringify(cleaner.runSync(parseMarkdown(markdown)));
}

/** Signs that every font has: a machine without a screen seldom has a font with emoji. */
const SIGNS: readonly (readonly [emoji: RegExp, sign: string, colour: string])[] = [
  [/❌/g, '✖', '#d1242f'],
  [/✅/g, '✔', '#1a7f37'],
  [/☑\ufe0f/g, '✔', '#57606a'],
  [/⚠\ufe0f/g, '⚠', '#bf8700'],
  [/🔴/gu, '●', '#d1242f'],
  [/🟠/gu, '●', '#e16f24'],
  [/🟡/gu, '●', '#eac54f'],
  [/🔵/gu, '●', '#218bff'],
  [/🟥/gu, '■', '#d1242f'],
  [/🟧/gu, '■', '#e16f24'],
  [/🟨/gu, '■', '#eac54f'],
  [/🟦/gu, '■', '#218bff'],
];

/** A page with Markdown as GitHub shows it, in GitHub's own style. */
export async function githubPage(markdown: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const css = await readFile(require.resolve('github-markdown-css/github-markdown.css'), 'utf8');
  const html = SIGNS.reduce(
    (text, [emoji, sign, colour]) => text.replace(emoji, `<span style="color: ${colour}">${sign}</span>`),
    asGitHub(markdown),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${css} body { margin: 0 } .markdown-body { padding: 32px }</style>
<article class="markdown-body">${html}</article></html>`;
}
