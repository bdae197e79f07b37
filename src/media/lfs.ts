import { type Cause, FILE, forOwner, type Step, workflowOwner } from '../lib/cause.ts';

/** The small text file that Git LFS leaves in the workspace if it did not download the content. */
export interface LfsPointer {
  readonly path: string;
  /** The hash of the content. Empty if an LFS extension changed the content: `oid` is then the hash of other bytes. */
  readonly sha256: string;
  /** The size of the content. */
  readonly size: number;
}

/** The pointers that Git LFS writes are smaller than this. */
const MAX_POINTER_BYTES = 1024;

/** Matches only a whole file. Otherwise a file with a pointer and other text would count as a pointer. */
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n(?<extensions>(?:ext-\d-[\w.-]+ sha256:[0-9a-f]{64}\r?\n)*)oid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;

export function parsePointer(path: string, content: Uint8Array): LfsPointer | undefined {
  if (content.length > MAX_POINTER_BYTES) return undefined;
  const { extensions, sha256 = '', size } = POINTER.exec(new TextDecoder().decode(content))?.groups ?? {};
  return size === undefined ? undefined : { path, sha256: extensions === '' ? sha256 : '', size: Number(size) };
}

/** Reports a pointer whose content no earlier run has analysed. `workflow` is the path of the workflow file. */
export function pointerProblem({ path }: LfsPointer, workflow: string): Cause {
  const message = 'The file is a Git LFS pointer: its content was not checked out.';
  const fix = `To check out ${FILE}, set \`lfs: true\` in the \`actions/checkout\` step${workflow && ` of \`${workflow}\``}, commit and push. A re-run alone is not enough.`;
  return { ...forOwner('pre-flight', message, fix), path };
}

/** git-annex replaces a file by a link whose target contains this, or by a text file that begins with it. */
export const ANNEX_OBJECTS = '/annex/objects/';

export function isAnnexPointer(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, ANNEX_OBJECTS.length)).toString() === ANNEX_OBJECTS;
}

export const ANNEX_MESSAGE =
  'The file is kept by git-annex: the workspace has only a pointer, so its content cannot be checked.';
export const GET_ANNEX: Step = workflowOwner(
  `Before this step, run \`git annex get\` and \`git annex unlock\` for ${FILE}.`,
);
