import { isUtf8 } from 'node:buffer';
import type { Sniffed } from './classify.ts';

/** PDF readers look for the header in this many first bytes. */
export const PDF_HEADER_WITHIN = 1024;

/**
 * What kind of text a file is, from its first bytes; undefined if it is not text.
 *
 * Asked before detection by signature: some signatures are two or three letters, and a table that begins with "ID3" or
 * "BM" is neither audio nor a bitmap.
 */
export function sniffText(head: Uint8Array, isTextByName: boolean): Sniffed | undefined {
  const text = decode(head, isTextByName);
  if (text === undefined) return undefined;
  // Readers accept a PDF with something before its header, but a text file may just mention one.
  const isPdf = isTextByName ? text.startsWith('%PDF-') : text.slice(0, PDF_HEADER_WITHIN).includes('%PDF-');
  if (isPdf) return { extension: 'pdf', mime: 'application/pdf' };
  const begun = text.trimStart();
  if (begun.startsWith('{\\rtf')) return { extension: 'rtf', mime: 'application/rtf' };
  if (begun.startsWith('%!PS')) {
    const extension = /^%!PS-Adobe-\S+ EPSF-/.test(begun) ? 'eps' : 'ps';
    return { extension, mime: 'application/postscript' };
  }
  return rootOf(text) ?? { extension: 'txt', mime: 'text/plain' };
}

function decode(head: Uint8Array, isTextByName: boolean): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return decodeWide(head, 'utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return decodeWide(head, 'utf-16be');
  if (head.some(isControl)) return undefined;
  // Text in an old encoding is not valid UTF-8, and other bytes without control characters are not either: the name decides.
  if (!isTextByName && !isUtf8(withoutCutCharacter(head))) return undefined;
  return new TextDecoder().decode(head);
}

function decodeWide(head: Uint8Array, encoding: string): string | undefined {
  const text = new TextDecoder(encoding).decode(head);
  // A binary file can begin with the two bytes of a byte order mark.
  return /[\0\ufffd]/.test(text.slice(0, -1)) ? undefined : text;
}

function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;
}

/** The head may end in the middle of a character. */
function withoutCutCharacter(head: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, head.length); back++) {
    const byte = head[head.length - back] ?? 0;
    if (byte >= 0xc0) return head.subarray(0, head.length - back);
    if (byte < 0x80) break;
  }
  return head;
}

const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^]*?\]\s*)?>)/i;
const PROLOG_NOT_CLOSED = /^<(?:\?|!--|!doctype)/i;
const ELEMENT = /^<(?:[\w.-]+:)?([a-z][\w-]*)(?=[\s/>])/i;

/** The kind of markup, by its first element; undefined if the text is not markup. */
function rootOf(text: string): Sniffed | undefined {
  let rest = text.trimStart();
  const isXml = rest.startsWith('<?xml');
  for (let prolog = PROLOG.exec(rest); prolog; prolog = PROLOG.exec(rest)) rest = rest.slice(prolog[0].length);
  if (PROLOG_NOT_CLOSED.test(rest)) return { extension: 'markup', mime: 'application/xml' };
  const root = ELEMENT.exec(rest)?.[1]?.toLowerCase();
  if (root === 'svg') return { extension: 'svg', mime: 'image/svg+xml' };
  if (root === 'html') return { extension: 'html', mime: 'text/html' };
  return isXml ? { extension: 'xml', mime: 'application/xml' } : undefined;
}
