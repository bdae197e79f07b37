import { extensionOf, type MediaType, typeOfBytes, typeOfName } from './media-types.ts';

/** Families whose files may begin with any bytes. A file of another family that detection does not know is damaged. */
const WITHOUT_SIGNATURE: ReadonlySet<string> = new Set(['mpeg', 'mxf', 'mp3', 'aac', 'wav', 'ac3', 'text']);

/**
 * The bytes decide what a file is. Its extension decides if the bytes do not tell, or fit several types of a family.
 * `claimed` is the type in the name, if it is another one. Without a `type`, the file is not what its name claims.
 */
export function classify(path: string, detected?: MediaType): { type: MediaType | undefined; claimed?: MediaType } {
  const claimed = typeOfName(path);
  if (!claimed) return { type: detected ?? typeOfBytes(extensionOf(path), 'application/octet-stream') };
  const isByName = detected ? isOfFamily(claimed, detected) : WITHOUT_SIGNATURE.has(claimed.family);
  if (!isByName) return { type: detected, claimed };
  // A name may claim more than the bytes show, never less: an analysis as video includes the sound.
  return { type: claimed.category === 'audio' && detected?.category === 'video' ? detected : claimed };
}

/** Detection may recognise an Office document only as an archive. */
function isOfFamily({ family }: MediaType, detected: MediaType): boolean {
  return family === detected.family || family.startsWith(`${detected.family}/`);
}
