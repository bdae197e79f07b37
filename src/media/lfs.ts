import type { Cause } from '../lib/cause.ts';

/** What Git LFS leaves in the workspace if the file itself was not downloaded. */
export interface LfsPointer {
  readonly path: string;
  /** Of the content that it points to: its `oid`. */
  readonly sha256: string;
  /** Of that content. */
  readonly size: number;
}

/** Real pointers are smaller. */
const MAX_POINTER_BYTES = 1024;

/** Matches the whole file, because anything beside the pointer would not be checked. */
const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?<extensions>(?:ext-\d-[\w.-]+ sha256:[0-9a-f]{64}\r?\n)*)oid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;

/** `extended` if an LFS extension changed the content before it was stored: then the hash is not that of the file. */
export function parsePointer(path: string, content: Uint8Array): LfsPointer | 'extended' | undefined {
  if (content.length > MAX_POINTER_BYTES) return undefined;
  const { extensions, sha256, size } = POINTER.exec(new TextDecoder().decode(content))?.groups ?? {};
  if (sha256 === undefined) return undefined;
  return extensions === '' ? { path, sha256, size: Number(size) } : 'extended';
}

const CHECK_OUT = 'Set `lfs: true` in the `actions/checkout` step.';

/** For a pointer whose content no earlier run has analysed. */
export function pointerProblem({ path }: LfsPointer): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: 'The file is a Git LFS pointer: its content was not checked out.',
    fix: CHECK_OUT,
  };
}

export function extendedPointerProblem(path: string): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: 'The file is a Git LFS pointer with an extension: its content was not checked out.',
    fix: CHECK_OUT,
  };
}
