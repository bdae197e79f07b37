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

export interface TypeInFamily extends MediaType {
  /** Files of one family begin alike, so among its types of one category the name decides. */
  readonly family: string;
}

/** The first extension of a family and category is that of files whose bytes alone are known. */
const TYPES: readonly (readonly [family: string, category: Category, mime: string, extensions: string])[] = [
  ['iso', 'video', 'video/mp4', 'mp4 f4v mp4v'],
  ['iso', 'video', 'video/x-m4v', 'm4v'],
  ['iso', 'video', 'video/3gpp', '3gp'],
  ['iso', 'video', 'video/3gpp2', '3g2'],
  ['iso', 'audio', 'audio/mp4', 'm4a m4b m4p f4a f4b'],
  ['quicktime', 'video', 'video/quicktime', 'mov qt'],
  ['webm', 'video', 'video/webm', 'webm'],
  ['webm', 'audio', 'audio/webm', 'weba'],
  ['matroska', 'video', 'video/x-matroska', 'mkv mk3d'],
  ['matroska', 'audio', 'audio/x-matroska', 'mka'],
  ['asf', 'video', 'video/x-ms-asf', 'asf'],
  ['asf', 'video', 'video/x-ms-wmv', 'wmv'],
  ['asf', 'audio', 'audio/x-ms-wma', 'wma'],
  ['ogg', 'video', 'video/ogg', 'ogv ogm'],
  ['ogg', 'audio', 'audio/ogg', 'ogg oga opus spx'],
  ['ogg', 'audio', 'application/ogg', 'ogx'],
  ['avi', 'video', 'video/x-msvideo', 'avi'],
  ['flv', 'video', 'video/x-flv', 'flv'],
  ['mpeg', 'video', 'video/mpeg', 'mpg mpeg mpe m1v m2v m2p vob'],
  ['mp2t', 'video', 'video/mp2t', 'ts mts m2ts m2t'],
  ['mxf', 'video', 'application/mxf', 'mxf'],
  ['mp3', 'audio', 'audio/mpeg', 'mp3 mp2 mp1 mpga'],
  ['aac', 'audio', 'audio/aac', 'aac'],
  ['wav', 'audio', 'audio/wav', 'wav wave'],
  ['flac', 'audio', 'audio/flac', 'flac'],
  ['aiff', 'audio', 'audio/aiff', 'aif aiff aifc'],
  ['amr', 'audio', 'audio/amr', 'amr'],
  ['ac3', 'audio', 'audio/ac3', 'ac3 eac3'],
  ['caf', 'audio', 'audio/x-caf', 'caf'],
  ['midi', 'audio', 'audio/midi', 'mid midi'],
  ['jpeg', 'image', 'image/jpeg', 'jpg jpeg jpe jfif'],
  ['png', 'image', 'image/png', 'png'],
  ['png', 'image', 'image/apng', 'apng'],
  ['gif', 'image', 'image/gif', 'gif'],
  ['webp', 'image', 'image/webp', 'webp'],
  ['avif', 'image', 'image/avif', 'avif'],
  ['heif', 'image', 'image/heic', 'heic hif'],
  ['heif', 'image', 'image/heif', 'heif'],
  ['tiff', 'image', 'image/tiff', 'tif tiff'],
  // A camera's TIFF can look like a raw file of another maker.
  ['tiff', 'image', 'image/x-sony-arw', 'arw'],
  ['tiff', 'image', 'image/x-adobe-dng', 'dng'],
  ['tiff', 'image', 'image/x-nikon-nef', 'nef'],
  ['tiff', 'image', 'image/x-canon-cr2', 'cr2'],
  ['bmp', 'image', 'image/bmp', 'bmp dib'],
  ['svg', 'image', 'image/svg+xml', 'svg'],
  ['ico', 'image', 'image/x-icon', 'ico cur'],
  ['psd', 'image', 'image/vnd.adobe.photoshop', 'psd'],
  ['jxl', 'image', 'image/jxl', 'jxl'],
  ['jp2', 'image', 'image/jp2', 'jp2'],
  ['pdf', 'document', 'application/pdf', 'pdf'],
  ['rtf', 'document', 'application/rtf', 'rtf'],
  ['ps', 'document', 'application/postscript', 'ps eps'],
  ['cfb', 'document', 'application/msword', 'doc dot'],
  ['cfb', 'document', 'application/vnd.ms-excel', 'xls xlt'],
  ['cfb', 'document', 'application/vnd.ms-powerpoint', 'ppt pot pps'],
  ['zip', 'document', 'application/epub+zip', 'epub'],
  ['zip', 'document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['zip', 'document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'dotx'],
  ['zip', 'document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['zip', 'document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.template', 'xltx'],
  ['zip', 'document', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['zip', 'document', 'application/vnd.openxmlformats-officedocument.presentationml.slideshow', 'ppsx'],
  ['zip', 'document', 'application/vnd.openxmlformats-officedocument.presentationml.template', 'potx'],
  ['zip', 'document', 'application/vnd.ms-word.document.macroenabled.12', 'docm'],
  ['zip', 'document', 'application/vnd.ms-excel.sheet.macroenabled.12', 'xlsm'],
  ['zip', 'document', 'application/vnd.ms-powerpoint.presentation.macroenabled.12', 'pptm'],
  ['zip', 'document', 'application/vnd.oasis.opendocument.text', 'odt'],
  ['zip', 'document', 'application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['zip', 'document', 'application/vnd.oasis.opendocument.presentation', 'odp'],
  ['zip', 'document', 'application/vnd.oasis.opendocument.graphics', 'odg'],
  ['zip', 'document', 'application/vnd.apple.pages', 'pages'],
  ['zip', 'document', 'application/vnd.apple.numbers', 'numbers'],
  ['zip', 'document', 'application/vnd.apple.keynote', 'key'],
  ['text', 'document', 'text/plain', 'txt text log'],
  ['text', 'document', 'text/csv', 'csv'],
  ['text', 'document', 'text/tab-separated-values', 'tsv'],
  ['text', 'document', 'text/markdown', 'md markdown'],
  ['text', 'document', 'text/html', 'html htm'],
  ['text', 'document', 'application/xhtml+xml', 'xhtml'],
  ['text', 'document', 'application/xml', 'xml'],
  ['text', 'document', 'application/json', 'json'],
  ['text', 'document', 'text/vtt', 'vtt'],
  ['text', 'document', 'application/x-subrip', 'srt'],
];

const BY_EXTENSION: ReadonlyMap<string, TypeInFamily> = new Map(
  TYPES.flatMap(([family, category, mime, extensions]) =>
    extensions.split(' ').map((extension) => [extension, { family, category, mime, extension }]),
  ),
);

/** The type that an extension stands for; undefined if it is not in our table. */
export function typeOfExtension(extension: string): TypeInFamily | undefined {
  return BY_EXTENSION.get(extension);
}

/** The category that the extension of a path stands for. */
export function categoryOfName(path: string): Category | undefined {
  return typeOfExtension(extensionOf(path))?.category;
}

/** In lower case and without the dot; empty if there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** @param mime counts if the extension is not in our table */
export function typeInFamily(extension: string, mime: string): TypeInFamily {
  const [top] = mime.split('/');
  const category = top === 'video' || top === 'audio' || top === 'image' ? top : undefined;
  return typeOfExtension(extension) ?? { extension, mime, category, family: extension };
}

/** The type of a container with these tracks. */
export function typeWithTracks(type: TypeInFamily, tracks: TrackKind): TypeInFamily {
  if (type.category === tracks || (type.category === 'image' && tracks === 'audio')) return type;
  const types = [...BY_EXTENSION.values()].filter(({ category }) => category === tracks);
  return types.find(({ family }) => family === type.family) ?? types.find(({ family }) => family === 'iso') ?? type;
}

/** Whether an analysis as one category includes that as another: a video includes its sound. */
export function includesAnalysisOf(analysed: Category | undefined, wanted: Category | undefined): boolean {
  return analysed === wanted || (analysed === 'video' && wanted === 'audio');
}
