import type { ReportedContent } from '../report.ts';

/** The bytes of files as `data:` addresses, by the SHA-256 of the content. */
export type EmbeddedMedia = ReadonlyMap<string, string>;

/**
 * Types that every current browser can show. PDF is left out: browsers show a PDF only in a frame that is not
 * sandboxed, and there the scripts in the PDF would run.
 */
const SHOWABLE = [
  /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/,
  /^video\/(?:mp4|webm|ogg)$/,
  /^audio\/(?:mpeg|mp4|wav|ogg|flac|aac|webm)$/,
];

/** Base64 makes these 40 MB of the page, which a browser still opens at once. */
const MAX_MEDIA_BYTES = 30_000_000;

/** Selects the contents whose bytes go into report.html: those that stop the check first, every content that still fits. */
export function mediaToEmbed(
  contents: readonly ReportedContent[],
  budget: number = MAX_MEDIA_BYTES,
): readonly ReportedContent[] {
  let left = budget;
  return contents.filter(({ issues, outcome, source, mime, size }) => {
    // A preview helps with files that have issues, and with files that the service could not analyse.
    const isBroken = outcome === 'failed' || (outcome === 'unjudged' && source === 'sent');
    const isEmbedded = (isBroken || issues.length > 0) && SHOWABLE.some((types) => types.test(mime)) && size <= left;
    if (isEmbedded) left -= size;
    return isEmbedded;
  });
}
