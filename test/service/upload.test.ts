import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { stampOf } from '../../src/media/file.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { upload } from '../../src/service/upload.ts';
import { ACCESS, connectionTo, content, deadlineIn, response } from './things.ts';

it('a failure that ends the run stops the uploads under way', async () => {
  const ends: string[] = [];
  const other = Promise.withResolvers<void>();
  const connected = connectionTo(async ({ signal }, index) => {
    if (index === 0) {
      await other.promise;
      return response(401);
    }
    other.resolve();
    const stopped = once(signal, 'abort').then(() => 'stopped');
    ends.push(await Promise.race([stopped, setTimeout(2_000, 'answered')]));
    return response(503);
  });
  const absolutePath = import.meta.filename;
  const stamp = stampOf(await stat(absolutePath));
  const contents = ['a', 'b'].map(content).map((each) => ({ ...each, file: { ...each.file, absolutePath, stamp } }));
  const client = new ServiceClient({ access: ACCESS, userAgent: 'gate', ...connected });
  const options = { concurrency: 2, client, ...connected, baseUrl: ACCESS.baseUrl };
  await expect(upload(contents, options, deadlineIn(10))).rejects.toMatchObject({ status: 401 });
  expect(ends).toEqual(['stopped']);
});
