import type { FileHandle } from 'node:fs/promises';
import { readAt } from './file.ts';
import type { TrackKind } from './media-types.ts';

type Reader = (position: number, length: number) => Promise<Buffer>;
type Tracks = (read: Reader, size: number) => AsyncGenerator<TrackKind>;

/** By family of media types. HEIF and AVIF are images, but their container can hold a film. */
const TRACKS: Readonly<Record<string, Tracks>> = {
  iso: isoTracks,
  quicktime: isoTracks,
  heif: isoTracks,
  avif: isoTracks,
  matroska: matroskaTracks,
  webm: matroskaTracks,
  ogg: oggTracks,
  asf: asfTracks,
};

/** Reads only headers, however large the file is. Undefined if there is no track, or none that can be recognised. */
export async function readTrackKind(family: string, handle: FileHandle, size: number): Promise<TrackKind | undefined> {
  let found: TrackKind | undefined;
  for await (const kind of TRACKS[family]?.(createReader(handle), size) ?? []) {
    if (kind === 'video') return kind;
    found = kind;
  }
  return found;
}

const BLOCK_BYTES = 4 * 1024;
/** Real files have far fewer headers. */
const MAX_READS = 1_000_000;

/** Headers are small and often close together, so a whole block is read and kept. The result is short at the end of the file. */
function createReader(handle: FileHandle): Reader {
  let start = 0;
  let block = Buffer.alloc(0);
  let reads = 0;
  return async (position, length) => {
    reads += 1;
    if (reads > MAX_READS) throw new RangeError('The file has too many headers.');
    if (position < start || position + length > start + block.length) {
      const bytes = await readAt(handle, position, Math.max(length, BLOCK_BYTES));
      block = Buffer.from(bytes.buffer, 0, bytes.length);
      start = position;
    }
    return block.subarray(position - start, position - start + length);
  };
}

/** MP4, QuickTime and 3GP: the handler of each track is at moov/trak/mdia/hdlr. */
const ISO_PATH = ['moov', 'trak', 'mdia', 'hdlr'];
const ISO_HANDLERS: Readonly<Record<string, TrackKind>> = { vide: 'video', soun: 'audio' };

async function* isoTracks(
  read: Reader,
  end: number,
  { start, depth } = { start: 0, depth: 0 },
): AsyncGenerator<TrackKind> {
  for (let at = start; at + 8 <= end; ) {
    const header = await read(at, 16);
    if (header.length < 8) return;
    const isLong = header.readUInt32BE() === 1;
    if (isLong && header.length < 16) return;
    const headerBytes = isLong ? 16 : 8;
    // A size of 0 means that the box goes on to the end.
    const size = (isLong ? Number(header.readBigUInt64BE(8)) : header.readUInt32BE()) || end - at;
    if (size < headerBytes) return;
    const content = at + headerBytes;
    if (header.toString('latin1', 4, 8) === ISO_PATH[depth]) {
      if (depth < ISO_PATH.length - 1)
        yield* isoTracks(read, Math.min(at + size, end), { start: content, depth: depth + 1 });
      else {
        const kind = ISO_HANDLERS[(await read(content + 8, 4)).toString('latin1')];
        if (kind) yield kind;
      }
    }
    at += size;
  }
}

/** Matroska and WebM: Segment/Tracks/TrackEntry/TrackType. */
const TRACK_TYPE = 0x83;
const MATROSKA_PARENTS: ReadonlySet<number> = new Set([0x18538067, 0x1654ae6b, 0xae]);
/** 3 is a track with both video and audio. */
const MATROSKA_TYPES: Readonly<Record<number, TrackKind>> = { 1: 'video', 2: 'audio', 3: 'video' };

async function* matroskaTracks(read: Reader, end: number): AsyncGenerator<TrackKind> {
  for (let at = 0; at < end; ) {
    const header = await read(at, 12);
    const idBytes = vintBytes(header, 0);
    const sizeBytes = vintBytes(header, idBytes);
    if (idBytes > 4 || sizeBytes > 8 || idBytes + sizeBytes > header.length) return;
    const id = header.readUIntBE(0, idBytes);
    const size = vintValue(header.subarray(idBytes, idBytes + sizeBytes));
    const content = at + idBytes + sizeBytes;
    if (id === TRACK_TYPE) {
      const kind = MATROSKA_TYPES[(await read(content + (size ?? 1) - 1, 1))[0] ?? 0];
      if (kind) yield kind;
    }
    // An element without a size, as in a live recording, ends where one of a higher level begins.
    at = MATROSKA_PARENTS.has(id) || size === undefined ? content : content + size;
  }
}

/** The length of a number is the position of the first 1 bit. */
function vintBytes(header: Buffer, at: number): number {
  return Math.clz32(header[at] ?? 0) - 23;
}

/** Undefined if all bits are set, which means that the size is unknown. */
function vintValue(bytes: Buffer): number | undefined {
  const bits = 7n * BigInt(bytes.length);
  const value = BigInt(`0x${bytes.toString('hex')}`) & ((1n << bits) - 1n);
  return value === (1n << bits) - 1n ? undefined : Number(value);
}

/** Ogg: the first page of each stream comes before all other pages. */
const OGG_CODECS: readonly (readonly [start: string, kind: TrackKind])[] = [
  ['\x80theora', 'video'],
  ['\x80daala', 'video'],
  ['\x01video', 'video'],
  ['OVP80', 'video'],
  ['BBCD', 'video'],
  ['\x01vorbis', 'audio'],
  ['OpusHead', 'audio'],
  ['\x7fFLAC', 'audio'],
  ['Speex', 'audio'],
  ['\x01audio', 'audio'],
];
const OGG_FIRST_PAGE = 2;

async function* oggTracks(read: Reader, end: number): AsyncGenerator<TrackKind> {
  for (let at = 0; at + 27 <= end; ) {
    const header = await read(at, 27 + 255);
    const segments = header[26] ?? 0;
    if (header.toString('latin1', 0, 4) !== 'OggS' || ((header[5] ?? 0) & OGG_FIRST_PAGE) === 0) return;
    const content = at + 27 + segments;
    const codec = (await read(content, 8)).toString('latin1');
    const kind = OGG_CODECS.find(([start]) => codec.startsWith(start))?.[1];
    if (kind) yield kind;
    at = content + header.subarray(27, 27 + segments).reduce((sum, length) => sum + length, 0);
  }
}

/** Windows Media: the header names the type of each stream by a GUID. */
const ASF_VIDEO = Buffer.from('c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex');
const ASF_AUDIO = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex');
const MAX_ASF_HEADER_BYTES = 1024 * 1024;

async function* asfTracks(read: Reader, end: number): AsyncGenerator<TrackKind> {
  const start = await read(0, 24);
  if (start.length < 24) return;
  const header = await read(0, Math.min(Number(start.readBigUInt64LE(16)), MAX_ASF_HEADER_BYTES, end));
  if (header.includes(ASF_VIDEO)) yield 'video';
  if (header.includes(ASF_AUDIO)) yield 'audio';
}
