/**
 * What an answer may hold that must get into no log and no report. It is taken out of the text as it came: there it may
 * be escaped as JSON escapes it, `&` as `\u0026` and `/` as `\/`, once more in JSON within JSON.
 */

/** The names are Azure's, Amazon's and Google's. */
const START = String.raw`(?:[?&;]|\\u0026|\\u003[bf])(?:sig|signature|x-(?:amz|goog)-[a-z-]+)(?:=|\\u003d)`;
/** Up to the next `&`, quote or space, escaped or not. */
const VALUE = String.raw`(?:[^&\s"'\\]|\\+\/|\\+u(?!00(?:2[0267]|3[ce]))[0-9a-f]{4})+`;
const SIGNATURE = new RegExp(`(${START})${VALUE}`, 'gi');

/** Whoever has the signature of an address can read or write what lies there. */
export function withoutSignatures(text: string): string {
  return text.replaceAll(SIGNATURE, '$1***');
}

export function withoutKey(text: string, apiKey: string): string {
  const inJson = JSON.stringify(apiKey).slice(1, -1);
  return text.replaceAll(apiKey, '***').replaceAll(inJson, '***');
}
