import type { Cause } from '../lib/cause.ts';
import { formatBytes } from '../lib/format.ts';

/** What Git LFS leaves in the workspace where the file itself was not downloaded. */
export interface LfsPointer {
  readonly path: string;
  /** Of the content that it stands for: its `oid`. */
  readonly sha256: string;
  /** Of that content. */
  readonly size: number;
}

/** Pointers are tiny; a larger file that begins like one is a text about them. */
const MAX_POINTER_BYTES = 1024;

/** From its first to its last byte: whatever else is in a file would be waved through with the content it points to. */
const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?<extensions>(?:ext-\d-[\w.-]+ sha256:[0-9a-f]{64}\r?\n)*)oid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;

/** `extended` where an LFS extension changed the content before it was stored: then the hash is not that of the file. */
export function parsePointer(path: string, content: Uint8Array): LfsPointer | 'extended' | undefined {
  if (content.length > MAX_POINTER_BYTES) return undefined;
  const { extensions, sha256, size } = POINTER.exec(new TextDecoder().decode(content))?.groups ?? {};
  if (sha256 === undefined) return undefined;
  return extensions === '' ? { path, sha256, size: Number(size) } : 'extended';
}

const CHECK_OUT =
  'Set `lfs: true` in the step that runs `actions/checkout`, unless that job has secrets and checks out what strangers send.';

/** For a pointer whose content is not known from an earlier run. */
export function pointerProblem({ path, size }: LfsPointer): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: `This is a Git LFS pointer: the file itself (${formatBytes(size)}) was not checked out.`,
    fix: CHECK_OUT,
  };
}

export function extendedProblem(path: string): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: 'This is a Git LFS pointer with an extension: the file itself was not checked out.',
    fix: CHECK_OUT,
  };
}
