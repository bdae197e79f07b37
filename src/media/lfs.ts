import type { Cause } from '../cause.ts';
import { formatBytes } from './size.ts';

/** What Git LFS leaves in the workspace where the file itself was not downloaded. */
export interface LfsPointer {
  readonly path: string;
  /** Of the content that it stands for: its `oid`. */
  readonly sha256: string;
  /** Of that content. */
  readonly size: number;
}

/** Pointers are tiny; a larger file that begins like one is a text about them. */
const LARGEST_POINTER = 1024;

export function parsePointer(path: string, content: Uint8Array): LfsPointer | undefined {
  if (content.length > LARGEST_POINTER) return undefined;
  const lines = new TextDecoder().decode(content).split(/\r?\n/);
  if (!/^version https?:\/\/\S+\/spec\/v1$/.test(lines[0] ?? '')) return undefined;
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  const sha256 = /^sha256:([0-9a-f]{64})$/.exec(fields.get('oid') ?? '')?.[1];
  const size = /^\d{1,15}$/.exec(fields.get('size') ?? '')?.[0];
  return sha256 === undefined || size === undefined ? undefined : { path, sha256, size: Number(size) };
}

/** For a pointer whose content is not known from an earlier run. */
export function pointerProblem({ path, size }: LfsPointer): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: `This is a Git LFS pointer: the file itself (${formatBytes(size)}) was not checked out.`,
    fix: 'Set `lfs: true` in the step that runs `actions/checkout`.',
  };
}
