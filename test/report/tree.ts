import type { Nodes } from 'hast';

export interface Seen {
  readonly text: string;
  readonly elements: readonly string[];
  /** Every text node, except those that GitHub does not search for mentions and references. */
  readonly prose: readonly string[];
  readonly comments: number;
  readonly hrefs: readonly string[];
}

/** Collects what a reader sees in the tree, and what GitHub's filters look at. */
export function look(root: Nodes): Seen {
  const elements: string[] = [];
  const prose: string[] = [];
  const hrefs: string[] = [];
  let text = '';
  let comments = 0;
  const visit = (node: Nodes, isCode: boolean): void => {
    if (node.type === 'text') {
      text += node.value;
      if (!isCode) prose.push(node.value);
    }
    if (node.type === 'comment') comments += 1;
    if (node.type === 'element') elements.push(node.tagName);
    if (node.type === 'element' && 'href' in node.properties) hrefs.push(String(node.properties['href']));
    const inCode = isCode || (node.type === 'element' && ['code', 'pre', 'a'].includes(node.tagName));
    if ('children' in node) for (const child of node.children) visit(child, inCode);
  };
  visit(root, false);
  return { text, elements, prose, comments, hrefs };
}

/** Patterns that GitHub turns into links, notifications or pictures in rendered Markdown. */
export const AUTOLINKS = [
  /(^|\W)@[a-z\d]/iu,
  /#\d/u,
  /\bGH-\d/iu,
  /:[\w+-]+:/u,
  /\b(https?|ftp):\/\//iu,
  /\bwww\./iu,
  /[\w.+-]@[\w.-]/u,
];
