import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { fileTypeFromBlob } from 'file-type';
import { readAt } from './file.ts';
import { familyOf, type TrackKind } from './media-types.ts';
import { readTrackKind } from './tracks.ts';

/** What the bytes of a file say that it is. */
export interface Sniffed {
  /** The usual extension of such files, or a name of our own if there is none. */
  readonly extension: string;
  readonly mime: string;
  /** What the tracks of a container hold, if they can be read. */
  readonly tracks?: TrackKind;
}

/** Enough for a long prolog before the root of an SVG; everything else needs far less. */
export const HEAD_BYTES = 64 * 1024;

/** Detection never needs a larger piece of a file, so a file that claims one is damaged. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

export async function readHead(handle: FileHandle, size: number): Promise<Uint8Array> {
  return readAt(handle, 0, Math.min(size, HEAD_BYTES));
}

/** The start of a file, and what its name says. */
interface FileStart {
  readonly size: number;
  readonly head: Uint8Array;
  readonly extension: string;
}

/** What the bytes of a file say that it is. Large files are read in pieces. Undefined if the bytes are of no known type. */
export async function sniff(handle: FileHandle, { size, head, extension }: FileStart): Promise<Sniffed | undefined> {
  const text = sniffText(head, ['text', 'svg'].includes(familyOf(extension)));
  if (text !== undefined) return text;
  try {
    const result = await fileTypeFromBlob(new FileBlob(handle, 0, size), { maxBufferSize: MAX_READ_BYTES });
    const found = refine(result && { extension: result.ext, mime: result.mime }, head);
    const tracks = found && (await tracksOf(found, handle, size));
    return found && tracks ? { ...found, tracks } : found;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    // Bytes that a parser fails on are not of the type that they begin like.
    return undefined;
  }
}

function refine(found: Sniffed | undefined, head: Uint8Array): Sniffed | undefined {
  const latin = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, PDF_HEADER_WITHIN)).toString('latin1');
  // Readers accept a PDF with something before its header.
  if (found === undefined && latin.includes('%PDF-')) return { extension: 'pdf', mime: 'application/pdf' };
  if (found?.mime.startsWith('image/heif')) return { ...found, extension: 'heif' };
  return found;
}

/** Brands that say what is in the file. */
const BRANDS: Readonly<Record<string, TrackKind>> = {
  m4v: 'video',
  f4v: 'video',
  m4a: 'audio',
  m4b: 'audio',
  f4a: 'audio',
  f4b: 'audio',
};

/** A brand or a track that says video decides, because a video must never be analysed as audio or as an image. */
async function tracksOf(
  { extension, mime }: Sniffed,
  handle: FileHandle,
  size: number,
): Promise<TrackKind | undefined> {
  if (BRANDS[extension] === 'video') return 'video';
  const tracks = (await readTrackKind(familyOf(extension), handle, size)) ?? BRANDS[extension];
  return mime.startsWith('image/') && tracks === 'audio' ? undefined : tracks;
}

/**
 * An open file as a Blob. Detection can skip parts of a Blob. If it was given the path, it would open the file a second
 * time, and that could be another file.
 */
class FileBlob extends Blob {
  override readonly size: number;
  readonly #handle: FileHandle;
  readonly #start: number;

  constructor(handle: FileHandle, start: number, end: number) {
    super([]);
    this.size = Math.max(0, end - start);
    this.#handle = handle;
    this.#start = start;
  }

  override slice(start = 0, end = this.size): Blob {
    return new FileBlob(this.#handle, this.#start + start, this.#start + Math.min(end, this.size));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await readAt(this.#handle, this.#start, this.size);
    return bytes.buffer.slice(0, bytes.length);
  }
}

/** PDF readers look for the header in this many first bytes. */
const PDF_HEADER_WITHIN = 1024;

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
