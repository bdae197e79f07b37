import type { FileHandle } from 'node:fs/promises';
import { fileTypeFromBlob } from 'file-type';
import type { Sniffed } from './classify.ts';
import { containerOf, isTextExtension } from './media-types.ts';
import { readAt } from './open.ts';
import { PDF_HEADER_WITHIN, sniffText } from './sniff-text.ts';
import { readTrackKind, type TrackKind } from './tracks.ts';

/** Enough for a long prolog before the root of an SVG; everything else needs far less. */
export const HEAD_BYTES = 64 * 1024;

/** Detection never needs a larger piece of a file, so a file that claims one is damaged. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

export async function readHead(handle: FileHandle, size: number): Promise<Uint8Array> {
  return readAt(handle, 0, Math.min(size, HEAD_BYTES));
}

/** The start of a file, and what its name says. */
export interface FileStart {
  readonly size: number;
  readonly head: Uint8Array;
  readonly extension: string;
}

/** What the bytes of a file say that it is. Large files are read in pieces. Undefined if the bytes are of no known type. */
export async function sniff(handle: FileHandle, { size, head, extension }: FileStart): Promise<Sniffed | undefined> {
  const text = sniffText(head, isTextExtension(extension));
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
  if (found?.extension === 'mov' && latin.slice(4, 8) !== 'ftyp') return { ...found, extension: 'moov' };
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
  const container = containerOf(extension);
  if (!container || BRANDS[extension] === 'video') return BRANDS[extension];
  const tracks = (await readTrackKind(container, handle, size)) ?? BRANDS[extension];
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
