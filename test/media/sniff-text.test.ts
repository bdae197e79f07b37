import { describe, expect, it } from 'vitest';
import { sniffText } from '../../src/media/sniff.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const bigEndian = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();

describe('text by its first bytes', () => {
  it.each<[what: string, head: Uint8Array, extension: string | undefined]>([
    ['PostScript', Buffer.from('%!PS-Adobe-3.0\n'), 'ps'],
    ['encapsulated PostScript', Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n'), 'eps'],
    ['markup in two bytes a letter, the high one first', bigEndian(SVG), 'svg'],
    ['XML with a root that we do not know', Buffer.from('<?xml version="1.0"?><rss/>'), 'xml'],
    ['a mark of wide letters before something binary', Buffer.from([0xff, 0xfe, 0, 0, 1, 2]), undefined],
    ['the same with the high byte first', Buffer.from([0xfe, 0xff, 0, 0, 1, 2]), undefined],
    ['a letter of two bytes, cut', Buffer.from('Grü').subarray(0, 3), 'txt'],
    ['a letter of three bytes, cut', Buffer.from('5 €').subarray(0, 4), 'txt'],
    ['a letter of four bytes, cut', Buffer.from('👩').subarray(0, 3), 'txt'],
    ['continuation bytes without a start', Buffer.from([0x41, 0x80, 0x80, 0x80]), undefined],
    ['a stray byte before a letter', Buffer.from([0x80, 0x41]), undefined],
  ])('%s', (_, head, extension) => {
    expect(sniffText(head, false)?.extension).toBe(extension);
  });

  it('in an old encoding is text if its name says so', () => {
    const latin = Buffer.from('Gr\xfc\xdfe', 'latin1');
    expect(sniffText(latin, false)).toBeUndefined();
    expect(sniffText(latin, true)?.extension).toBe('txt');
  });
});
