import { open, truncate } from 'node:fs/promises';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { readAt } from '../../src/media/file.ts';
import { sniff } from '../../src/media/sniff.ts';
import { it } from '../harness/fixtures.ts';
import { asf, ftyp, MP3_FRAME, zip } from './bytes.ts';

const SIZE = 2 * 1024 ** 3;

const TAG = Buffer.from('ID3\x03\0\0\x08\0\0\0', 'latin1');
const LONG_TAG = Buffer.concat([TAG, Buffer.alloc(16 * 1024 ** 2), MP3_FRAME]);

it.for<[name: string, bytes: Uint8Array, extension: string]>([
  ['a.mp4', ftyp('isom'), 'mp4'],
  ['a.wmv', asf('video'), 'asf'],
  ['a.docx', zip({ 'a.bin': 'x', 'b.bin': 'y' }), 'zip'],
  ['tagged.mp3', LONG_TAG, 'mp3'],
])('reads little of a large %s', async ([name, bytes, extension], { makeFolder }) => {
  const file = path.join(await makeFolder({ [name]: bytes }), name);
  await truncate(file, SIZE);
  const handle = await open(file);
  try {
    const reads = vi.spyOn(handle, 'read');
    const { types } = await sniff(name, handle, SIZE);
    expect(types[0]?.extension).toBe(extension);
    const sizes = await Promise.all(reads.mock.results.map(async (result) => (await result.value).bytesRead));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThanOrEqual(64 * 1024);
    expect(total).toBeLessThan(2 * 1024 ** 2);
  } finally {
    await handle.close();
  }
});

it('a piece is read to its end, however little the disk gives at once', async ({ makeFolder }) => {
  await using handle = await open(path.join(await makeFolder({ a: '0123456789' }), 'a'));
  const read = handle.read.bind(handle);
  const slowly = async (buffer: Uint8Array, offset: number, length: number, position: number) =>
    await read(buffer, offset, Math.min(length, 3), position);
  expect(Buffer.from(await readAt(Object.assign(handle, { read: slowly }), 2, 7)).toString()).toBe('2345678');
});

it('a disk that fails is not taken for bytes of no known type', async ({ makeFolder }) => {
  await using handle = await open(path.join(await makeFolder({ a: MP3_FRAME }), 'a'));
  const error = Object.assign(new Error('EIO'), { syscall: 'read', code: 'EIO' });
  const broken = Object.assign(handle, { read: async () => await Promise.reject(error) });
  await expect(sniff('a', broken, MP3_FRAME.length)).rejects.toBe(error);
});
