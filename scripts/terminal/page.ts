import { styleText } from 'node:util';
import type { Element, Nodes } from 'hast';
import { parseMarkdown } from '../pictures/github-page.ts';
import { table, wrap } from './text.ts';

/** Renders Markdown for a terminal. Of a section that GitHub shows folded, only the title is printed. */
export function page(markdown: string, columns: number): string {
  return blocks(parseMarkdown(markdown), columns)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** It keeps GitHub from turning text into links, and has no use in a terminal. */
const ZERO_WIDTH_SPACE = '\u200b';

const BLOCKS = new Set(['blockquote', 'details', 'div', 'h1', 'h2', 'h3', 'h4', 'hr', 'ol', 'p', 'pre', 'table', 'ul']);

/** The lines of a node. Text between blocks becomes a paragraph. */
function blocks(parent: Nodes, columns: number): readonly string[] {
  const lines: string[] = [];
  let loose = '';
  const flush = (): void => {
    if (loose.trim() !== '') lines.push(...wrap(loose.trim(), columns));
    loose = '';
  };
  for (const child of 'children' in parent ? parent.children : []) {
    if (child.type === 'element' && BLOCKS.has(child.tagName)) {
      flush();
      lines.push(...block(child, columns));
    } else loose += inline(child);
  }
  flush();
  return lines;
}

function block(element: Element, columns: number): readonly string[] {
  switch (element.tagName) {
    case 'h1':
    case 'h2':
      return ['', styleText(['bold', 'underline'], inline(element)), ''];
    case 'h3':
    case 'h4':
      return ['', styleText('bold', inline(element)), ''];
    case 'hr':
      return ['', styleText('dim', '─'.repeat(columns)), ''];
    case 'ul':
    case 'ol':
      return list(element, columns);
    case 'table':
      return [...table(rowsOf(element), columns), ''];
    case 'details':
      return details(element, columns);
    case 'blockquote':
      return blocks(element, columns - 4).map((line) => line && `    ${line}`);
    case 'pre':
      return [...textOf(element).split('\n'), ''];
    case 'div':
      return blocks(element, columns);
    default:
      return [...blocks(element, columns), ''];
  }
}

function list(element: Element, columns: number): readonly string[] {
  const items = element.children.filter((child) => isElement(child, 'li'));
  const lines = items.flatMap((item, index) => {
    const mark = element.tagName === 'ol' ? `${index + 1}. ` : '• ';
    const [first = '', ...rest] = blocks(item, columns - mark.length).filter((line) => line !== '');
    return [mark + first, ...rest.map((line) => ' '.repeat(mark.length) + line)];
  });
  return [...lines, ''];
}

function details(element: Element, columns: number): readonly string[] {
  const summary = element.children.find((child) => isElement(child, 'summary'));
  const title = summary ? inline(summary) : 'Details';
  const isOpen = element.properties['open'] !== undefined;
  const [first = '', ...rest] = wrap(title, columns - 2);
  const head = [`${isOpen ? '▾' : '▸'} ${first}`, ...rest.map((line) => `  ${line}`)];
  if (!isOpen) return head;
  const body = { ...element, children: element.children.filter((child) => child !== summary) };
  return [...head, ...blocks(body, columns)];
}

function rowsOf(element: Element): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const visit = (node: Nodes): void => {
    if (isElement(node, 'tr')) {
      const cells = node.children.filter((child) => isElement(child, 'td') || isElement(child, 'th'));
      rows.push(cells.map((cell) => (isElement(cell, 'th') ? styleText('dim', inline(cell)) : inline(cell))));
    } else if ('children' in node) node.children.forEach(visit);
  };
  visit(element);
  return rows;
}

function inline(node: Nodes): string {
  if (node.type === 'text') return node.value.replaceAll(/\s*\n\s*/g, ' ').replaceAll(ZERO_WIDTH_SPACE, '');
  if (node.type !== 'element') return 'children' in node ? node.children.map(inline).join('') : '';
  const text = node.children.map(inline).join('');
  switch (node.tagName) {
    case 'br':
      return '\n';
    case 'b':
    case 'strong':
      return styleText('bold', text);
    case 'em':
    case 'i':
      return styleText('italic', text);
    case 'code':
      return styleText('cyan', text);
    case 'sub':
      return styleText('dim', text);
    case 'a':
      return `${text} ${styleText(['dim', 'underline'], node.properties['href'] ?? '')}`;
    case 'img':
      return node.properties['alt'] ?? '';
    default:
      return text;
  }
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

function isElement(node: Nodes, tagName: string): node is Element {
  return node.type === 'element' && node.tagName === tagName;
}
