import { extensionOf, type TypeInFamily, typeInFamily, typeOfExtension } from './media-types.ts';

export interface Classification {
  /** Undefined if the bytes are of no known type, although those of the type that the name says can be recognised. */
  readonly type: TypeInFamily | undefined;
  /** The type that the name says, if it is another one. */
  readonly claimed?: TypeInFamily;
}

/** Their files need not begin with bytes that detection knows. A file of any other family that does not is damaged or something else. */
const WITHOUT_SIGNATURE: ReadonlySet<string> = new Set(['mpeg', 'mp2t', 'mxf', 'mp3', 'aac', 'wav', 'ac3', 'text']);

/** Decides what a file is: by its bytes, and by its extension only if they do not say. */
export function classify(path: string, detected: TypeInFamily | undefined): Classification {
  const extension = extensionOf(path);
  const claimed = typeOfExtension(extension);
  if (!claimed) return { type: detected ?? typeInFamily(extension, 'application/octet-stream') };
  const isByName = detected ? canBeCalled(detected, claimed) : WITHOUT_SIGNATURE.has(claimed.family);
  return isByName ? { type: claimed } : { type: detected, claimed };
}

function canBeCalled(detected: TypeInFamily, claimed: TypeInFamily): boolean {
  if (detected.family !== claimed.family) return false;
  // Detection tells the documents in an archive apart, or says only that it is an archive.
  if (detected.family === 'zip') return detected.extension === 'zip' || detected.mime === claimed.mime;
  return detected.category === undefined || detected.category === claimed.category;
}
