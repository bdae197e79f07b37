import { createHash } from 'node:crypto';

/** Enough bytes to detect every file type, and few enough to keep for thousands of blobs. */
export const HEAD_BYTES = 64 * 1024;

/** What is kept of an upload. The bytes themselves are not, so that a 2 GiB upload takes 64 KiB of memory. */
export interface Digest {
  readonly size: number;
  readonly sha256: string;
  /** The first 64 KiB. */
  readonly head: Uint8Array;
}

export interface StoredBlob extends Digest {
  /** Milliseconds since the epoch; of two blobs with one path, the later one is used. */
  readonly storedAt: number;
}

/** Uses a finer clock than `Date.now()`: two uploads may arrive within a millisecond. */
export function stored(digest: Digest): StoredBlob {
  return { ...digest, storedAt: performance.timeOrigin + performance.now() };
}

/** Where presigned uploads go: the emulator's own store, or a real object store. */
export interface BlobStorage {
  readonly url: string;
  /** A URL that accepts a PUT of this blob until it expires. */
  signUploadUrl(blobPath: string, expiresAt: Date): string | Promise<string>;
  lookUp(blobPath: string): StoredBlob | undefined | Promise<StoredBlob | undefined>;
  close(): Promise<void>;
}

export class DigestSink {
  readonly #hash = createHash('sha256');
  readonly #head: Buffer[] = [];
  #headSize = 0;
  #size = 0;

  write(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#size += chunk.length;
    const room = HEAD_BYTES - this.#headSize;
    if (room > 0) {
      // A copy: a view would keep the whole network buffer alive.
      const piece = Buffer.from(chunk.subarray(0, room));
      this.#head.push(piece);
      this.#headSize += piece.length;
    }
  }

  finish(): Digest {
    return { size: this.#size, sha256: this.#hash.digest('hex'), head: Buffer.concat(this.#head) };
  }
}
