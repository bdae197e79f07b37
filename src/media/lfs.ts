import { type Cause, FILE, workflowOwner } from '../lib/cause.ts';

/** What Git LFS leaves in the workspace if the file itself was not downloaded. */
export interface LfsPointer {
  readonly path: string;
  /** The hash of the content. Empty if an LFS extension changed the content, because its `oid` is then another hash. */
  readonly sha256: string;
  /** The size of the content. */
  readonly size: number;
}

/** Git LFS writes smaller pointers. */
const MAX_POINTER_BYTES = 1024;

/** Matches the whole file, because anything else in it would not be checked. */
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n(?<extensions>(?:ext-\d-[\w.-]+ sha256:[0-9a-f]{64}\r?\n)*)oid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;

export function parsePointer(path: string, content: Uint8Array): LfsPointer | undefined {
  if (content.length > MAX_POINTER_BYTES) return undefined;
  const { extensions, sha256 = '', size } = POINTER.exec(new TextDecoder().decode(content))?.groups ?? {};
  return size === undefined ? undefined : { path, sha256: extensions === '' ? sha256 : '', size: Number(size) };
}

/**
 * For a pointer whose content no earlier run has analysed.
 *
 * @param workflow the path of the workflow file
 */
export function pointerProblem({ path }: LfsPointer, workflow: string): Cause {
  const message = 'The file is a Git LFS pointer: its content was not checked out.';
  const fix = `To check out ${FILE}, set \`lfs: true\` in the \`actions/checkout\` step${workflow && ` of \`${workflow}\``}, commit and push. A re-run alone is not enough.`;
  return { reason: 'pre-flight', path, message, steps: [workflowOwner(fix)] };
}
