/** The service limits the size of a file by its category. */
export type Category = 'video' | 'audio' | 'image' | 'document';

/** The type of a file, by its bytes, or by its extension if the bytes do not show the type. */
export interface MediaType {
  /** Undefined if our table and the MIME type do not show it: the service decides whether to accept the file. */
  readonly category: Category | undefined;
  /** Without the dot. */
  readonly extension: string;
  readonly mime: string;
  /**
   * The types of one family have the same kind of bytes, so the extension decides between them. Families with the same
   * part before `/` share a container format.
   */
  readonly family: string;
}

const OFFICE_OPEN_XML = 'application/vnd.openxmlformats-officedocument';

/**
 * The types that an extension can stand for. A file with any other extension has the type that its bytes show. The
 * order matters only in `typeOfBytes`, which may take the first type of a family and category.
 */
const TYPES: readonly (readonly [family: string, category: Category, mime: string, extensions: string])[] = [
  ['iso', 'video', 'video/mp4', 'mp4 f4v mp4v'],
  ['iso', 'video', 'video/x-m4v', 'm4v'],
  ['iso', 'video', 'video/3gpp', '3gp'],
  ['iso', 'video', 'video/3gpp2', '3g2'],
  ['iso', 'audio', 'audio/mp4', 'm4a m4b m4p f4a f4b'],
  ['iso', 'video', 'video/quicktime', 'mov qt'],
  ['matroska', 'video', 'video/webm', 'webm'],
  ['matroska', 'video', 'video/x-matroska', 'mkv mk3d'],
  ['asf', 'video', 'video/x-ms-asf', 'asf'],
  ['asf', 'video', 'video/x-ms-wmv', 'wmv'],
  ['asf', 'audio', 'audio/x-ms-wma', 'wma'],
  ['ogg', 'video', 'video/ogg', 'ogv ogm'],
  ['ogg', 'audio', 'audio/ogg', 'ogg oga opus spx'],
  ['avi', 'video', 'video/x-msvideo', 'avi'],
  ['flv', 'video', 'video/x-flv', 'flv'],
  ['mpeg', 'video', 'video/mpeg', 'mpg mpeg mpe m1v m2v m2p vob'],
  ['mpeg', 'video', 'video/mp2t', 'ts mts m2ts m2t'],
  ['mxf', 'video', 'application/mxf', 'mxf'],
  ['mp3', 'audio', 'audio/mpeg', 'mp3 mp2 mp1 mpga'],
  ['aac', 'audio', 'audio/aac', 'aac'],
  ['wav', 'audio', 'audio/wav', 'wav wave'],
  ['flac', 'audio', 'audio/flac', 'flac'],
  ['aiff', 'audio', 'audio/aiff', 'aif aiff aifc'],
  ['jpeg', 'image', 'image/jpeg', 'jpg jpeg jpe jfif'],
  ['png', 'image', 'image/png', 'png'],
  ['png', 'image', 'image/apng', 'apng'],
  ['gif', 'image', 'image/gif', 'gif'],
  ['webp', 'image', 'image/webp', 'webp'],
  ['heif', 'image', 'image/heic', 'heic hif'],
  ['heif', 'image', 'image/heif', 'heif'],
  ['heif', 'image', 'image/avif', 'avif'],
  // Raw files of cameras are TIFF files, and detection takes one for the other.
  ['tiff', 'image', 'image/tiff', 'tif tiff arw cr2 dng nef'],
  ['bmp', 'image', 'image/bmp', 'bmp dib'],
  ['svg', 'image', 'image/svg+xml', 'svg'],
  ['psd', 'image', 'image/vnd.adobe.photoshop', 'psd'],
  ['pdf', 'document', 'application/pdf', 'pdf'],
  ['rtf', 'document', 'application/rtf', 'rtf'],
  ['ps', 'document', 'application/postscript', 'ps eps'],
  ['cfb', 'document', 'application/msword', 'doc dot'],
  ['cfb', 'document', 'application/vnd.ms-excel', 'xls xlt'],
  ['cfb', 'document', 'application/vnd.ms-powerpoint', 'ppt pot pps'],
  ['zip/epub', 'document', 'application/epub+zip', 'epub'],
  ['zip/wordprocessingml', 'document', `${OFFICE_OPEN_XML}.wordprocessingml.document`, 'docx'],
  ['zip/spreadsheetml', 'document', `${OFFICE_OPEN_XML}.spreadsheetml.sheet`, 'xlsx'],
  ['zip/presentationml', 'document', `${OFFICE_OPEN_XML}.presentationml.presentation`, 'pptx'],
  ['zip/opendocument.text', 'document', 'application/vnd.oasis.opendocument.text', 'odt'],
  ['zip/opendocument.spreadsheet', 'document', 'application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['zip/opendocument.presentation', 'document', 'application/vnd.oasis.opendocument.presentation', 'odp'],
  ['zip/opendocument.graphics', 'document', 'application/vnd.oasis.opendocument.graphics', 'odg'],
  ['text', 'document', 'text/plain', 'txt text log'],
  ['text', 'document', 'text/csv', 'csv'],
  ['text', 'document', 'text/markdown', 'md markdown'],
  ['text', 'document', 'text/html', 'html htm'],
  ['text', 'document', 'application/xml', 'xml'],
  ['text', 'document', 'application/json', 'json'],
  ['text', 'document', 'text/vtt', 'vtt'],
  ['text', 'document', 'application/x-subrip', 'srt'],
];

/** The application of an Office document: its templates and slide shows are of the same family. */
const OFFICE = /wordprocessingml|spreadsheetml|presentationml|opendocument\.[a-z]+/;

const BY_EXTENSION: ReadonlyMap<string, MediaType> = new Map(
  TYPES.flatMap(([family, category, mime, extensions]) =>
    extensions.split(' ').map((extension) => [extension, { family, category, mime, extension }]),
  ),
);

/** The type that the extension stands for. Undefined if the extension is not in our table. */
export function typeOfName(path: string): MediaType | undefined {
  return BY_EXTENSION.get(extensionOf(path));
}

/** The extension in lower case, without the dot. Empty if the name has no dot. For the name `.png` it is `png`. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** The type for the extension and MIME type that detection returned. */
export function typeOfBytes(extension: string, mime: string): MediaType {
  const [top] = mime.split('/');
  const category = top === 'video' || top === 'audio' || top === 'image' ? top : undefined;
  const known = BY_EXTENSION.get(extension);
  const application = OFFICE.exec(mime)?.[0];
  if (!known) return { extension, mime, category, family: application ? `zip/${application}` : extension };
  if (category === known.category) return known;
  // Detection returns one extension for both audio and video in the ASF format, so the MIME type decides.
  return [...BY_EXTENSION.values()].find((each) => each.family === known.family && each.category === category) ?? known;
}

/** `.ts` and `.mts` are left out because they are usually TypeScript; `.txt`, `.md` and `.html` are seldom media. */
const DEFAULT_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    'mp4 m4v mov webm mkv avi wmv flv mpg mpeg m2ts 3gp ogv',
    'mp3 m4a aac wav flac ogg oga opus wma aif aiff',
    'jpg jpeg png apng gif webp avif heic heif tif tiff bmp svg psd',
    'pdf doc docx ppt pptx xls xlsx odt odp ods rtf epub',
  ].flatMap((extensions) => extensions.split(' ')),
);

export const DEFAULT_PATTERNS: readonly string[] = [...DEFAULT_EXTENSIONS].map((extension) => `**/*.${extension}`);

export function hasDefaultExtension(path: string): boolean {
  return DEFAULT_EXTENSIONS.has(extensionOf(path));
}

/**
 * Media that are not checked by default. Extensions with another common meaning, such as `.ts`, `.key` and `.raw`, are
 * left out.
 */
const OTHER_MEDIA: ReadonlySet<string> = new Set(
  [
    '3g2 3gpp asf av1 divx dv f4v h264 h265 hevc m1v m2t m2v m4s mj2 mjpeg mk3d mp4v mpe mxf ogm qt rm rmvb swf vob y4m',
    'ac3 aifc amr ape au caf dsf eac3 ec3 f4a f4b m4b m4p m4r mid midi mka mp1 mp2 mpc mpga ra spx wave weba wv',
    'ai arw avifs bpg cdr cr2 cr3 crw dib djvu dng dwg dxf emf eps exr hdr heics heifs hif icns ico idml indd indt j2k jfif',
    'jp2 jpe jpf jpx jxl jxr ktx mng nef nrw orf pam pbm pcx pgm pict pnm ppm psb qoi raf rw2 sgi sketch svgz tga vsd vsdx',
    'pjp pjpeg wbmp wmf xcf afdesign afphoto afpub',
    'azw azw3 docm dotm dotx mobi numbers odg otp ots ott oxps pages potm potx pps ppsm ppsx pptm ps xlsm xltm xltx xps',
  ].flatMap((extensions) => extensions.split(' ')),
);

/** Whether people may publish a file of this name as media. */
export function isMedia(path: string): boolean {
  return hasDefaultExtension(path) || OTHER_MEDIA.has(extensionOf(path));
}
