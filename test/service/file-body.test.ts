import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StreamedBody } from '../../src/http/http.ts';
import { GateError } from '../../src/lib/cause.ts';
import { type MediaFile, stampOf } from '../../src/media/file.ts';
import {
  formBody,
  MAX_BYTES_IN_FLIGHT,
  makePieceBuffers,
  type PieceBuffers,
  plainBody,
} from '../../src/service/file-body.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const NOTHING = Buffer.alloc(0);
const BYTES = Buffer.from('\0bytes\r\n--boundary--');
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let file: MediaFile;
let buffers: PieceBuffers;
beforeEach(async () => {
  workspace = await makeWorkspace({ 'a.png': BYTES });
  file = await fileAt('a.png');
  buffers = makePieceBuffers(64);
});
afterEach(async () => {
  await workspace.remove();
});

async function fileAt(name: string): Promise<MediaFile> {
  const absolutePath = path.join(workspace.path, name);
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  return { path: name, absolutePath, sha256: '', type, stamp: stampOf(await stat(absolutePath)) };
}

const pieceBytes = ([buffer]: PieceBuffers): number => buffer?.length ?? 0;

async function read(body: StreamedBody): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

it('bytes: all of them, with their length', async () => {
  const { headers, body } = plainBody(file, buffers);
  expect(headers).toEqual({ 'content-length': String(BYTES.length), 'content-type': 'image/png' });
  expect(await read(body)).toEqual(BYTES);
});

it('a form: one part named file, under the name it is given, with the length of the whole', async () => {
  const { headers, body } = formBody(file, 'a-b.png', buffers);
  const sent = await read(body);
  expect(headers['content-length']).toBe(String(sent.length));
  const form = await new Response(sent, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  const part = form.get('file');
  if (!(part instanceof File)) throw new Error('The part is no file.');
  expect([...form.keys()]).toEqual(['file']);
  expect([part.name, part.type]).toEqual(['a-b.png', 'image/png']);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(BYTES);
});

describe('a file of several pieces', () => {
  beforeEach(async () => {
    await writeFile(file.absolutePath, randomBytes(5 * pieceBytes(buffers) + 1));
    file = await fileAt('a.png');
  });

  it('arrives whole, as it is and in a form', async () => {
    const bytes = await readFile(file.absolutePath);
    expect((await read(plainBody(file, buffers).body)).equals(bytes)).toBe(true);
    expect((await read(formBody(file, 'x', buffers).body)).includes(bytes)).toBe(true);
  });

  it('uses four buffers in turn, and the next file uses them again', async () => {
    const memory: ArrayBufferLike[] = [];
    for (const { body } of [plainBody(file, buffers), plainBody(file, buffers)]) {
      for await (const piece of body) memory.push(piece.buffer);
    }
    expect(memory).toHaveLength(12);
    expect(new Set(memory).size).toBe(4);
    // Not `toEqual`: it would compare every byte.
    expect(memory.slice(4, 6).every((buffer, index) => buffer === memory[index])).toBe(true);
  });

  it('reads the next piece while one is being sent, and not into its buffer', async () => {
    const bytes = await readFile(file.absolutePath);
    const { body } = plainBody(file, buffers);
    const iterator = body[Symbol.asyncIterator]();
    const [first, second] = [await iterator.next(), await iterator.next()];
    await iterator.next();
    await body.return();
    // Both pieces are intact although the two after them were read meanwhile.
    const size = pieceBytes(buffers);
    expect(bytes.subarray(0, size).equals(first.value ?? NOTHING)).toBe(true);
    expect(bytes.subarray(size, 2 * size).equals(second.value ?? NOTHING)).toBe(true);
  });

  it('that becomes shorter while it is sent is an error that names it', async () => {
    const { body } = plainBody(file, buffers);
    const iterator = body[Symbol.asyncIterator]();
    await iterator.next();
    await truncate(file.absolutePath, 10);
    const rest = (async () => {
      while (!(await iterator.next()).done);
    })();
    await expect(rest).rejects.toThrow('a.png: The file changed while it was being checked');
    await body.return();
  });
});

it('with more uploads the pieces are smaller: together they stay below the limit', () => {
  const KIB = 1024;
  expect([1, 8, 9, 16, 64].map((uploads) => pieceBytes(makePieceBuffers(uploads)))).toEqual([
    512 * KIB,
    512 * KIB,
    Math.floor((4096 * KIB) / 9),
    256 * KIB,
    64 * KIB,
  ]);
  for (let uploads = 1; uploads <= 64; uploads += 1)
    expect(4 * uploads * pieceBytes(makePieceBuffers(uploads))).toBeLessThanOrEqual(MAX_BYTES_IN_FLIGHT);
});

describe('a file that is no longer what was inspected is not sent', () => {
  it.each<[string, () => Promise<void>]>([
    ['longer', async () => await appendFile(file.absolutePath, 'more')],
    ['other bytes of the same length', async () => await writeFile(file.absolutePath, Buffer.alloc(BYTES.length))],
    ['gone', async () => await rm(file.absolutePath)],
    [
      'a link',
      async () => {
        await writeFile(`${file.absolutePath}.real`, BYTES);
        await rm(file.absolutePath);
        await symlink(`${file.absolutePath}.real`, file.absolutePath);
      },
    ],
  ])('%s', async (_, change) => {
    await change();
    await expect(read(plainBody(file, buffers).body)).rejects.toThrow(GateError);
    await expect(read(formBody(file, 'x', buffers).body)).rejects.toThrow(
      'The file changed while it was being checked',
    );
  });
});
