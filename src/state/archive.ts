import { inflateRawSync } from 'node:zlib';

/** Far more than a state of ten thousand files takes. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;

export const STATE_FILE = 'state.json';

/**
 * The state in the zip archive of an artifact, or undefined. Nothing is written to disk, only the entry of exactly this
 * name is unpacked, and never more of it than a state may have, whatever the archive says about its size.
 */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  const zip = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  try {
    const [entry, ...others] = entriesOf(zip).filter(({ name }) => name === STATE_FILE);
    return entry && others.length === 0 ? unpack(zip, entry) : undefined;
  } catch {
    // Offsets that lead out of the archive, and bytes that do not inflate.
    return undefined;
  }
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packedSize: number;
  readonly offset: number;
}

const END = { signature: 0x06054b50, size: 22, longestComment: 0xffff };
const CENTRAL = { signature: 0x02014b50, size: 46 };
const LOCAL = { signature: 0x04034b50, size: 30 };

/** Read from the directory at the end, because a streamed archive has no sizes before its data. */
function entriesOf(zip: Buffer): readonly Entry[] {
  const end = findEnd(zip);
  if (end === undefined) return [];
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== CENTRAL.signature) return [];
    const nameLength = zip.readUInt16LE(at + 28);
    entries.push({
      name: zip.toString('utf8', at + CENTRAL.size, at + CENTRAL.size + nameLength),
      method: zip.readUInt16LE(at + 10),
      packedSize: zip.readUInt32LE(at + 20),
      offset: zip.readUInt32LE(at + 42),
    });
    at += CENTRAL.size + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(zip: Buffer): number | undefined {
  const first = Math.max(0, zip.length - END.size - END.longestComment);
  for (let at = zip.length - END.size; at >= first; at -= 1) if (zip.readUInt32LE(at) === END.signature) return at;
  return undefined;
}

const STORED = 0;
const DEFLATED = 8;

function unpack(zip: Buffer, { method, packedSize, offset }: Entry): Uint8Array | undefined {
  if (zip.readUInt32LE(offset) !== LOCAL.signature) return undefined;
  const start = offset + LOCAL.size + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  if (start + packedSize > zip.length) return undefined;
  const packed = zip.subarray(start, start + packedSize);
  if (method === STORED) return packed.length <= MAX_STATE_BYTES ? packed : undefined;
  return method === DEFLATED ? inflateRawSync(packed, { maxOutputLength: MAX_STATE_BYTES }) : undefined;
}
