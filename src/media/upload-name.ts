import { createHash } from 'node:crypto';

const MAX_NAME_LENGTH = 200;
const DIGITS = 16;

/**
 * The name that a file is sent under. A workspace of the service may serve many repositories, and a name sent twice may
 * mean the same storage: so one name must mean one content. The digits see to that; the stem is for people.
 *
 * @param path Where the content is; where it is in several places, the first.
 * @param extension The detected one, without the dot.
 */
export function assetName(path: string, sha256: string, repositoryId: string, extension: string): string {
  const digits = createHash('sha256').update(`${repositoryId}\n${sha256}`).digest('hex').slice(0, DIGITS);
  const ending = `-${digits}.${extension.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20) || 'bin'}`;
  const stem = stemOf(path)
    .slice(0, MAX_NAME_LENGTH - ending.length)
    .replace(/[._-]+$/, '');
  return `${stem || 'file'}${ending}`;
}

/** The whole path, not only the file's name: `en/hero.mp4` and `de/hero.mp4` are told apart by a person. */
function stemOf(path: string): string {
  return path
    .replace(/(?<=[^/])\.[^./]*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/[._-]*([._-])[._-]*/g, '$1')
    .replace(/^[._-]+/, '');
}
