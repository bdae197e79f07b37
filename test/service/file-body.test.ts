import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Payload, StreamedBody } from '../../src/http/http.ts';
import { type MediaFile, stampOf } from '../../src/media/file.ts';
import { formBody, MAX_BYTES_IN_FLIGHT, makePieceBuffers, plainBody } from '../../src/service/file-body.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const UPLOADS = 64;
/** Of each of the four buffers. */
const PIECE = MAX_BYTES_IN_FLIGHT / 4 / UPLOADS;
const BYTES = randomBytes(5 * PIECE + 1);
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let file: MediaFile;
const buffers = makePieceBuffers(UPLOADS);
beforeEach(async () => {
  workspace = await makeWorkspace({ 'a.png': BYTES });
  const absolutePath = path.join(workspace.path, 'a.png');
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  file = { path: 'a.png', absolutePath, sha256: '', type, stamp: stampOf(await stat(absolutePath)) };
});
afterEach(async () => {
  await workspace.remove();
});

function streamOf({ body }: Payload): StreamedBody {
  if (typeof body === 'string') throw new Error('The body is no stream.');
  return body;
}

async function read(payload: Payload): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of streamOf(payload)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

it('bytes: all of them, with their length', async () => {
  const payload = plainBody(file, buffers);
  expect(payload.headers).toEqual({ 'content-length': String(BYTES.length), 'content-type': 'image/png' });
  expect((await read(payload)).equals(BYTES)).toBe(true);
});

it('a form: one part named file, under the name it is given, with the length of the whole', async () => {
  const payload = formBody(file, 'a-b.png', buffers);
  const sent = await read(payload);
  expect(payload.headers['content-length']).toBe(String(sent.length));
  const form = await new Response(sent, { headers: payload.headers }).formData();
  const part = form.get('file');
  if (!(part instanceof File)) throw new Error('The part is no file.');
  expect([...form.keys()]).toEqual(['file']);
  expect([part.name, part.type]).toEqual(['a-b.png', 'image/png']);
  expect(Buffer.from(await part.arrayBuffer()).equals(BYTES)).toBe(true);
});

it('four buffers are used in turn: a piece is intact until three more were requested', async () => {
  const body = streamOf(plainBody(file, buffers));
  const pieces = [];
  for (let index = 0; index < 3; index += 1) pieces.push((await body.next()).value ?? new Uint8Array());
  await body.return();
  for (const [index, piece] of pieces.entries())
    expect(BYTES.subarray(index * PIECE, (index + 1) * PIECE).equals(piece)).toBe(true);
  expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(3);
});

it('with more uploads the pieces are smaller: together they stay below the limit', () => {
  for (let uploads = 1; uploads <= 64; uploads += 1) {
    const bytes = makePieceBuffers(uploads).reduce((sum, { length }) => sum + length, 0);
    expect(uploads * bytes).toBeLessThanOrEqual(MAX_BYTES_IN_FLIGHT);
  }
});

describe('a file that is no longer what was inspected is not sent', () => {
  it.each<[string, () => Promise<void>]>([
    ['longer', async () => await appendFile(file.absolutePath, 'more')],
    ['other bytes of the same length', async () => await writeFile(file.absolutePath, Buffer.alloc(BYTES.length))],
    ['gone', async () => await rm(file.absolutePath)],
    [
      'a link',
      async () => {
        await writeFile(`${file.absolutePath}.real`, await readFile(file.absolutePath));
        await rm(file.absolutePath);
        await symlink(`${file.absolutePath}.real`, file.absolutePath);
      },
    ],
  ])('%s', async (_, change) => {
    await change();
    for (const payload of [plainBody(file, buffers), formBody(file, 'x', buffers)])
      await expect(read(payload)).rejects.toThrow('a.png: The file changed while it was being checked');
  });

  it('shorter, while it is sent', async () => {
    const body = streamOf(plainBody(file, buffers));
    await body.next();
    await truncate(file.absolutePath, 10);
    await expect(read({ headers: {}, body })).rejects.toThrow('a.png: The file changed while it was being checked');
  });
});
