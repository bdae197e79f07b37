import { fileTypeFromBuffer } from 'file-type';

export type Category = 'video' | 'audio' | 'image' | 'document';

/** Formats that bytes cannot distinguish reliably share a family. A type is right if its family is. */
interface Family {
  readonly types: readonly string[];
  readonly extensions: readonly string[];
  /** Other names under which these bytes are detected. */
  readonly alsoSeenAs?: readonly string[];
  /** Text has no signature: bytes without one are accepted. */
  readonly text?: true;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

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
  },
  {
    types: ['video/x-ms-wmv', 'video/x-ms-asf', 'audio/x-ms-wma'],
    extensions: ['wmv', 'asf', 'wma'],
    alsoSeenAs: ['audio/x-ms-asf', 'application/vnd.ms-asf'],
  },
  { types: ['video/x-flv'], extensions: ['flv'] },
  { types: ['audio/mpeg', 'audio/mp3'], extensions: ['mp3'] },
  { types: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'], extensions: ['wav'] },
  { types: ['audio/aac', 'audio/x-aac'], extensions: ['aac'] },
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
  { types: ['image/tiff'], extensions: ['tif', 'tiff'], alsoSeenAs: ['image/x-adobe-dng'] },
  {
    types: ['image/heic', 'image/heif'],
    extensions: ['heic', 'heif'],
    alsoSeenAs: ['image/heic-sequence', 'image/heif-sequence'],
  },
  { types: ['image/avif'], extensions: ['avif'] },
  { types: ['image/svg+xml'], extensions: ['svg'], alsoSeenAs: ['application/xml'], text: true },
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
    alsoSeenAs: ['application/zip'],
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
    text: true,
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

/** Why a file's bytes or name contradict its declared type; `undefined` if they do not. */
export async function typeMismatch(declared: string, filename: string, head: Uint8Array): Promise<string | undefined> {
  const family = BY_TYPE.get(declared);
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const named = BY_EXTENSION.get(extension);
  if (named !== undefined && family !== undefined && named !== family) {
    return `the name ends in .${extension}, but ${declared} was declared`;
  }
  const found = await detect(head);
  if (found === undefined) {
    return family?.text ? undefined : `the bytes are of no known type, but ${declared} was declared`;
  }
  const fits = found === declared || family?.types.includes(found) || family?.alsoSeenAs?.includes(found);
  return fits === true ? undefined : `the bytes are ${found}, but ${declared} was declared`;
}

async function detect(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head);
  if (found !== undefined) return normaliseType(found.mime);
  // A TIFF may keep its directory at its end, and only its head is looked at here.
  return /^(II\*\0|MM\0\*)/.test(Buffer.from(head.subarray(0, 4)).toString('latin1')) ? 'image/tiff' : undefined;
}
