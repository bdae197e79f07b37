import { fileTypeFromBuffer } from 'file-type';

export type Category = 'video' | 'audio' | 'image' | 'document';

/** Formats that bytes cannot distinguish reliably share a family. A type is right if its family is. */
interface Family {
  readonly types: readonly string[];
  readonly extensions: readonly string[];
  /** Other names under which these bytes are detected. */
  readonly alsoSeenAs?: readonly string[];
  /** Text, and streams that can begin anywhere, need no signature: bytes that show no type are accepted. */
  readonly unsigned?: true;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** Templates, slideshows and documents with macros: the name says which of them it is. */
const OFFICE_VARIANTS = [
  ...['wordprocessingml.template', 'spreadsheetml.template', 'presentationml.template', 'presentationml.slideshow'].map(
    (kind) => `${OFFICE}.${kind}`,
  ),
  ...['text-template', 'spreadsheet-template', 'presentation-template'].map((kind) => `${OPEN_DOCUMENT}.${kind}`),
  ...['word.document', 'word.template', 'excel.sheet', 'excel.template'].map(withMacros),
  ...['powerpoint.presentation', 'powerpoint.slideshow', 'powerpoint.template'].map(withMacros),
];

function withMacros(kind: string): string {
  return `application/vnd.ms-${kind}.macroenabled.12`;
}

const FAMILIES: readonly Family[] = [
  {
    types: [
      'video/mp4',
      'video/quicktime',
      'video/x-m4v',
      'video/m4v',
      'video/3gpp',
      'video/3gpp2',
      'audio/mp4',
      'audio/x-m4a',
      'audio/m4a',
    ],
    extensions: ['mp4', 'mov', 'm4v', 'm4a', '3gp', '3g2'],
  },
  {
    types: ['video/webm', 'audio/webm', 'video/x-matroska', 'video/matroska'],
    extensions: ['webm', 'mkv'],
  },
  { types: ['video/x-msvideo', 'video/avi', 'video/vnd.avi'], extensions: ['avi'] },
  {
    types: ['video/mpeg', 'video/mp2t'],
    extensions: ['mpg', 'mpeg', 'ts', 'm2ts', 'mts'],
    alsoSeenAs: ['video/mp1s', 'video/mp2p'],
    unsigned: true,
  },
  {
    types: ['video/x-ms-wmv', 'video/x-ms-asf', 'audio/x-ms-wma'],
    extensions: ['wmv', 'asf', 'wma'],
    alsoSeenAs: ['audio/x-ms-asf', 'application/vnd.ms-asf'],
  },
  { types: ['video/x-flv'], extensions: ['flv'] },
  { types: ['audio/mpeg', 'audio/mp3'], extensions: ['mp3'], unsigned: true },
  { types: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'], extensions: ['wav'], unsigned: true },
  { types: ['audio/aac', 'audio/x-aac'], extensions: ['aac'], unsigned: true },
  { types: ['audio/flac', 'audio/x-flac'], extensions: ['flac'] },
  {
    types: ['audio/ogg', 'audio/opus', 'video/ogg'],
    extensions: ['ogg', 'oga', 'ogv', 'opus'],
    alsoSeenAs: ['application/ogg'],
  },
  { types: ['audio/aiff', 'audio/x-aiff'], extensions: ['aif', 'aiff'] },
  { types: ['image/jpeg'], extensions: ['jpg', 'jpeg'] },
  { types: ['image/png', 'image/apng'], extensions: ['png', 'apng'] },
  { types: ['image/gif'], extensions: ['gif'] },
  { types: ['image/webp'], extensions: ['webp'] },
  { types: ['image/bmp'], extensions: ['bmp'] },
  { types: ['image/tiff'], extensions: ['tif', 'tiff'] },
  { types: ['image/vnd.adobe.photoshop'], extensions: ['psd'] },
  {
    types: ['image/heic', 'image/heif'],
    extensions: ['heic', 'heif'],
    alsoSeenAs: ['image/heic-sequence', 'image/heif-sequence'],
  },
  { types: ['image/avif'], extensions: ['avif'], alsoSeenAs: ['image/heif'] },
  { types: ['image/svg+xml'], extensions: ['svg'], alsoSeenAs: ['application/xml'], unsigned: true },
  { types: ['application/pdf'], extensions: ['pdf'] },
  {
    types: [
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.presentationml.presentation`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OPEN_DOCUMENT}.text`,
      `${OPEN_DOCUMENT}.presentation`,
      `${OPEN_DOCUMENT}.spreadsheet`,
      'application/epub+zip',
    ],
    extensions: ['docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub'],
    alsoSeenAs: ['application/zip', ...OFFICE_VARIANTS],
  },
  {
    types: ['application/msword', 'application/vnd.ms-powerpoint', 'application/vnd.ms-excel'],
    extensions: ['doc', 'ppt', 'xls'],
    alsoSeenAs: ['application/x-cfb'],
  },
  { types: ['application/rtf', 'text/rtf'], extensions: ['rtf'] },
  {
    types: ['text/plain', 'text/csv', 'text/markdown', 'text/html', 'text/vtt', 'application/x-subrip'],
    extensions: ['txt', 'csv', 'md', 'html', 'htm', 'vtt', 'srt'],
    alsoSeenAs: ['application/xml'],
    unsigned: true,
  },
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
    return family?.unsigned ? undefined : `the bytes are of no known type, but ${declared} was declared`;
  }
  const fits = found === declared || family?.types.includes(found) || family?.alsoSeenAs?.includes(found);
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
