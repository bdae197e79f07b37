import type { Category, MediaType } from './file.ts';

interface KnownType {
  readonly mime: string;
  readonly category: Category;
  /** Every file of this type begins in a way that can be recognised, so one that does not is damaged or something else. */
  readonly signed: boolean;
}

/** MIME type, then the extensions that go by it. A `?` marks types that need not begin in a way of their own. */
const VIDEO = {
  'video/mp4': 'mp4 f4v mp4v',
  'video/x-m4v': 'm4v',
  'video/quicktime': 'mov qt',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv mk3d',
  'video/x-msvideo': 'avi',
  'video/x-ms-wmv': 'wmv',
  'video/x-ms-asf': 'asf',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpg? mpeg? mpe? m1v? m2v? m2p? vob?',
  'video/mp2t': 'ts? mts? m2ts? m2t?',
  'video/3gpp': '3gp',
  'video/3gpp2': '3g2',
  'video/ogg': 'ogv ogm',
  'application/mxf': 'mxf?',
};

const AUDIO = {
  'audio/mpeg': 'mp3? mp2? mp1? mpga?',
  'audio/mp4': 'm4a m4b m4p f4a f4b',
  'audio/aac': 'aac?',
  'audio/wav': 'wav? wave?',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg oga opus spx',
  'application/ogg': 'ogx',
  'audio/webm': 'weba',
  'audio/x-matroska': 'mka',
  'audio/x-ms-wma': 'wma',
  'audio/aiff': 'aif aiff aifc',
  'audio/amr': 'amr',
  'audio/ac3': 'ac3? eac3?',
  'audio/x-caf': 'caf',
  'audio/midi': 'mid midi',
};

const IMAGE = {
  'image/jpeg': 'jpg jpeg jpe jfif',
  'image/png': 'png',
  'image/apng': 'apng',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic hif',
  'image/heif': 'heif',
  'image/tiff': 'tif tiff',
  'image/bmp': 'bmp dib',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico cur',
  'image/vnd.adobe.photoshop': 'psd',
  'image/jxl': 'jxl',
  'image/jp2': 'jp2',
};

const DOCUMENT = {
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/postscript': 'ps eps',
  'application/epub+zip': 'epub',
  'application/msword': 'doc dot',
  'application/vnd.ms-excel': 'xls xlt',
  'application/vnd.ms-powerpoint': 'ppt pot pps',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'dotx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': 'xltx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': 'ppsx',
  'application/vnd.openxmlformats-officedocument.presentationml.template': 'potx',
  'application/vnd.ms-word.document.macroenabled.12': 'docm',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsm',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptm',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.graphics': 'odg',
  'application/vnd.apple.pages': 'pages',
  'application/vnd.apple.numbers': 'numbers',
  'application/vnd.apple.keynote': 'key',
  'text/plain': 'txt? text? log?',
  'text/csv': 'csv?',
  'text/tab-separated-values': 'tsv?',
  'text/markdown': 'md? markdown?',
  'text/html': 'html? htm?',
  'application/xhtml+xml': 'xhtml?',
  'application/xml': 'xml?',
  'application/json': 'json?',
  'text/vtt': 'vtt?',
  'application/x-subrip': 'srt?',
};

const BY_EXTENSION: ReadonlyMap<string, KnownType> = new Map([
  ...read('video', VIDEO),
  ...read('audio', AUDIO),
  ...read('image', IMAGE),
  ...read('document', DOCUMENT),
]);

/** The type that an extension stands for. */
export function typeOfExtension(extension: string): KnownType | undefined {
  return BY_EXTENSION.get(extension);
}

export function mediaType(extension: string, mime: string): MediaType {
  const known = BY_EXTENSION.get(extension);
  return { extension, mime: known?.mime ?? mime, category: known?.category ?? categoryOfMime(mime) };
}

/** What a file of this name is looked at as; undefined where the name does not tell. */
export function categoryOfName(path: string): Category | undefined {
  return BY_EXTENSION.get(extensionOf(path))?.category;
}

/** Whether an analysis as one category says all that one as the other would: a film has its sound in it. */
export function covers(analysed: Category | undefined, wanted: Category | undefined): boolean {
  return analysed === wanted || (analysed === 'video' && wanted === 'audio');
}

/** Lower case and without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

const TEXT = namesOf(Object.entries(DOCUMENT).filter(([, extensions]) => extensions.includes('?')));
const ISO_MEDIA = ['mp4', 'mp4v', 'm4v', 'f4v', '3gp', '3g2', 'm4a', 'm4b', 'm4p', 'f4a', 'f4b'];
const QUICKTIME = ['mov', 'qt'];
const OGG_AUDIO = ['ogg', 'oga', 'opus', 'spx', 'ogx'];
const OGG_VIDEO = ['ogv', 'ogm', 'ogx'];
const HEIF = ['heic', 'heif', 'hif'];
const IWORK = ['pages', 'numbers', 'key'];
const ZIPPED = namesOf(
  Object.entries(DOCUMENT).filter(([mime]) => /openxml|macroenabled|opendocument|apple|epub/.test(mime)),
);

/**
 * For each name that detection gives, the extensions whose files can begin just so: there the extension decides. Bytes
 * name a container; which of its uses a file is often stands nowhere, or far inside.
 */
const MAY_BE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ISO_MEDIA.map((name) => [name, ISO_MEDIA])),
  mov: QUICKTIME,
  // No `ftyp` box: QuickTime of old, or an MP4 that leaves it out.
  moov: [...QUICKTIME, ...ISO_MEDIA],
  webm: ['webm', 'weba'],
  mkv: ['mkv', 'mk3d', 'mka'],
  asf: ['asf', 'wma', 'wmv'],
  mpg: namesOf([['', VIDEO['video/mpeg']]]),
  mts: namesOf([['', VIDEO['video/mp2t']]]),
  // The first stream may be sound where a later one is video.
  ogg: [...OGG_AUDIO, ...OGG_VIDEO],
  oga: [...OGG_AUDIO, ...OGG_VIDEO],
  opus: [...OGG_AUDIO, ...OGG_VIDEO],
  spx: [...OGG_AUDIO, ...OGG_VIDEO],
  ogx: [...OGG_AUDIO, ...OGG_VIDEO],
  ogv: OGG_VIDEO,
  ogm: OGG_VIDEO,
  heic: HEIF,
  // A brand that AVIF files carry too.
  heif: [...HEIF, 'avif'],
  apng: ['png', 'apng'],
  png: ['png', 'apng'],
  cfb: ['doc', 'dot', 'xls', 'xlt', 'ppt', 'pot', 'pps'],
  zip: ZIPPED,
  pages: IWORK,
  numbers: IWORK,
  key: IWORK,
  ps: ['eps'],
  eps: ['ps'],
  txt: TEXT,
  html: TEXT,
  xml: TEXT,
  // SVG is text: it can as well be the example in a document.
  svg: TEXT,
  // Markup whose root element is further in than we look.
  markup: [...TEXT, 'svg'],
};

/** Whether files of this extension are text, in whatever encoding. */
export function isText(extension: string): boolean {
  return extension === 'svg' || TEXT.includes(extension);
}

/** Whether a file of this extension can begin as the detected type does. */
export function mayBe(detected: string, extension: string): boolean {
  const mime = BY_EXTENSION.get(detected)?.mime;
  const sameType = mime !== undefined && mime === BY_EXTENSION.get(extension)?.mime;
  return detected === extension || sameType || (MAY_BE[detected]?.includes(extension) ?? false);
}

function categoryOfMime(mime: string): Category | undefined {
  const [top] = mime.split('/');
  return top === 'video' || top === 'audio' || top === 'image' ? top : undefined;
}

function read(category: Category, table: Readonly<Record<string, string>>): [string, KnownType][] {
  return Object.entries(table).flatMap(([mime, extensions]) =>
    extensions
      .split(' ')
      .map((entry): [string, KnownType] => [entry.replace('?', ''), { mime, category, signed: !entry.endsWith('?') }]),
  );
}

function namesOf(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([, extensions]) => extensions.replaceAll('?', '').split(' '));
}
