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

const MAX_MEDIA_BYTES = 10_000_000;

export function isShowable({ mime }: ReportedContent): boolean {
  return SHOWABLE.some((types) => types.test(mime));
}

/** A preview helps with files that have or had issues, and with files that the service could not analyse. */
export function hasPreview({ issues, fixed, outcome, source }: ReportedContent): boolean {
  const isBroken = outcome === 'failed' || (outcome === 'unjudged' && source === 'sent');
  return isBroken || issues.length > 0 || (fixed ?? []).length > 0;
}

/** Selects the contents whose bytes go into report.html: in the given order, every content that still fits. */
export function mediaToEmbed(
  contents: readonly ReportedContent[],
  budget: number = MAX_MEDIA_BYTES,
): readonly ReportedContent[] {
  let left = budget;
  return contents.filter((content) => {
    // Base64 turns three bytes into four.
    const size = 4 * Math.ceil(content.size / 3);
    if (!hasPreview(content) || !isShowable(content) || size > left) return false;
    left -= size;
    return true;
  });
}
