import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Http } from '../../src/http/http.ts';
import type { SendableContent } from '../../src/media/content.ts';
import { stampOf } from '../../src/media/file.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { upload } from '../../src/service/upload.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { clientOf, content, response } from './things.ts';

/** Uploads two files at the same time. */
async function uploaded(send: Http['send']) {
  await using workspace = await makeWorkspace({ a: 'a', b: 'b' });
  const contents = await Promise.all(
    ['a', 'b'].map(async (name): Promise<SendableContent> => {
      const absolutePath = path.join(workspace.path, name);
      const stamp = stampOf(await stat(absolutePath));
      const one = content(name);
      return { ...one, size: stamp.size, file: { ...one.file, absolutePath, stamp } };
    }),
  );
  const { log } = clientOf(() => response(200));
  const access = { apiKey: 'sk_live_0', mode: 'live', baseUrl: 'https://service.example' } as const;
  const http: Http = { send, close: async () => undefined };
  const client = new ServiceClient({ access, http, userAgent: 'test', log });
  const deadline = { signal: new AbortController().signal, until: Date.now() + 600_000 };
  return await upload(contents, { concurrency: 2, client, http, log, baseUrl: access.baseUrl }, deadline);
}

it('a failure that ends the run stops the uploads under way', async () => {
  const ends: string[] = [];
  const other = Promise.withResolvers<void>();
  const sending = uploaded(async ({ signal }) => {
    if (ends.push('started') === 1) {
      await other.promise;
      return response(401);
    }
    other.resolve();
    const stopped = once(signal, 'abort').then(() => 'stopped');
    ends.push(await Promise.race([stopped, setTimeout(2_000, 'answered')]));
    return response(503);
  });
  await expect(sending).rejects.toMatchObject({ status: 401 });
  expect(ends).toEqual(['started', 'started', 'stopped']);
});
