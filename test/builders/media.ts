import { createHash } from 'node:crypto';
import { type Content, type SendableContent, uploadName } from '../../src/media/content.ts';
import type { MediaFile } from '../../src/media/file.ts';
import { typeOfName } from '../../src/media/media-types.ts';
import type { LfsPointer } from '../../src/media/sniff.ts';

/** Builders of files and contents. A seed stands for the bytes: the same seed is the same content. */

const PNG = { mime: 'image/png', extension: 'png', category: 'image', family: 'png' } as const;

export function sha(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}

export function file(path: string, seed: string): MediaFile {
  return { path, absolutePath: `/workspace/${path}`, size: 10, stamp: '', sha256: sha(seed), type: PNG };
}

export function pointer(path: string, seed: string): LfsPointer {
  return { path, sha256: sha(seed), size: 10, type: typeOfName(path) };
}

/** The name under which the image of a seed is sent. */
export function sentName(seed: string, path = seed): string {
  return uploadName(path, { sha256: seed, repositoryId: '4711', extension: 'png' });
}

/** An image whose hash is its seed, so that a test can read it. */
export function content(seed: string, paths: Content['paths'] = [seed]): SendableContent {
  const [path] = paths;
  const stored = { ...file(path, seed), sha256: seed };
  return { sha256: seed, size: stored.size, type: PNG, paths, file: stored, name: sentName(seed, path) };
}
