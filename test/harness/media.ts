import { createHash } from 'node:crypto';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WAV = Buffer.from('UklGRkQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSAAAAA=', 'base64');
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** A valid image that differs by `seed`: readers ignore the bytes after its end. */
export function png(seed: string): Buffer {
  return Buffer.concat([PNG, Buffer.from(seed)]);
}

/** Images called `NAME.png`, each with its own bytes. */
export function images(...names: readonly string[]): Record<string, Buffer> {
  return Object.fromEntries(names.map((name) => [`${name}.png`, png(name)]));
}

export function pdf(seed: string): Buffer {
  return Buffer.concat([PDF, Buffer.from(`% ${seed}\n`)]);
}

/** An MP4 of at least `size` bytes, filled by a `free` box. */
export function mp4(seed: string, size = 0): Buffer {
  const type = Buffer.from('000000186674797069736f6d0000020069736f6d6d703431', 'hex');
  const padding = Math.max(8 + Buffer.byteLength(seed), size - type.length);
  const box = Buffer.alloc(padding);
  box.writeUInt32BE(padding);
  box.write('free', 4);
  box.write(seed, 8);
  return Buffer.concat([type, box]);
}

/** A WAV whose 32 samples are the hash of `seed`. */
export function wav(seed: string): Buffer {
  return Buffer.concat([WAV, createHash('sha256').update(seed).digest()]);
}
