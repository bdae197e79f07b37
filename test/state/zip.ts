import { deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: Uint8Array | string;
  /** Default: deflated. */
  readonly stored?: true;
  /** The size that the archive claims; default: the true one. */
  readonly claimedSize?: number;
  readonly method?: number;
  /** Bytes of an extra field, in the entry and in the directory, and of a comment in the directory. */
  readonly extra?: number;
}

/** A zip archive, with the mistakes that a test asks for. Checksums are left out, because they are not read. */
export function zip(entries: readonly ZipEntry[], comment = ''): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, stored, claimedSize, method, extra = 0 } of entries) {
    const bytes = Buffer.from(data);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(method ?? (stored ? 0 : 8), 4);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedSize ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    fields.writeUInt16LE(extra, 24);
    files.push(Buffer.from('PK\x03\x04'), fields, Buffer.from(name), Buffer.alloc(extra, 'x'), packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt16LE(extra, 0);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name), Buffer.alloc(2 * extra, 'x'));
    offset += 30 + Buffer.byteLength(name) + extra + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)]);
}

/** The names in the directory of an archive, sorted: files are packed in any order. */
export function zipEntries(archive: Uint8Array = new Uint8Array()): readonly string[] {
  const bytes = Buffer.from(archive);
  const names: string[] = [];
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 46)) {
    names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)));
  }
  return names.toSorted();
}
