import { describe, expect, it } from 'vitest';
import { categoryOf, isAllowedType, normaliseType, typeMismatch } from '../../emulator/media-types.ts';
import { JPEG, M4A, MOV, MP3, MP4, PDF, PNG, SVG, SVG_WITH_PROLOG, TEXT, ZIP } from './media.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('bytes and declared type', () => {
  it.each([
    ['image/png', 'a.png', PNG],
    ['image/jpeg', 'a.JPEG', JPEG],
    ['video/mp4', 'a.mp4', MP4],
    ['video/mp4', 'a.mp4', MOV],
    ['video/quicktime', 'a.mov', MP4],
    ['audio/mp4', 'a.m4a', M4A],
    ['audio/x-m4a', 'a.m4a', MP4],
    ['audio/mpeg', 'a.mp3', MP3],
    ['application/pdf', 'a.pdf', PDF],
    [DOCX, 'a.docx', ZIP],
    ['image/svg+xml', 'a.svg', SVG],
    ['image/svg+xml', 'a.svg', SVG_WITH_PROLOG],
    ['text/plain', 'a.txt', TEXT],
    ['image/png', 'no-extension', PNG],
    ['image/png', 'a.unheard-of', PNG],
    ['image/tiff', 'directory-at-the-end.tiff', Buffer.from('II*\0\0\0\u0010\0', 'latin1')],
  ])('%s fits %s', async (type, filename, bytes) => {
    expect(await typeMismatch(type, filename, bytes)).toBeUndefined();
  });

  it.each([
    ['image/png', 'a.png', JPEG, 'the bytes are image/jpeg'],
    ['image/png', 'a.png', TEXT, 'the bytes are of no known type'],
    ['image/png', 'a.jpg', PNG, 'the name ends in .jpg'],
    ['video/mp4', 'a.mp4', PDF, 'the bytes are application/pdf'],
    ['application/pdf', 'a.pdf', ZIP, 'the bytes are application/zip'],
    ['image/svg+xml', 'a.svg', PNG, 'the bytes are image/png'],
    ['text/plain', 'a.txt', MP4, 'the bytes are video/mp4'],
  ])('%s does not fit %s', async (type, filename, bytes, why) => {
    expect(await typeMismatch(type, filename, bytes)).toContain(why);
  });
});

it('types are compared bare', () => {
  expect(normaliseType(' Text/Plain; charset=utf-8')).toBe('text/plain');
});

it.each([
  ['video/mp4', true, 'video'],
  ['audio/mpeg', true, 'audio'],
  ['image/svg+xml', true, 'image'],
  ['application/pdf', true, 'document'],
  ['text/csv', true, 'document'],
  ['application/zip', false, 'document'],
  ['application/octet-stream', false, 'document'],
  ['', false, 'document'],
] as const)('%s: allowed %s, %s', (type, allowed, category) => {
  expect(isAllowedType(type)).toBe(allowed);
  expect(categoryOf(type)).toBe(category);
});
