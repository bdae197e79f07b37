import type { FileHandle } from 'node:fs/promises';
import type { Sniffed } from './classify.ts';
import { isText } from './media-types.ts';
import { sniffImage } from './sniff-image.ts';
import { PDF_WITHIN, sniffText } from './sniff-text.ts';

/** Enough for the longest prolog before an SVG's root that is likely; everything else is told by far less. */
export const HEAD_BYTES = 64 * 1024;

/** No part of a file that detection asks for in one piece is larger; a file that says so is lying. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

export async function readHead(handle: FileHandle, size: number): Promise<Uint8Array> {
  return readAt(handle, 0, Math.min(size, HEAD_BYTES));
}

/** What the bytes say, read piecewise: a large file is never read as a whole. Undefined where they say nothing. */
export async function sniff(
  handle: FileHandle,
  size: number,
  head: Uint8Array,
  extension: string,
): Promise<Sniffed | undefined> {
  const plain = sniffText(head, isText(extension)) ?? sniffImage(head);
  if (plain !== undefined) return plain;
  // Loaded here because a run that ends earlier, or that finds only text and plain images, need not pay for it.
  const { fileTypeFromBlob } = await import('file-type');
  let found: Sniffed | undefined;
  try {
    const result = await fileTypeFromBlob(new FileBlob(handle, 0, size), { maxBufferSize: MAX_READ_BYTES });
    found = result && { extension: result.ext, mime: result.mime };
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    // What makes a parser stumble is not what it seems to be.
    return undefined;
  }
  return refine(found, head);
}

function refine(found: Sniffed | undefined, head: Uint8Array): Sniffed | undefined {
  const latin = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, PDF_WITHIN)).toString('latin1');
  // Readers accept a PDF with something before its header.
  if (found === undefined && latin.includes('%PDF-')) return { extension: 'pdf', mime: 'application/pdf' };
  if (found?.extension === 'mov' && latin.slice(4, 8) !== 'ftyp') return { ...found, extension: 'moov' };
  if (found?.mime.startsWith('image/heif')) return { ...found, extension: 'heif' };
  return found;
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * An open file as a Blob. Detection seeks in a Blob, so that it can skip what it need not read; by a path it would open
 * the file a second time, and not surely the same one.
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
