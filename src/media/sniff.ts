import type { FileHandle } from 'node:fs/promises';
import { fileTypeFromBlob } from 'file-type';
import { type Cause, EXCLUDE_IT, FILE, forOwner, GateError, workflowOwner } from '../causes/cause.ts';
import { isSystemError } from '../lib/folders.ts';
import { readAt } from './file.ts';
import { isDocument, isPlainText, type MediaType, typeOfBytes, typeOfName } from './media-types.ts';

/** The small text file that Git LFS leaves in the workspace if it did not download the content. */
export interface LfsPointer {
  readonly path: string;
  /** The hash of the content. Empty if an extension of Git LFS has changed the content: then the hash is unknown. */
  readonly sha256: string;
  readonly size: number;
}

/** Reports a pointer whose content no earlier run has analysed. `workflow` is the path of the workflow file. */
export function pointerProblem({ path }: LfsPointer, workflow: string): Cause {
  const message = 'The file is a Git LFS pointer: its content was not checked out.';
  const fix = `To check out ${FILE}, set \`lfs: true\` in the \`actions/checkout\` step${workflow && ` of \`${workflow}\``}, commit and push. A re-run alone is not enough.`;
  return { ...forOwner('pre-flight', message, fix), path };
}

/** Under the name of a text, the pointer would be judged in place of the content that is published. */
function annexProblem(path: string): Cause {
  const message = 'The file is kept by git-annex: the workspace has only a pointer, so its content cannot be checked.';
  const fix = workflowOwner(`Before this step, run \`git annex get\` and \`git annex unlock\` for ${FILE}.`);
  return { reason: 'pre-flight', path, message, steps: [fix, EXCLUDE_IT] };
}

/** What the bytes of a file show. */
interface Sniffed {
  /** Set if the workspace has only a pointer to the content. */
  readonly pointer?: LfsPointer;
  /**
   * The types that the bytes fit. The list is empty for a pointer, and if detection knows no type for the bytes. It has
   * two types if a PDF reader would read a PDF, and another program a different document.
   */
  readonly types: readonly MediaType[];
}

/** Enough for every type. An SVG file may have a long prolog before its root element; others need far fewer bytes. */
const HEAD_BYTES = 64 * 1024;

/** Limits how much detection reads at once. A file that makes detection read more is damaged. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** PDF readers search the first 1024 bytes of a file for the PDF header. */
const PDF_HEADER_WITHIN = 1024;

/** Large files are read in pieces. */
export async function sniff(path: string, handle: FileHandle, size: number): Promise<Sniffed> {
  const head = await readAt(handle, 0, Math.min(size, HEAD_BYTES));
  const text = textOf(head);
  const pointer = parsePointer(path, text ?? '');
  if (pointer) return { pointer, types: [] };
  if (text?.startsWith('/annex/objects/')) throw new GateError(annexProblem(path));
  // A text is not compared with signatures: it may begin with "ID3" or "BM", which are signatures of media types.
  const type = text === undefined ? await detect(handle, size, head) : typeOfBytes(extensionOfText(text), 'text/plain');
  const hasHeader = Buffer.from(head.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-');
  // Images, videos and sounds are not opened in a PDF reader, so a PDF header in these files does not matter.
  if (!hasHeader || (type && !isDocument(type))) return { types: type ? [type] : [] };
  const pdf = typeOfBytes('pdf', 'application/pdf');
  return { types: type && type !== pdf && !isPlainText(type) ? [type, pdf] : [pdf] };
}

async function detect(handle: FileHandle, size: number, head: Uint8Array): Promise<MediaType | undefined> {
  try {
    const result = await fileTypeFromBlob(new FileBlob(handle, 0, size), { maxBufferSize: MAX_READ_BYTES });
    // `ogx` means that detection does not know the first stream of an Ogg file. The file may be a video.
    if (result?.ext === 'ogx') return typeOfBytes('ogv', 'video/ogg');
    const byBox = !result || result.ext === 'mp4' ? typeOfFirstBox(head) : undefined;
    return byBox ?? (result && typeOfBytes(result.ext, result.mime));
  } catch (error) {
    if (isSystemError(error)) throw error;
    // The file begins with the signature of a type, but the parser of that type failed on the rest.
    return undefined;
  }
}

/**
 * An open file as a Blob, so that detection can skip parts. The path is not opened again: it may be another file by
 * now.
 */
class FileBlob extends Blob {
  override readonly size: number;
  readonly #handle: FileHandle;
  readonly #start: number;

  constructor(handle: FileHandle, start: number, end: number) {
    super([]);
    this.size = Math.max(0, end - start);
    this.#handle = handle;
    this.#start = start;
  }

  override slice(start = 0, end = this.size): Blob {
    return new FileBlob(this.#handle, this.#start + start, this.#start + Math.min(end, this.size));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await readAt(this.#handle, this.#start, this.size);
    return bytes.buffer.slice(0, bytes.length);
  }
}

/** The type of ISO media that detection does not know, or takes for a film because it does not know the brand. */
function typeOfFirstBox(head: Uint8Array): MediaType | undefined {
  const box = Buffer.from(head.subarray(4, 64)).toString('latin1');
  if (/^(?:skip|pnot)/.test(box)) return typeOfName('.mov');
  if (/^(?:styp|moof|sidx)/.test(box)) return typeOfName('.mp4');
  // Every HEIF image names one of these among its brands. A brand has four characters, after the name of the box.
  return /^ftyp(?!iso|mp4)(?:.{4})*(?:mif[12]|msf1|miaf)/s.test(box) ? typeOfName('.heif') : undefined;
}

/** The byte order marks of UTF-16. */
const UTF_16: ReadonlyMap<string, string> = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]);

/** The text that the bytes are in UTF-8 or a similar encoding, or in UTF-16. Undefined if they are no text. */
function textOf(head: Uint8Array): string | undefined {
  const encoding = UTF_16.get(Buffer.from(head.subarray(0, 2)).toString('hex'));
  if (encoding === undefined) return head.some(isControl) ? undefined : new TextDecoder().decode(head);
  // The last character may be cut off, but any other that is not valid shows that the bytes are no text.
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  return /\ufffd/.test(text) || Array.from(text).some((each) => isControl(each.charCodeAt(0))) ? undefined : text;
}

function isControl(character: number): boolean {
  return character < 0x20 && !(character >= 0x08 && character <= 0x0d) && character !== 0x1b;
}

const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^]*?\]\s*)?>)/i;
const ELEMENT = /^<(?:[\w.-]+:)?([a-z][\w-]*)(?=[\s/>])/i;

/** The extension for a text file. In markup, the first element decides. */
function extensionOfText(text: string): string {
  let rest = text.trimStart();
  if (rest.startsWith('{\\rtf')) return 'rtf';
  if (rest.startsWith('%!PS')) return 'ps';
  for (let prolog = PROLOG.exec(rest); prolog; prolog = PROLOG.exec(rest)) rest = rest.slice(prolog[0].length);
  const root = ELEMENT.exec(rest)?.[1]?.toLowerCase();
  return root === 'svg' || root === 'html' ? root : 'txt';
}

/** Matches only a whole file. Otherwise a file with a pointer and other text would count as a pointer. */
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n(?<extensions>(?:ext-\d-[\w.-]+ sha256:[0-9a-f]{64}\r?\n)*)oid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;

function parsePointer(path: string, text: string): LfsPointer | undefined {
  const { extensions, sha256, size } = POINTER.exec(text)?.groups ?? {};
  return sha256 === undefined ? undefined : { path, sha256: extensions === '' ? sha256 : '', size: Number(size) };
}
