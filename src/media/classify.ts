import type { MediaType } from './file.ts';
import { extensionOf, mayBe, mediaType, typeOfExtension } from './media-types.ts';

/** What the bytes of a file say that it is. */
export interface Sniffed {
  /** The extension that such files usually have, or a name of our own for what no extension names. */
  readonly extension: string;
  readonly mime: string;
}

export type Classified =
  | { readonly kind: 'clear'; readonly type: MediaType }
  /** The bytes are another type than the name says, but of the same category. */
  | { readonly kind: 'renamed'; readonly type: MediaType; readonly claimed: string }
  /** The bytes are of another category, or of no known kind where the type would show. */
  | { readonly kind: 'contradiction'; readonly claimed: string; readonly actual: string };

/** What to call a file by its bytes alone, where detection only names a container. */
const PLAIN: Readonly<Record<string, readonly [extension: string, mime: string]>> = {
  moov: ['mov', 'video/quicktime'],
  markup: ['xml', 'application/xml'],
};

/** These extensions belong to TypeScript as much as to MPEG. */
const SOURCE_CODE_TOO: ReadonlySet<string> = new Set(['ts', 'mts']);

/** Bytes decide where they can tell, the extension where they cannot. */
export function classify(path: string, sniffed: Sniffed | undefined): Classified {
  const extension = extensionOf(path);
  const isSource = sniffed?.extension === 'txt' && SOURCE_CODE_TOO.has(extension);
  const claimed = isSource ? undefined : typeOfExtension(extension);
  if (sniffed === undefined) {
    if (claimed?.signed) return { kind: 'contradiction', claimed: claimed.mime, actual: 'of no type that we know' };
    const unknown = mediaType(/^[a-z0-9]+$/.test(extension) ? extension : 'bin', 'application/octet-stream');
    return { kind: 'clear', type: unknown };
  }
  if (claimed !== undefined && mayBe(sniffed.extension, extension)) {
    return { kind: 'clear', type: mediaType(extension, claimed.mime) };
  }
  const type = mediaType(...(PLAIN[sniffed.extension] ?? ([sniffed.extension, sniffed.mime] as const)));
  if (claimed === undefined) return { kind: 'clear', type };
  // Ogg video was called `.ogg` too before it had an extension of its own.
  const isOggVideo = extension === 'ogg' && type.mime === 'video/ogg';
  if (claimed.category === type.category || isOggVideo) return { kind: 'renamed', type, claimed: claimed.mime };
  return { kind: 'contradiction', claimed: claimed.mime, actual: type.mime };
}
