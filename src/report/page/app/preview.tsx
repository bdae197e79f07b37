import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fileAtCommitUrl } from '../../github-links.ts';
import type { ReportedContent } from '../../report.ts';
import { hasPreview, isShowable, mediaToEmbed } from '../media.ts';
import { report } from './browser.ts';
import { Link } from './text.tsx';

const CANNOT_SHOW = 'This browser cannot show the file.';
const NO_PICTURE = 'This browser finds no picture in the file.';

/** Shows the file, or says why it cannot be shown. A film or a sound starts at `start`, in seconds. */
export function Preview({ content, start }: Readonly<{ content: ReportedContent; start: number }>): JSX.Element {
  // The media are at the end of the document, so they are looked up again when the document is complete.
  const source = useMemo(() => mediaOf(content)?.textContent, [content, document.readyState]);
  const [defect, setDefect] = useState('');
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const goToStart = (): void => {
    // A text may mention a time that this file does not have.
    if (player.current && start < player.current.duration) player.current.currentTime = start;
  };
  useEffect(goToStart, [start]);
  const [path = ''] = content.paths;
  const label = `The checked file ${path}`;
  const onError = (): void => setDefect(CANNOT_SHOW);
  const onLoadedMetadata = (): void => {
    goToStart();
    if (player.current?.videoWidth === 0) setDefect(NO_PICTURE);
  };
  const playing = { ref: player, src: source, controls: true, preload: 'metadata', onError, onLoadedMetadata } as const;
  const isShown = source !== undefined && defect !== CANNOT_SHOW;
  const [kind] = isShown ? content.mime.split('/') : [];
  const url = fileAtCommitUrl(report.run, path);
  return (
    <figure>
      {kind === 'image' && <img src={source} alt={label} onError={onError} />}
      {kind === 'video' && <video {...playing} playsInline aria-label={label} />}
      {kind === 'audio' && <audio {...playing} aria-label={label} />}
      <figcaption class="soft">
        {source === undefined ? whyMissing(content) : defect}{' '}
        {url && <Link url={url}>Open the file in the repository</Link>}
      </figcaption>
    </figure>
  );
}

/** The element whose text is the `data:` address of the file; null if the page does not contain the file. */
function mediaOf({ sha256 }: ReportedContent): HTMLElement | null {
  return document.getElementById(`media-${sha256}`);
}

export function isPlayable(content: ReportedContent): boolean {
  return /^(?:video|audio)\//.test(content.mime) && mediaOf(content) !== null;
}

function whyMissing(content: ReportedContent): string {
  const [path = ''] = content.paths;
  const [, extension] = /\.(\w+)$/.exec(path) ?? [];
  if (document.readyState === 'loading') return '';
  if (!isShowable(content)) return `No preview of ${extension?.toUpperCase() ?? content.mime}.`;
  if (!hasPreview(content)) return 'Only files with issues or a failed analysis have a preview.';
  return mediaToEmbed(report.contents).includes(content)
    ? 'No preview: the file could not be read again.'
    : 'No preview: it would make this page too large.';
}
