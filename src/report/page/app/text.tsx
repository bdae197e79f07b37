import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { safeHref } from '../../../lib/escape.ts';
import { comparisonUrl, fileAtCommitUrl } from '../../github-links.ts';
import type { Report } from '../../report.ts';

export function safeUrl(url: string | undefined): string | undefined {
  const href = url === undefined ? undefined : safeHref(url);
  return href?.startsWith('https:') ? href : undefined;
}

/** Only the inner text if the address may not be followed. */
export function Link({
  url,
  children,
}: {
  readonly url: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  const href = safeUrl(url);
  if (href === undefined) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">
      {children}
    </a>
  );
}

/** A sentence in which a name may stand in backticks. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  // Odd pieces were between backticks; a backtick without a partner stays what it is.
  return <>{text.split(/`([^`]+)`/u).map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}</>;
}

/** A time such as 0:01 or 1:02:03. */
const TIME = /(?<![\d:.])((?:\d{1,2}:)?\d{1,2}:[0-5]\d)(?![\d:])/u;

/** A text in which times lead to that moment of the film or sound, if there is one. */
export function Timed({
  text,
  seek,
}: {
  readonly text: string;
  readonly seek: ((seconds: number) => void) | undefined;
}): JSX.Element {
  if (!seek) return <>{text}</>;
  const pieces = text.split(TIME).map((piece, index) =>
    index % 2 === 1 ? (
      <button type="button" class="time" onClick={() => seek(secondsOf(piece))}>
        {piece}
      </button>
    ) : (
      piece
    ),
  );
  return <>{pieces}</>;
}

function secondsOf(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** A long path loses the middle of its folders before it loses the name of the file. */
export function Path({ path }: { readonly path: string }): JSX.Element {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span class="path" title={path}>
      <span class="folder">{path.slice(0, cut)}</span>
      <span class="name">{path.slice(cut)}</span>
    </span>
  );
}

/** A path that links to the file at the commit, in a pull request to its place among the changes. */
export function PathLink({ path, run }: { readonly path: string; readonly run: Report['run'] }): JSX.Element {
  const [change, setChange] = useState({ path: '', url: '' });
  useEffect(() => {
    const look = async (): Promise<void> => {
      const url = run.pullRequest && comparisonUrl(run, await sha256(path));
      if (url !== undefined) setChange({ path, url });
    };
    void look();
  }, [path, run]);
  return (
    <Link url={change.path === path ? change.url : fileAtCommitUrl(run, path)}>
      <code>{path}</code>
    </Link>
  );
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
