import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StreamedBody } from '../../src/http/http.ts';
import { GateError } from '../../src/lib/cause.ts';
import type { MediaFile } from '../../src/media/file.ts';
import { stampOf } from '../../src/media/stamp.ts';
import { bytesOf, formWith } from '../../src/service/file-body.ts';
import { PieceBuffers } from '../../src/service/piece-buffers.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const BYTES = Buffer.from('\0bytes\r\n--boundary--');
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let file: MediaFile;
let buffers: PieceBuffers;
beforeEach(async () => {
  workspace = await makeWorkspace({ 'a.png': BYTES });
  file = await fileAt('a.png');
  buffers = new PieceBuffers(64);
});
afterEach(async () => {
  await workspace.remove();
});

async function fileAt(name: string): Promise<MediaFile> {
  const absolutePath = path.join(workspace.path, name);
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  return { path: name, absolutePath, sha256: '', type, stamp: stampOf(await stat(absolutePath)) };
}

async function read(body: StreamedBody): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body.pieces) pieces.push(Buffer.from(piece));
  await body.close();
  return Buffer.concat(pieces);
}

it('bytes: all of them, with their length', async () => {
  const { headers, body } = await bytesOf(file, buffers);
  expect(headers).toEqual({ 'content-length': String(BYTES.length), 'content-type': 'image/png' });
  expect(await read(body)).toEqual(BYTES);
});

it('a form: one part named file, under the name it is given, with the length of the whole', async () => {
  const { headers, body } = await formWith(file, 'a-b.png', buffers);
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
    await writeFile(file.absolutePath, randomBytes(5 * buffers.pieceBytes + 1));
    file = await fileAt('a.png');
  });

  it('arrives whole, as it is and in a form', async () => {
    const bytes = await readFile(file.absolutePath);
    expect((await read((await bytesOf(file, buffers)).body)).equals(bytes)).toBe(true);
    expect((await read((await formWith(file, 'x', buffers)).body)).includes(bytes)).toBe(true);
  });

  it('needs two buffers, and gives them back', async () => {
    const { body } = await bytesOf(file, buffers);
    const memory = new Set<ArrayBufferLike>();
    for await (const piece of body.pieces) memory.add(piece.buffer);
    await body.close();
    expect(memory.size).toBe(2);
    expect(new Set([buffers.take().buffer, buffers.take().buffer])).toEqual(memory);
  });

  it('where it is broken off, keeps its buffers: somebody may still be sending from them', async () => {
    const { body } = await bytesOf(file, buffers);
    const memory: ArrayBufferLike[] = [];
    for await (const piece of body.pieces) {
      memory.push(piece.buffer);
      if (memory.length === 2) break;
    }
    await body.close();
    expect(memory).not.toContain(buffers.take().buffer);
    expect(memory).not.toContain(buffers.take().buffer);
  });
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
    await expect(bytesOf(file, buffers)).rejects.toThrow(GateError);
    await expect(formWith(file, 'x', buffers)).rejects.toThrow('The file changed while it was being checked');
  });
});
