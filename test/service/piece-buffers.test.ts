import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { createHttp } from '../../src/http/create-http.ts';
import type { Log } from '../../src/lib/log.ts';
import type { SendableContent } from '../../src/media/content.ts';
import { stampOf } from '../../src/media/stamp.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { BYTES_IN_FLIGHT, PieceBuffers } from '../../src/service/piece-buffers.ts';
import { upload } from '../../src/service/upload.ts';
import { startProxy } from '../harness/proxy.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const KIB = 1024;
const ignore = (): void => undefined;
const log: Log = { info: ignore, notice: ignore, warning: ignore, group: async (_, work) => await work() };

it('the more uploads, the smaller their pieces: all together never hold more than the limit', () => {
  expect([1, 8, 9, 16, 64].map((uploads) => new PieceBuffers(uploads).pieceBytes)).toEqual([
    512 * KIB,
    512 * KIB,
    Math.floor((4096 * KIB) / 9),
    256 * KIB,
    64 * KIB,
  ]);
  for (let uploads = 1; uploads <= 64; uploads += 1)
    expect(4 * uploads * new PieceBuffers(uploads).pieceBytes).toBeLessThanOrEqual(BYTES_IN_FLIGHT);
});

it('what was given back is used again, and nothing else', () => {
  const buffers = new PieceBuffers(64);
  const [first, second] = [buffers.take(), buffers.take()];
  buffers.giveBack(first);
  const [third, fourth] = [buffers.take(), buffers.take()];
  // Not `toBe`: it would print every byte of the two.
  expect([third === first, fourth === first, fourth === second]).toEqual([true, false, false]);
});

describe('files that are larger than the limit together', () => {
  const FILES = 80;
  const BYTES = 300_000;
  const UPLOADS = 64;

  it.each(['straight', 'through a proxy'])('are sent whole within it, %s', async (way) => {
    const bytes = Array.from({ length: FILES }, (_, index) => Buffer.alloc(BYTES, `file ${index} `));
    await using workspace = await makeWorkspace(Object.fromEntries(bytes.map((each, index) => [`${index}.png`, each])));
    await using proxy = await startProxy();
    const contents = await Promise.all(bytes.map(async (each, index) => await contentAt(workspace.path, index, each)));
    const emulator = await startEmulator();
    const service = emulator.workspace();
    const http = createHttp(way === 'straight' ? {} : { HTTP_PROXY: proxy.url });
    const baseUrl = `${emulator.baseUrl}/api/integrations`;
    const client = new ServiceClient({ apiKey: service.key, mode: 'live', baseUrl }, http, 'test', log);
    const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow');
    try {
      const deadline = { signal: new AbortController().signal, until: Date.now() + 600_000 };
      await upload(contents, UPLOADS, { client, http, log, baseUrl }, deadline);

      const { pieceBytes } = new PieceBuffers(UPLOADS);
      // Others take memory, too, but little at a time.
      const taken = allocations.mock.calls.map(([size]) => size).filter((size) => size >= pieceBytes);
      expect(taken.length).toBeGreaterThan(UPLOADS);
      expect(taken.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BYTES_IN_FLIGHT / 2);
      const stored = (await service.blobs()).map(({ sha256 }) => sha256);
      expect(stored.toSorted()).toEqual(contents.map(({ sha256 }) => sha256).toSorted());
      expect(proxy.asked.length > 0).toBe(way !== 'straight');
    } finally {
      allocations.mockRestore();
      await http.close();
      await emulator.close();
    }
  });
});

async function contentAt(folder: string, index: number, bytes: Buffer): Promise<SendableContent> {
  const name = `${index}.png`;
  const absolutePath = path.join(folder, name);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  const file = { path: name, absolutePath, sha256, type, stamp: stampOf(await stat(absolutePath)) };
  return { sha256, size: bytes.length, paths: [name], file, name };
}
