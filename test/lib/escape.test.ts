import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMarkdown } from '../../scripts/pictures/github-page.ts';
import {
  csvCell,
  html,
  logLine,
  markdown,
  markdownLines,
  prose,
  safeHref,
  visibleLines,
  yaml,
} from '../../src/lib/escape.ts';
import { HOSTILE_TEXTS } from '../builders/reports.ts';
import { AUTOLINKS, look } from '../report/tree.ts';

/** Characters that have a special meaning in HTML, Markdown, XML or workflow commands. */
const CHARACTERS = Array.from(' \n\r\t<>&"\'`*_[]()#!|~\\^$:/@-+=.,;{}%?0123ab\u2028\u202e\u001b\u200b😀é');
const PIECES = 'http www. GH-1 ::error:: ##[ <!-- --> </ ```'.split(' ');
const syntax = fc.string({
  unit: fc.constantFrom(...CHARACTERS, ...PIECES, '    ', '\n\n', '- ', '1. ', '| --- |', '\ud800'),
  maxLength: 60,
});
const text = fc.oneof(syntax, fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...HOSTILE_TEXTS));

function everyText(property: (value: string) => void): void {
  for (const hostile of HOSTILE_TEXTS) property(hostile);
  fc.assert(fc.property(text, property), { numRuns: 60 });
}

it('a log line is one line that the runner never reads as a command', () => {
  everyText((value) => {
    const line = logLine(value);
    expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(line.trimStart().startsWith('::')).toBe(false);
    expect(line).not.toContain('##[');
    expect(line).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u);
    expect(line.isWellFormed()).toBe(true);
  });
});

it.each([
  ['naïve 漢字 👩‍👩‍👧', 'naïve 漢字 👩‍👩‍👧'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u001b[31m', '\\u{1b}[31m'],
  [' ::error::x', ' \\u{3a}:error::x'],
  ['a ##[error]##[error]', 'a #\\u{23}[error]#\\u{23}[error]'],
  // Invisible characters that some scripts need are kept. Those that only hide text are escaped.
  ['soft\u00adhyphen, non\u200cjoiner, joi\u200dner', 'soft\u00adhyphen, non\u200cjoiner, joi\u200dner'],
  ['zero\u200bwidth \u2028 \u2029 \u{e0041}', 'zero\\u{200b}width \\u{2028} \\u{2029} \\u{e0041}'],
])('%j is logged as %j', (value, expected) => {
  expect(logLine(value)).toBe(expected);
});

it('lines keep their ends, of one kind, and paragraphs in Markdown', () => {
  expect(markdownLines('a\n\n\n\nb\nc')).toBe('a<br><br>b<br>c');
});

it('visibleLines keeps line ends, all of one kind, and tabs', () => {
  expect(visibleLines('a\tb\nc\r\nd\re\u2028f\u2029g\u0007')).toBe('a\tb\nc\nd\ne\nf\ng\\u{7}');
});

it.each([
  ['  plain (text), really! 100% {a}; 0:04, ', 'plain (text), really! 100% {a}; 0:04,'],
  ['&<>"`*_[]|~\\^$', '&#38;&#60;&#62;&#34;&#96;&#42;&#95;&#91;&#93;&#124;&#126;&#92;&#94;&#36;'],
  // GitHub links mentions and references even if their characters are entities.
  ['a@b #7 :+1:', 'a&#64;&#8288;b &#35;&#8288;7 &#58;&#8288;+1:'],
  ['a\nb\r\nc\td', 'a b c d'],
  ['- a + b', '&#45; a + b'],
  ['+ a', '&#43; a'],
  ['12) a', '12&#41; a'],
])('%j in Markdown is %s', (value, expected) => {
  expect(markdown(value)).toBe(expected);
});

/** Removes spaces, escapes of hidden characters and invisible characters. */
function letters(value: string): string {
  return value
    .toWellFormed()
    .replace(/\\u\{[0-9a-f]+\}/gu, '')
    .replace(/[\s\u200b\u0085]|(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '');
}

const PLACES: readonly [name: string, wrap: (inner: string) => string, elements: string][] = [
  ['a paragraph', (inner) => `before ${inner} after`, 'p'],
  ['the start of a block', (inner) => `${inner}X`, 'p'],
  ['a list item', (inner) => `- ${inner}X`, 'ul li'],
  ['a cell', (inner) => `| a | b |\n| --- | --- |\n| ${inner}X | y |`, 'table thead tr th th tbody tr td td'],
  ['a summary', (inner) => `<details><summary>${inner}X</summary><p>y</p></details>`, 'details summary p'],
  ['code', (inner) => `a <code>${inner}X</code>`, 'p code'],
];

it.each(PLACES)('markdown in %s adds no structure and loses no text', (_, wrap, elements) => {
  const frame = look(parseMarkdown(wrap('MARK'))).text;
  everyText((value) => {
    const found = look(parseMarkdown(wrap(markdown(value))));
    expect(found.elements.join(' ')).toBe(elements);
    expect(found.comments).toBe(0);
    expect(letters(found.text)).toBe(letters(frame.replace('MARK', () => value)));
  });
});

it('markdown contains nothing that GitHub links or notifies', () => {
  everyText((value) => {
    for (const prose of look(parseMarkdown(`a ${markdown(value)} b`)).prose) {
      for (const pattern of AUTOLINKS) expect(prose).not.toMatch(pattern);
    }
  });
});

it('prose adds nothing but code', () => {
  everyText((value) => {
    const found = look(parseMarkdown(`<p>${prose(value)}</p>`));
    expect(found.elements.filter((name) => name !== 'code')).toEqual(['p']);
  });
  expect(prose('the file `@a/#1.png`')).toBe('the file <code>&#64;a/&#35;1.png</code>');
  const names = ['logo@2x.png', 'https://evil.example', 'www.evil.example'];
  for (const name of names) expect(look(parseMarkdown(prose(`\`${name}\``))).hrefs).toEqual([]);
  expect(prose('set `a: b` or `<i>`')).toBe('set <code>a: b</code> or <code>&#60;i&#62;</code>');
});

it('html is text, in an element and in an attribute', () => {
  everyText((value) => {
    const found = look(parseMarkdown(`<div title="${html(value.replace(/\s+/gu, ' '))}">x</div>`));
    expect(found.elements).toEqual(['div']);
    expect(found.text).toBe('x');
    expect(html(value)).not.toMatch(/[<>"'\u202e]|(?![\n\t])\p{Cc}/u);
  });
});

it.each([
  ['https://example.com/a?b=1&c=2#d', 'https://example.com/a?b=1&c=2#d'],
  ['javascript:alert(1)', 'no link'],
  [' https://example.com', 'no link'],
  ['java\nscript:alert(1)', 'no link'],
  ['https://github.com@evil.example/', 'no link'],
  ['https://:github.com@evil.example/', 'no link'],
  ['https://example.com/?a=\'`|\\^{}<>"', 'https://example.com/?a=%27%60%7C%5C%5E%7B%7D%3C%3E%22'],
])('the address %j becomes %s', (url, expected) => {
  expect(safeHref(url) ?? 'no link').toBe(expected);
});

it.each([
  ['plain', 'plain'],
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['＝1', "'＝1"],
  ['\ta', "'\ta"],
  ['\ra', '"\'\ra"'],
  ['a-1', 'a-1'],
  ['a,b', '"a,b"'],
  ['="a"\nb', '"\'=""a""\nb"'],
  // A spreadsheet may split the text there, whatever the quotes say.
  ['a;=1;b; +2', "a;'=1;b; '+2"],
  ['a\t@b\t\t-c', "a\t'@b\t\t'-c"],
  ['a\r\n-b\n=c', '"a\r\n\'-b\n\'=c"'],
  ['a=b-c; d,+e', '"a=b-c; d,+e"'],
  // Behind quotes and separators.
  [';"=cmd|x', `";""'=cmd|x"`],
  [`,' "@a`, `",' ""'@a"`],
  ['a;"-1";', `"a;""'-1"";"`],
])('%j in a CSV is %j', (value, expected) => {
  expect(csvCell(value)).toBe(expected);
});

it('a text in YAML is quoted, and hides no character', () => {
  expect(yaml('a: "b"\u202e\n')).toBe(String.raw`"a: \"b\"\U0000202e\n"`);
});
