import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The first bytes of real formats: enough for detection, and no more. */

export function ftyp(brand: string, ...compatible: readonly string[]): Buffer {
  const brands = [Buffer.from(brand.padEnd(4)), Buffer.alloc(4), Buffer.from(compatible.join('').padEnd(8, '\0'))];
  return Buffer.concat([box('ftyp', ...brands), box('free', Buffer.alloc(56))]);
}

function box(name: string, ...content: readonly Uint8Array[]): Buffer {
  const inside = Buffer.concat(content);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + inside.length);
  header.write(name, 4, 'latin1');
  return Buffer.concat([header, inside]);
}

export function ogg(...codecs: readonly string[]): Buffer {
  const pages = codecs.map((codec) => {
    const content = Buffer.concat([Buffer.from(codec, 'latin1'), Buffer.alloc(40)]);
    const header = Buffer.alloc(28);
    header.write('OggS');
    header[5] = 2;
    header[26] = 1;
    header[27] = content.length;
    return Buffer.concat([header, content]);
  });
  return Buffer.concat([...pages, Buffer.alloc(27)]);
}

const ASF_STREAMS = { audio: '409e69f84d5bcf11a8fd00805f5c442b', video: 'c0ef19bc4d5bcf11a8fd00805f5c442b' };

export function asf(...streams: readonly (keyof typeof ASF_STREAMS)[]): Buffer {
  const objects = streams.map((stream) => {
    const properties = Buffer.alloc(78);
    Buffer.from('9107dcb7b7a9cf118ee600c00c205365', 'hex').copy(properties);
    properties.writeBigUInt64LE(78n, 16);
    Buffer.from(ASF_STREAMS[stream], 'hex').copy(properties, 24);
    return properties;
  });
  const header = Buffer.alloc(30);
  Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex').copy(header);
  header.writeBigUInt64LE(BigInt(30 + 78 * streams.length), 16);
  header.writeUInt32LE(streams.length, 24);
  return Buffer.concat([header, ...objects]);
}

export function matroska(documentType: string): Buffer {
  const type = Buffer.concat([Buffer.from([0x42, 0x82, 0x80 | documentType.length]), Buffer.from(documentType)]);
  return Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 | type.length]), type, Buffer.alloc(32)]);
}

export function transportStream(): Uint8Array {
  const bytes = Buffer.alloc(188 * 4);
  for (let at = 0; at < bytes.length; at += 188) bytes[at] = 0x47;
  return bytes;
}

export const CFB = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)]);
export const JPEG = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), Buffer.alloc(64)]);

/** A ZIP file without its central directory, which type detection does not read. */
export function zip(entries: Readonly<Record<string, string>>): Uint8Array {
  return Buffer.concat(
    Object.entries(entries).flatMap(([name, text]) => {
      const content = Buffer.from(text);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      header.writeUInt16LE(20, 4);
      header.writeUInt32LE(crc32(content), 14);
      header.writeUInt32LE(content.length, 18);
      header.writeUInt32LE(content.length, 22);
      header.writeUInt16LE(Buffer.byteLength(name), 26);
      return [header, Buffer.from(name), content];
    }),
  );
}

export function contentTypes(mime: string): string {
  return `<?xml version="1.0"?><Types><Override PartName="/x" ContentType="${mime}.main+xml"/></Types>`;
}

export function pointerTo(bytes: Uint8Array): string {
  const oid = createHash('sha256').update(bytes).digest('hex');
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${bytes.length}\n`;
}
