import { extensionOf, type MediaType, typeOfBytes, typeOfName } from './media-types.ts';

/** Families whose files may begin with any bytes. In other families, a file that detection does not know is damaged. */
const WITHOUT_SIGNATURE: ReadonlySet<string> = new Set(['mpeg', 'mxf', 'mp3', 'aac', 'wav', 'ac3', 'text']);

/**
 * The bytes of a file decide its type. The extension decides if detection finds no type, or if the bytes fit several
 * types of one family. `claimed` is set if the extension stands for another type than the bytes have. `type` is
 * undefined if the bytes are of no known type and cannot be of the type that the extension stands for.
 */
export function classify(path: string, detected?: MediaType): { type: MediaType | undefined; claimed?: MediaType } {
  const claimed = typeOfName(path);
  if (!claimed) return { type: detected ?? typeOfBytes(extensionOf(path), 'application/octet-stream') };
  const isByName = detected ? isOfFamily(claimed, detected) : WITHOUT_SIGNATURE.has(claimed.family);
  if (!isByName) return { type: detected, claimed };
  // A video with the extension of an audio file stays a video: the analysis of a video includes its sound.
  return { type: claimed.category === 'audio' && detected?.category === 'video' ? detected : claimed };
}

/** Detection may recognise an Office document only as an archive. */
function isOfFamily({ family }: MediaType, detected: MediaType): boolean {
  return family === detected.family || family.startsWith(`${detected.family}/`);
}
