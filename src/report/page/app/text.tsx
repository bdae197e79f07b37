import type { ComponentChild, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Step } from '../../../lib/cause.ts';
import { safeHref } from '../../../lib/escape.ts';
import { comparisonUrl, fileAtCommitUrl, repositoryPath } from '../../github-links.ts';
import { handover, nameActor, stepBlocks } from '../../phrases.ts';
import type { Report } from '../../report.ts';

/** A link, or only the text of the link if the address is missing or not https. */
export function Link({ url, children }: Readonly<{ url: string | undefined; children: ComponentChild }>): JSX.Element {
  const href = url === undefined ? undefined : safeHref(url);
  if (!href?.startsWith('https:')) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">
      {children}
    </a>
  );
}

/** A button that looks like a link. */
export function TextButton(props: JSX.ButtonHTMLAttributes): JSX.Element {
  return <button type="button" class="plain" {...props} />;
}

/** A sentence in which names are quoted in backticks. */
export function Prose({ text }: Readonly<{ text: string }>): JSX.Element {
  // Because the pattern has a group, the texts between backticks are the pieces with an odd index.
  return <>{text.split(/`([^`]+)`/u).map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}</>;
}

export function Sentences({ texts }: Readonly<{ texts: readonly string[] }>): JSX.Element {
  const items = texts.map((text) => (
    <li>
      <Prose text={text} />
    </li>
  ));
  return <ul class="sentences">{items}</ul>;
}

type Contact = Pick<Report, 'contact'>;

/** The name of a person. If it has a contact that is an address, it is a link. */
function Person({ name, contact }: Contact & Readonly<{ name: string }>): JSX.Element {
  return <Link url={name.includes(contact ?? '\n') ? contact : undefined}>{name}</Link>;
}

export function Steps({ steps, contact }: Contact & Readonly<{ steps: readonly Step[] }>): JSX.Element {
  const blocks = stepBlocks(steps).map(({ title, steps: own }, index, all) => {
    const List = index === 0 && all.length > 1 ? 'ol' : 'ul';
    const items = own.map((step) => (
      <li>
        <b>
          <Person name={nameActor(step.actor, { contact })} contact={contact} />:
        </b>{' '}
        <Link url={step.link}>
          <Prose text={step.text} />
        </Link>
        <Person name={handover(step, { contact })} contact={contact} /> <Prose text={step.note ?? ''} />
      </li>
    ));
    return (
      <>
        {all.length > 1 && <h3>{title}</h3>}
        <List class="sentences">{items}</List>
      </>
    );
  });
  return <>{blocks}</>;
}

type PathLinkProps = Readonly<{ path: string; isChanged: boolean | undefined; run: Report['run'] }>;

/** Links to the file or, if the pull request changes it, to its diff. `key` must be the path: the effect runs once. */
export function PathLink({ path, isChanged, run }: PathLinkProps): JSX.Element {
  const [url, setUrl] = useState(fileAtCommitUrl(run, path));
  useEffect(() => {
    if (!isChanged) return;
    void sha256(repositoryPath(run, path)).then((hash) => setUrl((known) => comparisonUrl(run, hash) ?? known));
  }, []);
  return (
    <Link url={url}>
      <code>{path}</code>
    </Link>
  );
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
