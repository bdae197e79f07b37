import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { expect, vi } from 'vitest';
import type { Payload, StreamedBody } from '../../src/http/http.ts';
import { formBody, type MediaFile, plainBody, stampOf } from '../../src/media/file.ts';
import { it as base } from '../harness/fixtures.ts';

/** The size of each of the four buffers of an upload. */
const PIECE = 512 * 1024;
const BYTES = randomBytes(5 * PIECE + 1);
const CHANGED = /^a\.png: (?:The file changed while it was being checked|It cannot be read)/;

const it = base.extend('file', async ({ makeFolder }): Promise<MediaFile> => {
  const absolutePath = path.join(await makeFolder({ 'a.png': BYTES }), 'a.png');
  const type = { mime: 'image/png', extension: 'png', category: 'image', family: 'png' } as const;
  const stats = await fs.stat(absolutePath);
  return { path: 'a.png', absolutePath, sha256: '', type, size: stats.size, stamp: stampOf(stats) };
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

it('bytes: all of them, with their length', async ({ file }) => {
  const payload = plainBody(file);
  expect(payload.headers).toEqual({ 'content-length': String(BYTES.length), 'content-type': 'image/png' });
  expect((await read(payload)).equals(BYTES)).toBe(true);
});

it('a form: one part named file, under the name it is given, with the length of the whole', async ({ file }) => {
  const payload = formBody(file, 'a-b.png');
  const sent = await read(payload);
  expect(payload.headers['content-length']).toBe(String(sent.length));
  const form = await new Response(sent, { headers: payload.headers }).formData();
  const part = form.get('file');
  if (!(part instanceof File)) throw new Error('The part is no file.');
  expect([...form.keys()]).toEqual(['file']);
  expect([part.name, part.type]).toEqual(['a-b.png', 'image/png']);
  expect(Buffer.from(await part.arrayBuffer()).equals(BYTES)).toBe(true);
});

it('four buffers are used in turn: a piece is intact until three more were requested', async ({ file }) => {
  const body = streamOf(plainBody(file));
  const pieces = [];
  for (let index = 0; index < 3; index += 1) pieces.push((await body.next()).value ?? new Uint8Array());
  await body.return();
  for (const [index, piece] of pieces.entries())
    expect(BYTES.subarray(index * PIECE, (index + 1) * PIECE).equals(piece)).toBe(true);
  expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(3);
});

it('a piece stays intact if the disk returns less than was asked for', async ({ file }) => {
  await fs.truncate(file.absolutePath, 1000);
  const stats = await fs.stat(file.absolutePath);
  const handle = await fs.open(file.absolutePath);
  await handle.close();
  const shared: { readonly read: (...args: readonly unknown[]) => unknown } = Object.getPrototypeOf(handle);
  const readAll = shared.read;
  const short = vi.spyOn(shared, 'read');
  short.mockImplementation(function (this: unknown, buffer, offset, length, position) {
    return Reflect.apply(readAll, this, [buffer, offset, Math.min(Number(length), 400), position]);
  });
  const body = streamOf(plainBody({ ...file, size: stats.size, stamp: stampOf(stats) }));
  const pieces = [await body.next(), await body.next(), await body.next()].map(
    ({ value }) => value ?? new Uint8Array(),
  );
  await body.return();
  short.mockRestore();
  expect(Buffer.concat(pieces).equals(BYTES.subarray(0, 1000))).toBe(true);
});

async function replaceWithCopy(file: string): Promise<void> {
  const { atime, mtime } = await fs.stat(file);
  await fs.copyFile(file, `${file}.new`);
  await fs.utimes(`${file}.new`, atime, mtime);
  await fs.rename(`${file}.new`, file);
}

it.for<[string, (path: string) => Promise<void>]>([
  ['longer', async (file) => await fs.appendFile(file, 'more')],
  ['other bytes of the same length', async (file) => await fs.writeFile(file, Buffer.alloc(BYTES.length))],
  ['a copy with the same times', replaceWithCopy],
  ['deleted', async (file) => await fs.rm(file)],
  ['a pipe', async (file) => await fs.rm(file).then(() => void execFileSync('mkfifo', [file]))],
  ['a link', async (file) => await fs.rename(file, `${file}.real`).then(() => fs.symlink(`${file}.real`, file))],
])('a file that is no longer what was inspected is not sent: %s', async ([, change], { file }) => {
  await change(file.absolutePath);
  for (const payload of [plainBody(file), formBody(file, 'x')]) await expect(read(payload)).rejects.toThrow(CHANGED);
});

it.for<[string, (path: string) => Promise<void>]>([
  ['longer', async (file) => await fs.appendFile(file, 'more')],
  ['shorter', async (file) => await fs.truncate(file, 10)],
])('a file that becomes %s while it is sent is an error', async ([, change], { file }) => {
  const body = streamOf(plainBody(file));
  const { value: first } = await body.next();
  await change(file.absolutePath);
  await expect(read({ headers: {}, body })).rejects.toThrow(CHANGED);
  expect(first?.length).toBe(PIECE);
});

async function countOpen(): Promise<number> {
  return (await fs.readdir('/dev/fd')).length;
}

it('a file is closed at the end: sent whole, in part or not at all', async ({ file }) => {
  const changed = { ...file, stamp: 'another' };
  const before = await countOpen();
  for (let turn = 0; turn < 20; turn += 1) {
    await read(plainBody(file));
    const body = streamOf(plainBody(file));
    await body.next();
    await body.return();
    await expect(read(plainBody(changed))).rejects.toThrow(CHANGED);
  }
  expect((await countOpen()) - before).toBeLessThan(20);
});
