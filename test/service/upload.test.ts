import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { createHttp } from '../../src/http/create-http.ts';
import type { Http } from '../../src/http/http.ts';
import type { Log } from '../../src/lib/log.ts';
import type { SendableContent } from '../../src/media/content.ts';
import { stampOf } from '../../src/media/file.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { MAX_BYTES_IN_FLIGHT, makePieceBuffers } from '../../src/service/file-body.ts';
import { UploadQueue, upload } from '../../src/service/upload.ts';
import { startProxy } from '../harness/proxy.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const ignore = (): void => undefined;
const log: Log = { info: ignore, notice: ignore, warning: ignore, group: async (_, work) => await work() };

const MAX = 10;

function content(size: number): SendableContent {
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  const file = { path: 'a', absolutePath: '/a', sha256: 'a', type, stamp: { size, mtimeMs: 0, ino: 0 } };
  return { sha256: 'a', size, category: 'image', paths: ['a'], file, name: 'a' };
}

function queueOf(lanes: number, ...sizes: readonly number[]): UploadQueue {
  return new UploadQueue(sizes.map(content), lanes, MAX);
}

const take = (queue: UploadQueue, ...lanes: readonly number[]): readonly (number | undefined)[] =>
  lanes.map((lane) => queue.next(lane)?.size);

it('the first half of the lanes starts with the large files, largest first, the others with the small ones', () => {
  expect(take(queueOf(4, 1, 20, 2, 40, 3, 30), 0, 1, 2, 3)).toEqual([40, 30, 1, 2]);
});

it('a small file never waits for large ones, however many there are', () => {
  const queue = queueOf(8, ...Array<number>(20).fill(50), 7);
  expect(take(queue, 0, 1, 2, 3, 4)).toEqual([50, 50, 50, 50, 7]);
});

it('a lane without files of its kind takes the other kind', () => {
  expect(take(queueOf(2, 1, 2, 20), 0, 0, 0, 0)).toEqual([20, 1, 2, undefined]);
  expect(take(queueOf(2, 1, 20, 30), 1, 1, 1, 1)).toEqual([1, 30, 20, undefined]);
});

it('one lane takes the large ones first', () => {
  expect(take(queueOf(1, 1, 20, 2), 0, 0, 0)).toEqual([20, 1, 2]);
});

it('a file of exactly the limit is small', () => {
  expect(take(queueOf(2, MAX + 1, MAX), 1, 1)).toEqual([MAX, MAX + 1]);
});

describe('files that are larger than the limit together', () => {
  const FILES = 80;
  const BYTES = 300_000;
  const UPLOADS = 64;

  it.each(['directly', 'through a proxy'])('are sent whole within it, %s', async (way) => {
    const bytes = Array.from({ length: FILES }, (_, index) => Buffer.alloc(BYTES, `file ${index} `));
    await using workspace = await makeWorkspace(Object.fromEntries(bytes.map((each, index) => [`${index}.png`, each])));
    await using proxy = await startProxy();
    const contents = await Promise.all(bytes.map(async (each, index) => await contentAt(workspace.path, index, each)));
    const emulator = await startEmulator();
    const service = emulator.workspace();
    const http = createHttp(way === 'directly' ? {} : { HTTP_PROXY: proxy.url });
    const baseUrl = `${emulator.baseUrl}/api/integrations`;
    const client = new ServiceClient({
      access: { apiKey: service.key, mode: 'live', baseUrl },
      http,
      userAgent: 'test',
      log,
    });
    const [{ length: pieceBytes } = Buffer.alloc(0)] = makePieceBuffers(UPLOADS);
    const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow');
    try {
      const deadline = { signal: new AbortController().signal, until: Date.now() + 600_000 };
      await upload(contents, { concurrency: UPLOADS, client, http, log, baseUrl }, deadline);

      // Other code allocates memory as well, but smaller pieces.
      const taken = allocations.mock.calls.map(([size]) => size).filter((size) => size >= pieceBytes);
      expect(taken.length).toBeGreaterThan(UPLOADS);
      expect(taken.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES_IN_FLIGHT);
      const stored = (await service.blobs()).map(({ sha256 }) => sha256);
      expect(stored.toSorted()).toEqual(contents.map(({ sha256 }) => sha256).toSorted());
      expect(proxy.asked.length > 0).toBe(way !== 'directly');
    } finally {
      allocations.mockRestore();
      await http.close();
      await emulator.close();
    }
  });
});

it('a failure that ends the run stops the uploads under way', async () => {
  const bytes = ['a', 'b'].map((text) => Buffer.from(text));
  await using workspace = await makeWorkspace({ '0.png': 'a', '1.png': 'b' });
  const contents = await Promise.all(bytes.map(async (each, index) => await contentAt(workspace.path, index, each)));
  const baseUrl = 'https://service.example/api/integrations';
  const ends: string[] = [];
  const other = Promise.withResolvers<void>();
  const http: Http = {
    send: async ({ signal }) => {
      if (ends.push('started') === 1) {
        await other.promise;
        return { status: 401, text: '{}', retryAfter: undefined, location: undefined };
      }
      other.resolve();
      const stopped = once(signal, 'abort').then(() => 'stopped');
      ends.push(await Promise.race([stopped, setTimeout(2_000, 'answered')]));
      return { status: 503, text: '', retryAfter: undefined, location: undefined };
    },
    close: async () => undefined,
  };
  const access = { apiKey: 'sk_live_0', mode: 'live', baseUrl } as const;
  const client = new ServiceClient({ access, http, userAgent: 'test', log });
  const deadline = { signal: new AbortController().signal, until: Date.now() + 600_000 };
  await expect(upload(contents, { concurrency: 2, client, http, log, baseUrl }, deadline)).rejects.toMatchObject({
    status: 401,
  });
  expect(ends).toEqual(['started', 'started', 'stopped']);
});

async function contentAt(folder: string, index: number, bytes: Buffer): Promise<SendableContent> {
  const name = `${index}.png`;
  const absolutePath = path.join(folder, name);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  const file = { path: name, absolutePath, sha256, type, stamp: stampOf(await stat(absolutePath)) };
  return { sha256, size: bytes.length, category: 'image', paths: [name], file, name };
}
