import { createHash } from 'node:crypto';

const MAX_NAME_LENGTH = 200;
/** 128 bits: with 64, two different files of one name can be made in seconds. */
const HEX_DIGITS = 32;

export interface NamedContent {
  readonly sha256: string;
  readonly repositoryId: string;
  /** The detected one, without the dot. */
  readonly extension: string;
}

/**
 * The name that a file is uploaded under. A workspace of the service may serve many repositories, and a name that is
 * used twice may mean the same storage, so the hex digits make one name mean one content. The stem is for people.
 *
 * @param path where the content is; the first place if there are several
 */
export function uploadName(path: string, { sha256, repositoryId, extension }: NamedContent): string {
  const digits = createHash('sha256').update(`${repositoryId}\n${sha256}`).digest('hex').slice(0, HEX_DIGITS);
  const ending = `-${digits}.${extension.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20) || 'bin'}`;
  const stem = stemOf(path)
    .slice(0, MAX_NAME_LENGTH - ending.length)
    .replace(/[._-]+$/, '');
  return `${stem || 'file'}${ending}`;
}

/** Made from the whole path, so that a person can distinguish `en/hero.mp4` from `de/hero.mp4`. */
function stemOf(path: string): string {
  return path
    .replace(/(?<=[^/])\.[^./]*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/[._-]*([._-])[._-]*/g, '$1')
    .replace(/^[._-]+/, '');
}
