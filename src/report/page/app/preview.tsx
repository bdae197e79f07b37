import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fileAtCommitUrl } from '../../github-links.ts';
import type { ReportedContent } from '../../report.ts';
import { report } from './browser.ts';
import { Link } from './text.tsx';

const NOT_EMBEDDED =
  'No preview: this page contains up to 30 MB of pictures, films and sounds that have issues or could not be analysed, as they were when they were checked.';

const NO_DOCUMENTS = 'No preview: this file is a document, and this page shows only pictures, films and sounds.';

/** Shows the file, or says why it cannot be shown. A film or a sound starts at `start`, in seconds. */
export function Preview({ content, start }: Readonly<{ content: ReportedContent; start: number }>): JSX.Element {
  // The media are at the end of the document, so they are looked up again when the document is complete.
  const find = (): string | undefined => document.getElementById(`media-${content.sha256}`)?.textContent;
  const source = useMemo(find, [content, document.readyState]);
  const [isDefect, setDefect] = useState(false);
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const goToStart = (): void => {
    // A text may mention a time that this file does not have.
    if (player.current && start < player.current.duration) player.current.currentTime = start;
  };
  useEffect(goToStart, [start]);
  const [path] = content.paths;
  const label = `The checked file ${path}`;
  const onError = (): void => setDefect(true);
  const events = { onError, onLoadedMetadata: goToStart };
  const playing = { ref: player, src: source, controls: true, preload: 'metadata', ...events } as const;
  const [kind] = source === undefined || isDefect ? [] : content.mime.split('/');
  const whyNot = content.category === 'document' ? NO_DOCUMENTS : NOT_EMBEDDED;
  const url = fileAtCommitUrl(report.run, path);
  return (
    <figure>
      {kind === 'image' && <img src={source} alt={label} onError={onError} />}
      {kind === 'video' && <video {...playing} playsInline aria-label={label} />}
      {kind === 'audio' && <audio {...playing} aria-label={label} />}
      <figcaption class="soft">
        {source === undefined && document.readyState !== 'loading' && whyNot}
        {isDefect && 'This browser cannot show the file.'}{' '}
        {url && <Link url={url}>Open the file in the repository</Link>}
      </figcaption>
    </figure>
  );
}
