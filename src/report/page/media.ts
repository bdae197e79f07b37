import { formatBytes } from '../../lib/format.ts';
import { fileAtCommitUrl } from '../github-links.ts';
import type { Report, ReportedAsset } from '../report.ts';
import { type Html, html, link, trusted } from './html.ts';

/** The bytes of a file, to be shown beside its issues. */
export interface EmbeddedMedia {
  readonly mime: string;
  readonly bytes: Buffer;
}

/** What every current browser shows by itself. A document would need a frame, which the page's policy forbids. */
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

/** Artifact storage is small, and a larger page opens slowly. */
export const MAX_PAGE_BYTES = 19_500_000;
const MAX_MEDIA_BYTES = 10_000_000;
/** What an issue and a file usually take in the page, so that media leave room for them. */
const BYTES_PER_ISSUE = 1_000;
const BYTES_PER_FILE = 800;

/** Media are written in Base64, which makes four bytes of three. */
function encodedSize(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

function mediaBudget(assets: readonly ReportedAsset[]): number {
  const issues = assets.reduce((sum, asset) => sum + asset.issues.length + (asset.fixed ?? []).length, 0);
  const text = issues * BYTES_PER_ISSUE + assets.length * BYTES_PER_FILE;
  return Math.max(0, Math.min(MAX_MEDIA_BYTES, MAX_PAGE_BYTES - text));
}

/** The contents whose bytes go into report.html: those with issues, worst first, as long as they fit. */
export function mediaToEmbed(
  assets: readonly ReportedAsset[],
  budget: number = mediaBudget(assets),
): readonly ReportedAsset[] {
  let left = budget;
  return assets.filter((asset) => {
    const hasOrHadIssues = asset.issues.length > 0 || (asset.fixed ?? []).length > 0;
    const size = encodedSize(asset.size);
    if (!hasOrHadIssues || !SHOWABLE.has(asset.mime) || size > left) return false;
    left -= size;
    return true;
  });
}

/** How the page shows a file. */
export type Shown = 'image' | 'film' | 'sound' | 'link';

export function shownAs(media: EmbeddedMedia | undefined): Shown {
  if (media === undefined || !SHOWABLE.has(media.mime)) return 'link';
  if (media.mime.startsWith('image/')) return 'image';
  return media.mime.startsWith('video/') ? 'film' : 'sound';
}

/** The media, or the link to it on GitHub; undefined if there is neither. */
export function mediaFigure(
  asset: ReportedAsset,
  { media, run, id }: { readonly media: EmbeddedMedia | undefined; readonly run: Report['run']; readonly id: string },
): Html | undefined {
  const [path = ''] = asset.paths;
  const address = fileAtCommitUrl(run, path);
  const name = NAMES[asset.category ?? 'file'];
  if (media === undefined || shownAs(media) === 'link') {
    if (address === undefined) return undefined;
    return html`<p class="elsewhere">${link(address, `Open the ${name} on GitHub`)} <span class="soft">(${formatBytes(asset.size)}, not embedded in this page)</span></p>`;
  }
  const url = trusted(`data:${media.mime};base64,${media.bytes.toString('base64')}`);
  const label = `The checked ${name} ${path.slice(0, 300)}`;
  const caption = address === undefined ? undefined : html`<figcaption>${link(address, 'Open on GitHub')}</figcaption>`;
  const onPaper =
    shownAs(media) !== 'image' &&
    html`<p class="paper">${shownAs(media) === 'film' ? 'Film' : 'Sound'}, not shown on paper${address && `: ${address}`}</p>`;
  return html`<figure id="${id}">${element(shownAs(media), url, label)}${onPaper}${caption}</figure>`;
}

/** With scripts, a film is read when it comes into view. */
function element(shown: Shown, url: Html, label: string): Html {
  if (shown === 'film')
    return html`<video controls playsinline preload="none" aria-label="${label}" src="${url}"></video>`;
  if (shown === 'sound') return html`<audio controls preload="none" aria-label="${label}" src="${url}"></audio>`;
  return html`<button type="button" class="zoom" aria-label="Enlarge. ${label}"><img src="${url}" alt="${label}" decoding="async"></button>`;
}

const NAMES = { video: 'film', audio: 'sound', image: 'image', document: 'document', file: 'file' } as const;
