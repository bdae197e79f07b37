import {
  extensionFor,
  extensionOf,
  hasSignature,
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
  | { readonly kind: 'contradiction'; readonly claimed: string; readonly actual: MediaType | undefined };

/** Extensions of both TypeScript and MPEG. */
const SOURCE_CODE: ReadonlySet<string> = new Set(['ts', 'mts']);

/** Decides what a file is: by its bytes, and by its extension only if they do not say. */
export function classify(path: string, sniffed: Sniffed | undefined): Classification {
  const extension = extensionOf(path);
  const isSourceCode = sniffed?.extension === 'txt' && SOURCE_CODE.has(extension);
  const claimed = isSourceCode ? undefined : typeOfExtension(extension);
  if (sniffed === undefined) {
    if (claimed && hasSignature(claimed)) return { kind: 'contradiction', claimed: claimed.mime, actual: undefined };
    const unknown = mediaType(/^[a-z0-9]+$/.test(extension) ? extension : 'bin', 'application/octet-stream');
    return { kind: 'clear', type: unknown };
  }
  const type = mediaType(extensionFor(sniffed.extension, sniffed.tracks), sniffed.mime);
  if (claimed === undefined) return { kind: 'clear', type };
  const isSameMedia = sniffed.tracks === undefined || sniffed.tracks === claimed.category;
  if (claimed.mime === type.mime || (isSameMedia && isUsualExtension(sniffed.extension, extension))) {
    return { kind: 'clear', type: mediaType(extension, claimed.mime) };
  }
  if (claimed.category === type.category) return { kind: 'renamed', type, claimed: claimed.mime };
  return { kind: 'contradiction', claimed: claimed.mime, actual: type };
}
