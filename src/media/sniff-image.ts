import type { Sniffed } from './classify.ts';

const JPEG = { extension: 'jpg', mime: 'image/jpeg' };
const GIF = { extension: 'gif', mime: 'image/gif' };
const WEBP = { extension: 'webp', mime: 'image/webp' };
const PNG = { extension: 'png', mime: 'image/png' };
const APNG = { extension: 'apng', mime: 'image/apng' };

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/**
 * The images that most repositories hold, told by their first bytes just as `file-type` tells them (a test compares the
 * two), so that most runs need not load it. Undefined for all that is not told so easily.
 */
export function sniffImage(head: Uint8Array): Sniffed | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  const start = bytes.toString('latin1', 0, 12);
  // With F7 in the fourth place it is JPEG-LS, which is something else.
  if (/^\xff\xd8\xff[^\xf7]/.test(start)) return JPEG;
  if (/^GIF8[79]a/.test(start)) return GIF;
  if (/^RIFF[^]{4}WEBP/.test(start)) return WEBP;
  return start.startsWith(PNG_SIGNATURE) ? sniffPng(bytes) : undefined;
}

/** An animation says so in a chunk before the first one with pixels. */
function sniffPng(bytes: Buffer): Sniffed | undefined {
  const typeAt = (chunk: number): string => bytes.toString('latin1', chunk + 4, chunk + 8);
  let chunk = PNG_SIGNATURE.length;
  if (typeAt(chunk) !== 'IHDR') return undefined;
  while (chunk + 8 < bytes.length) {
    const [length, type] = [bytes.readInt32BE(chunk), typeAt(chunk)];
    if (length < 0 || (type === 'IHDR' && length !== 13)) return undefined;
    if (type === 'IDAT') return PNG;
    if (type === 'acTL') return APNG;
    chunk += 8 + length + 4;
  }
  return undefined;
}
