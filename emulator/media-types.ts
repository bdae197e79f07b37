import { fileTypeFromBuffer } from 'file-type';

export type Category = 'video' | 'audio' | 'image' | 'document';

/** Formats that bytes cannot distinguish reliably share a family. A type is right if its family is. */
interface Family {
  readonly types: readonly string[];
  readonly extensions: readonly string[];
  /** Other names under which these bytes are detected, or how these names begin. */
  readonly alsoSeenAs: readonly string[];
  /** Text, and streams that can begin anywhere, need no signature: bytes that show no type are accepted. */
  readonly isUnsigned: boolean;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
const XML_OFFICE = ['wordprocessingml.document', 'presentationml.presentation', 'spreadsheetml.sheet'];

function family(types: string, extensions: string, alsoSeenAs = '', isUnsigned = false): Family {
  const [all, ends, others] = [types, extensions, alsoSeenAs].map((list) => list.split(' ').filter(Boolean));
  return { types: all ?? [], extensions: ends ?? [], alsoSeenAs: others ?? [], isUnsigned };
}

// biome-ignore format: one family per line reads as the table it is
const FAMILIES: readonly Family[] = [
  family('video/mp4 video/quicktime video/x-m4v video/m4v video/3gpp video/3gpp2 audio/mp4 audio/x-m4a audio/m4a', 'mp4 mov m4v m4a 3gp 3g2'),
  family('video/webm audio/webm video/x-matroska video/matroska', 'webm mkv'),
  family('video/x-msvideo video/avi video/vnd.avi', 'avi'),
  family('video/mpeg video/mp2t', 'mpg mpeg ts m2ts mts', 'video/mp1s video/mp2p', true),
  family('video/x-ms-wmv video/x-ms-asf audio/x-ms-wma', 'wmv asf wma', 'audio/x-ms-asf application/vnd.ms-asf'),
  family('video/x-flv', 'flv'),
  family('audio/mpeg audio/mp3', 'mp3', '', true),
  family('audio/wav audio/x-wav audio/wave audio/vnd.wave', 'wav', '', true),
  family('audio/aac audio/x-aac', 'aac', '', true),
  family('audio/flac audio/x-flac', 'flac'),
  family('audio/ogg audio/opus video/ogg', 'ogg oga ogv opus', 'application/ogg'),
  family('audio/aiff audio/x-aiff', 'aif aiff'),
  family('image/jpeg', 'jpg jpeg'),
  family('image/png image/apng', 'png apng'),
  family('image/gif', 'gif'),
  family('image/webp', 'webp'),
  family('image/bmp', 'bmp'),
  family('image/tiff', 'tif tiff'),
  family('image/vnd.adobe.photoshop', 'psd'),
  family('image/heic image/heif', 'heic heif', 'image/heic-sequence image/heif-sequence'),
  family('image/avif', 'avif', 'image/heif'),
  family('image/svg+xml', 'svg', 'application/xml', true),
  family('application/pdf', 'pdf'),
  // Templates, slideshows and documents with macros: the name says which of them it is.
  family(
    `${XML_OFFICE.map((kind) => OFFICE + kind).join(' ')} ${['text', 'presentation', 'spreadsheet'].map((kind) => OPEN_DOCUMENT + kind).join(' ')} application/epub+zip`,
    'docx pptx xlsx odt odp ods epub', `application/zip ${OFFICE} ${OPEN_DOCUMENT} application/vnd.ms-`),
  family('application/msword application/vnd.ms-powerpoint application/vnd.ms-excel', 'doc ppt xls', 'application/x-cfb'),
  family('application/rtf text/rtf', 'rtf'),
  family('text/plain text/csv text/markdown text/html text/vtt application/x-subrip', 'txt csv md html htm vtt srt', 'application/xml', true),
];

const BY_TYPE = new Map(FAMILIES.flatMap((family) => family.types.map((type) => [type, family] as const)));
const BY_EXTENSION = new Map(FAMILIES.flatMap((family) => family.extensions.map((end) => [end, family] as const)));

/** The bare type: no parameters, lower case. */
export function normaliseType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

export function isAllowedType(type: string): boolean {
  return BY_TYPE.has(type);
}

export function categoryOf(type: string): Category {
  const major = type.split('/')[0];
  return major === 'video' || major === 'audio' || major === 'image' ? major : 'document';
}

/**
 * Why a file's bytes or name contradict its declared type; `undefined` if they do not.
 *
 * @param found the type that the bytes show
 */
export function typeMismatch(declared: string, filename: string, found: string | undefined): string | undefined {
  const family = BY_TYPE.get(declared);
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const named = BY_EXTENSION.get(extension);
  if (named !== undefined && family !== undefined && named !== family) {
    return `the name ends in .${extension}, but ${declared} was declared`;
  }
  if (found === undefined) {
    return family?.isUnsigned ? undefined : `the bytes are of no known type, but ${declared} was declared`;
  }
  const fits =
    found === declared || family?.types.includes(found) || family?.alsoSeenAs.some((each) => found.startsWith(each));
  return fits === true ? undefined : `the bytes are ${found}, but ${declared} was declared`;
}

/** Types are detected in that much of a file: all of most files, and more than any header has. */
export const MAX_DETECTION_BYTES = 16 * 1024 * 1024;
const TEXT_WITHIN = 64 * 1024;
const PDF_WITHIN = 1024;

export async function detect(bytes: Buffer): Promise<string | undefined> {
  const head = bytes.toString('latin1', 0, TEXT_WITHIN);
  if (head.slice(0, PDF_WITHIN).includes('%PDF-')) return 'application/pdf';
  if (/^\s*\{\\rtf/.test(head)) return 'application/rtf';
  // Text can begin like a file of another type, with "BM" or "ID3".
  if (!bytes.subarray(0, TEXT_WITHIN).some(isControl)) return undefined;
  // A TIFF may keep its directory at its end, after what was kept, and a camera's looks like a raw file.
  if (/^(?:II\*\0|MM\0\*)/.test(head)) return 'image/tiff';
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return found && normaliseType(found.mime);
}

function isControl(byte: number): boolean {
  return byte < 0x08 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b);
}
