import {
  extensionFor,
  extensionOf,
  isUsualExtension,
  type MediaType,
  mediaType,
  typeOfExtension,
} from './media-types.ts';
import type { Sniffed } from './sniff.ts';

export type Classification =
  | { readonly kind: 'clear'; readonly type: MediaType }
  /** The name says another type of the same category. */
  | { readonly kind: 'renamed'; readonly type: MediaType; readonly claimed: string }
  /** The name says another category, or the bytes are of no known type although the type it says can be recognised. */
  | { readonly kind: 'contradiction'; readonly claimed: string; readonly actual: MediaType | undefined }
  /** The bytes begin as the name says, but do not go on like that. */
  | { readonly kind: 'cut-off'; readonly what: string };

/** Extensions of both TypeScript and MPEG. */
const SOURCE_CODE: ReadonlySet<string> = new Set(['ts', 'mts']);

/** First bytes that are also text, or too few for detection. */
const STARTS: Readonly<Record<string, readonly [what: string, start: string]>> = {
  'image/gif': ['a GIF', 'GIF8'],
  'image/png': ['a PNG', '\x89PNG'],
  'image/jpeg': ['a JPEG', '\xff\xd8'],
  'image/webp': ['a WebP image', 'RIFF'],
  'image/bmp': ['a BMP image', 'BM'],
  'image/vnd.adobe.photoshop': ['a PSD image', '8BPS'],
  'audio/wav': ['a WAV file', 'RIFF'],
  'audio/flac': ['a FLAC file', 'fLaC'],
  'audio/mpeg': ['an MP3 file', 'ID3'],
  'audio/ogg': ['an Ogg file', 'OggS'],
  'audio/aiff': ['an AIFF file', 'FORM'],
  'audio/midi': ['a MIDI file', 'MThd'],
  'video/ogg': ['an Ogg file', 'OggS'],
  'video/x-msvideo': ['an AVI file', 'RIFF'],
  'video/x-flv': ['an FLV file', 'FLV'],
};

/**
 * Decides what a file is: by its bytes, and by its extension only if they do not say.
 *
 * @param head the first bytes of the file
 */
export function classify(path: string, sniffed: Sniffed | undefined, head: Uint8Array): Classification {
  const extension = extensionOf(path);
  const isSourceCode = sniffed?.extension === 'txt' && SOURCE_CODE.has(extension);
  const claimed = isSourceCode ? undefined : typeOfExtension(extension);
  const what = claimed && whatItStartsLike(claimed.mime, sniffed, head);
  if (what !== undefined) return { kind: 'cut-off', what };
  if (sniffed === undefined) {
    if (claimed?.hasSignature) return { kind: 'contradiction', claimed: claimed.mime, actual: undefined };
    const unknown = mediaType(/^[a-z0-9]+$/.test(extension) ? extension : 'bin', 'application/octet-stream');
    return { kind: 'clear', type: unknown };
  }
  const type = mediaType(extensionFor(sniffed.extension, sniffed.tracks), sniffed.mime);
  if (claimed === undefined) return { kind: 'clear', type };
  const isSameMedia = sniffed.tracks === undefined || sniffed.tracks === claimed.category;
  if (isSameMedia && isUsualExtension(sniffed.extension, extension)) {
    return { kind: 'clear', type: mediaType(extension, claimed.mime) };
  }
  if (claimed.category === type.category) return { kind: 'renamed', type, claimed: claimed.mime };
  return { kind: 'contradiction', claimed: claimed.mime, actual: type };
}

function whatItStartsLike(mime: string, sniffed: Sniffed | undefined, head: Uint8Array): string | undefined {
  if (sniffed !== undefined && sniffed.extension !== 'txt') return undefined;
  const [what, start = ''] = STARTS[mime] ?? [];
  return Buffer.from(head).toString('latin1', 0, start.length) === start ? what : undefined;
}
