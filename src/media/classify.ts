import { extensionOf, type MediaType, typeOfBytes, typeOfName } from './media-types.ts';

interface Classification {
  /** Undefined if the bytes are of no known type, although those of the type that the name says can be recognised. */
  readonly type: MediaType | undefined;
  /** The type that the name says, if it is another one. */
  readonly claimed?: MediaType;
}

/** Their files need not begin with bytes that detection knows. A file of any other family that does not is damaged or something else. */
const WITHOUT_SIGNATURE: ReadonlySet<string> = new Set(['mpeg', 'mxf', 'mp3', 'aac', 'wav', 'ac3', 'text']);

/** Decides what a file is: by its bytes, and by its extension if they do not say or the name decides in their family. */
export function classify(path: string, detected: MediaType | undefined): Classification {
  const claimed = typeOfName(path);
  if (!claimed) return { type: detected ?? typeOfBytes(extensionOf(path), 'application/octet-stream') };
  const isByName = detected ? isOfFamily(claimed, detected) : WITHOUT_SIGNATURE.has(claimed.family);
  if (!isByName) return { type: detected, claimed };
  // A name may claim more than the bytes show, never less: an analysis as video includes the sound.
  return { type: claimed.category === 'audio' && detected?.category === 'video' ? detected : claimed };
}

/** Detection may say only that a document is an archive. */
function isOfFamily({ family }: MediaType, detected: MediaType): boolean {
  return family === detected.family || family.startsWith(`${detected.family}/`);
}
