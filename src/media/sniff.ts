import { openAsBlob } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { fileTypeFromBlob } from 'file-type';
import { type Cause, FILE, forOwner, GateError } from '../causes/cause.ts';
import type { FoundFile } from './file.ts';
import { type MediaType, typeOfBytes, typeOfName } from './media-types.ts';

/** The small text file that Git LFS leaves in the workspace if it did not download the content. */
export interface LfsPointer {
  readonly path: string;
  /** The hash of the content. */
  readonly sha256: string;
  readonly size: number;
  /** The type that the name stands for. Undefined if the extension is not in our table. */
  readonly type: MediaType | undefined;
}

/** Reports a pointer whose content no earlier run has analysed. */
export function pointerProblem(path: string): Cause {
  const message = 'The file is a Git LFS pointer: its content was not checked out.';
  const fix = `To check out ${FILE}, set \`lfs: true\` in the \`actions/checkout\` step, commit and push. A re-run alone is not enough.`;
  return { ...forOwner('pre-flight', message, fix), path };
}

/** Enough for every type. An SVG file may have a long prolog before its root element; others need far fewer bytes. */
const HEAD_BYTES = 64 * 1024;

/** Limits how much detection reads at once. A file that makes detection read more is damaged. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** What the bytes show: a pointer, a type, or nothing. Reads little of a large file. Throws for an unknown pointer. */
export async function sniff(
  { path, absolutePath }: FoundFile,
  handle: FileHandle,
): Promise<{ readonly pointer?: LfsPointer; readonly type?: MediaType | undefined }> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  // A text is not compared with signatures: it may begin with "ID3" or "BM", which are signatures of media types.
  if (head.some(isControl)) return { type: await detect(absolutePath) };
  const text = new TextDecoder().decode(head);
  const pointer = parsePointer(path, text);
  return pointer ? { pointer } : { type: typeOfBytes(extensionOfText(text), 'text/plain') };
}

const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;

async function detect(absolutePath: string): Promise<MediaType | undefined> {
  try {
    const result = await fileTypeFromBlob(await openAsBlob(absolutePath), { maxBufferSize: MAX_READ_BYTES });
    // `ogx` means that detection does not know the first stream of an Ogg file. The file may be a video.
    return result?.ext === 'ogx' ? typeOfBytes('ogv', 'video/ogg') : result && typeOfBytes(result.ext, result.mime);
  } catch {
    // The file begins with the signature of a type, but the parser of that type failed on the rest.
    return undefined;
  }
}

const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^]*?\]\s*)?>)/i;
const ELEMENT = /^<(?:[\w.-]+:)?([a-z][\w-]*)(?=[\s/>])/i;
/** The extension for a text file. In markup, the first element decides. */
function extensionOfText(text: string): string {
  let rest = text.trimStart();
  if (rest.startsWith('{\\rtf')) return 'rtf';
  if (rest.startsWith('%!PS')) return 'ps';
  // PDF readers ignore lines before the header.
  if (/^%PDF-\d/m.test(text.slice(0, 1024))) return 'pdf';
  for (let prolog = PROLOG.exec(rest); prolog; prolog = PROLOG.exec(rest)) rest = rest.slice(prolog[0].length);
  const root = ELEMENT.exec(rest)?.[1]?.toLowerCase();
  return root === 'svg' || root === 'html' ? root : 'txt';
}

/** Matches only a whole file. Otherwise a file with a pointer and other bytes would have the result of the pointer. */
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\noid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;

function parsePointer(path: string, text: string): LfsPointer | undefined {
  if (!text.startsWith('version https://git-lfs')) return undefined;
  const { sha256, size } = POINTER.exec(text)?.groups ?? {};
  if (sha256 === undefined) throw new GateError(pointerProblem(path));
  return { path, sha256, size: Number(size), type: typeOfName(path) };
}
