import type { ReportedAsset } from './report.ts';

/** The bytes of a file, to be shown beside its issues. */
export interface EmbeddedMedia {
  readonly mime: string;
  readonly base64: string;
}

/** What every current browser shows by itself. A document would need a plugin or a frame, which the page forbids. */
const SHOWABLE: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'audio/mpeg',
  'audio/mp4',
  'audio/wav',
  'audio/x-wav',
  'audio/vnd.wave',
  'audio/ogg',
  'audio/flac',
  'audio/aac',
  'audio/webm',
]);

/** A page much larger than this opens slowly. */
const BUDGET = { each: 16_000_000, total: 48_000_000 };

/** The files whose bytes go into report.html: those with issues, worst first, as long as they fit. */
export function mediaToEmbed(
  assets: readonly ReportedAsset[],
  budget: { readonly each: number; readonly total: number } = BUDGET,
): readonly string[] {
  const chosen: string[] = [];
  let left = budget.total;
  for (const asset of assets) {
    const [path] = asset.paths;
    const hasOrHadIssues = asset.issues.length > 0 || (asset.fixed ?? []).length > 0;
    if (path === undefined || !hasOrHadIssues || !SHOWABLE.has(asset.mime)) continue;
    if (asset.size > budget.each || asset.size > left) continue;
    left -= asset.size;
    chosen.push(path);
  }
  return chosen;
}

/** An address that holds the bytes; undefined where they are not what they are said to be. */
export function dataUrl({ mime, base64 }: EmbeddedMedia): string | undefined {
  return SHOWABLE.has(mime) && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? `data:${mime};base64,${base64}` : undefined;
}
