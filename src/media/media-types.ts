/** The service caps sizes by category. */
export type Category = 'video' | 'audio' | 'image' | 'document';

/** What a file is: by its bytes, or by its extension if they do not say. */
export interface MediaType {
  readonly mime: string;
  /** Without the dot. */
  readonly extension: string;
  /** Undefined for a type that is not in our table: the service decides whether it takes it. */
  readonly category: Category | undefined;
}

/** What the tracks of a container hold: `video` as soon as one of them is video. */
export type TrackKind = 'video' | 'audio';

export type Container = 'iso' | 'matroska' | 'ogg' | 'asf';

interface KnownType {
  readonly mime: string;
  readonly category: Category;
  /** Every file of this type begins with bytes that detection knows, so one that does not is damaged or something else. */
  readonly hasSignature: boolean;
}

/** The extensions of each MIME type. A `?` marks those whose files need not begin with a known signature. */
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
  ...knownTypes('video', VIDEO),
  ...knownTypes('audio', AUDIO),
  ...knownTypes('image', IMAGE),
  ...knownTypes('document', DOCUMENT),
]);

/** The type that an extension stands for. */
export function typeOfExtension(extension: string): KnownType | undefined {
  return BY_EXTENSION.get(extension);
}

export function mediaType(extension: string, mime: string): MediaType {
  const known = BY_EXTENSION.get(extension);
  return { extension, mime: known?.mime ?? mime, category: known?.category ?? categoryOfMime(mime) };
}

/** The category that the extension of a path stands for. */
export function categoryOfName(path: string): Category | undefined {
  return BY_EXTENSION.get(extensionOf(path))?.category;
}

/** Whether an analysis as one category includes that as another: a video includes its sound. */
export function includesAnalysisOf(analysed: Category | undefined, wanted: Category | undefined): boolean {
  return analysed === wanted || (analysed === 'video' && wanted === 'audio');
}

/** In lower case and without the dot; empty if there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

const TEXT = extensionsIn(Object.entries(DOCUMENT).filter(([, extensions]) => extensions.includes('?')));
const ISO_VIDEO = ['mp4', 'mp4v', 'm4v', 'f4v', '3gp', '3g2'];
const ISO_AUDIO = ['m4a', 'm4b', 'm4p', 'f4a', 'f4b'];
const ISO_MEDIA = [...ISO_VIDEO, ...ISO_AUDIO];
const QUICKTIME = ['mov', 'qt'];
const OGG_AUDIO = ['ogg', 'oga', 'opus', 'spx', 'ogx'];
const OGG_VIDEO = ['ogv', 'ogm', 'ogx'];
const HEIF = ['heic', 'heif', 'hif'];
const IWORK = ['pages', 'numbers', 'key'];
const ZIPPED = extensionsIn(
  Object.entries(DOCUMENT).filter(([mime]) => /openxml|macroenabled|opendocument|apple|epub/.test(mime)),
);

/**
 * For each extension that detection gives, the other extensions of files that begin like that: among these the name
 * decides. Detection recognises a container, and often not what is in it.
 */
const USUAL_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ISO_MEDIA.map((extension) => [extension, ISO_MEDIA])),
  mov: [...QUICKTIME, ...ISO_AUDIO],
  // Without an `ftyp` box it is old QuickTime, or an MP4 that leaves the box out.
  moov: [...QUICKTIME, ...ISO_MEDIA],
  webm: ['webm', 'weba'],
  mkv: ['mkv', 'mk3d', 'mka'],
  asf: ['asf', 'wma', 'wmv'],
  mpg: extensionsIn([['', VIDEO['video/mpeg']]]),
  mts: extensionsIn([['', VIDEO['video/mp2t']]]),
  ...Object.fromEntries([...OGG_AUDIO, ...OGG_VIDEO].map((extension) => [extension, [...OGG_AUDIO, ...OGG_VIDEO]])),
  heic: HEIF,
  // AVIF files can have this brand.
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
  // SVG is text, so it can be an example in a document.
  svg: TEXT,
  // The root element is further into the file than detection looks.
  markup: [...TEXT, 'svg'],
};

/** Whether files of this extension are text, in any encoding. */
export function isTextExtension(extension: string): boolean {
  return extension === 'svg' || TEXT.includes(extension);
}

/** Whether files of the detected type usually have this extension. */
export function isUsualExtension(detected: string, extension: string): boolean {
  const mime = BY_EXTENSION.get(detected)?.mime;
  const isSameType = mime !== undefined && mime === BY_EXTENSION.get(extension)?.mime;
  return detected === extension || isSameType || (USUAL_EXTENSIONS[detected]?.includes(extension) ?? false);
}

const CONTAINERS: Readonly<Record<string, Container>> = Object.fromEntries([
  ...[...ISO_MEDIA, ...HEIF, 'avif', 'mov', 'moov'].map((extension) => [extension, 'iso']),
  ...['mkv', 'webm'].map((extension) => [extension, 'matroska']),
  ...[...OGG_AUDIO, ...OGG_VIDEO].map((extension) => [extension, 'ogg']),
  ['asf', 'asf'],
]);

/** The container of files of a detected type, if it can hold video and audio tracks. */
export function containerOf(detected: string): Container | undefined {
  return CONTAINERS[detected];
}

/** What files are called by their bytes alone, if detection gives a name of our own. */
const PLAIN_EXTENSIONS: Readonly<Record<string, string>> = { moov: 'mov', markup: 'xml' };
/** What a container is called if its tracks are of another category than its usual extension. */
const EXTENSIONS_BY_TRACKS: Readonly<Record<TrackKind, Readonly<Record<string, string>>>> = {
  video: Object.fromEntries(OGG_AUDIO.map((extension) => [extension, 'ogv'])),
  audio: { mkv: 'mka', webm: 'weba', asf: 'wma' },
};
const ISO_EXTENSIONS: Readonly<Record<TrackKind, string>> = { video: 'mp4', audio: 'm4a' };

/** The extension of a file by its bytes alone. */
export function extensionFor(detected: string, tracks: TrackKind | undefined): string {
  const extension = PLAIN_EXTENSIONS[detected] ?? detected;
  if (!tracks || BY_EXTENSION.get(extension)?.category === tracks) return extension;
  return EXTENSIONS_BY_TRACKS[tracks][detected] ?? ISO_EXTENSIONS[tracks];
}

function categoryOfMime(mime: string): Category | undefined {
  const [top] = mime.split('/');
  return top === 'video' || top === 'audio' || top === 'image' ? top : undefined;
}

function knownTypes(category: Category, table: Readonly<Record<string, string>>): [string, KnownType][] {
  return Object.entries(table).flatMap(([mime, extensions]) =>
    extensions
      .split(' ')
      .map((entry): [string, KnownType] => [
        entry.replace('?', ''),
        { mime, category, hasSignature: !entry.endsWith('?') },
      ]),
  );
}

function extensionsIn(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([, extensions]) => extensions.replaceAll('?', '').split(' '));
}
