import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import type { SendableContent } from '../../src/media/content.ts';
import { createClient } from '../../src/service/client.ts';
import { uploadAll } from '../../src/service/upload.ts';
import { content } from '../builders/media.ts';
import { ACCESS, connectionTo, deadlineIn, response } from '../builders/service.ts';
import { it } from '../harness/fixtures.ts';

async function uploadOn(connected: ReturnType<typeof connectionTo>, contents: readonly SendableContent[]) {
  const client = createClient({ access: ACCESS, ...connected });
  return await uploadAll(contents, { client, log: connected.log, deadline: deadlineIn(10) });
}

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
  const contents = [content('a'), content('b')];
  await expect(uploadOn(connected, contents)).rejects.toMatchObject({ failureClass: 'wrong key' });
  expect(ends).toEqual(['stopped']);
});

it('a file that changed and every file that is refused are reported together', async () => {
  const connected = connectionTo(async ({ body }, index) => {
    if (index === 0 && typeof body === 'object') await body.next();
    return response(415);
  });
  await expect(uploadOn(connected, [content('changed'), content('refused')])).rejects.toMatchObject({
    causes: expect.arrayContaining([
      expect.objectContaining({ reason: 'pre-flight', path: 'changed' }),
      expect.objectContaining({ reason: 'refused', path: 'refused' }),
    ]),
  });
});

it('an outage hides no refusal, which `on-service-error: warn` would not forgive', async () => {
  const connected = connectionTo((_, index) => {
    if (index > 0) throw new ConnectionError('the proxy refused it', 'no access');
    return response(415);
  });
  const uploading = uploadOn(connected, [content('refused'), content('later')]);
  const causes = [{ reason: 'refused', path: 'refused' }, { reason: 'bad-input' }];
  await expect(uploading).rejects.toMatchObject({ causes });
});

it.for([429, 401])('a %d of the storage is no refusal of a file, and ends the uploads', async (status) => {
  const connected = connectionTo(({ method }) =>
    method === 'POST'
      ? response(200, { uploadUrl: 'https://storage.example/b', blobPath: 'ws/b' })
      : response(status, {}, '9999'),
  );
  const large = await Promise.all(['a', 'b'].map(async (name) => ({ ...content(name), size: 10_000_001 })));
  await expect(uploadOn(connected, large)).rejects.toMatchObject({ failure: { status } });
  expect(connected.sent.filter(({ method }) => method === 'PUT')).toHaveLength(2);
});

it('the largest files are sent first, and each is logged', async () => {
  const connected = connectionTo(({ method }, index) =>
    response(201, method === 'POST' ? { uploadUrl: 'https://storage.example/x', blobPath: `ws/${index}` } : {}),
  );
  const sizes = { small: 11_000_000, large: 13_000_000, middle: 12_000_000 };
  const contents = Object.entries(sizes).map(async ([name, size]) => ({ ...content(name), size }));
  const uploads = await uploadOn(connected, await Promise.all(contents));
  expect(connected.lines).toEqual([
    '[1/3] large: uploaded, 13 MB',
    '[2/3] middle: uploaded, 12 MB',
    '[3/3] small: uploaded, 11 MB',
  ]);
  const stored = uploads.map(({ content: { paths }, blobPath }) => `${paths[0]} ${blobPath}`);
  expect(stored).toEqual(['large ws/0', 'middle ws/1', 'small ws/2']);
});

const ADDRESS = { uploadUrl: `https://storage.example/x?sig=${'s'.repeat(16)}`, blobPath: 'ws/a' };

// biome-ignore format: a table
it.for<[string, number, [address: object, direct: number, ...puts: number[]], sent: string, string?, stored?: number]>([
  ['of 10 MB', 10_000_000, [ADDRESS, 201], 'direct'],
  ['above 10 MB', 10_000_001, [ADDRESS, 500, 201], 'url x'],
  ['that is too large for a direct upload', 10, [ADDRESS, 413, 201], 'direct url x'],
  ['whose address is refused by chance', 10_000_001, [ADDRESS, 500, 403, 201], 'url x url x'],
  ['whose address is refused', 10_000_001, [ADDRESS, 500, 403, 403], 'url x url x', 'responded with 403'],
  ['that the storage refuses', 10_000_001, [ADDRESS, 500, 400], 'url x', 'responded with 400'],
  ['of which a part is stored', 10, [ADDRESS, 201], 'direct', 'stored 9 bytes of a file of 10', 9],
  ['of which more is stored', 10, [ADDRESS, 201], 'direct', 'stored 11 bytes of a file of 10', 11],
])('a file %s', async ([, size, [address, direct, ...puts], requests, problem, sizeBytes = size]) => {
  const connected = connectionTo(({ method, url }) => {
    if (method === 'PUT') return response(puts.shift() ?? 500);
    return url.endsWith('/url') ? response(200, address) : response(direct, { blobPath: 'ws/a', sizeBytes });
  });
  const uploading = uploadOn(connected, [{ ...(content('a')), size }]);
  const causes = [{ reason: 'refused', path: 'a', message: expect.stringContaining(problem ?? '') }];
  if (problem === undefined) expect(await uploading).toMatchObject([{ blobPath: 'ws/a' }]);
  else await expect(uploading).rejects.toMatchObject({ causes });
  expect(connected.sent.map(({ url }) => new URL(url).pathname.split('/').at(-1)).join(' ')).toBe(requests);
  expect(connected.masks.includes('s'.repeat(16))).toBe(requests.includes('url'));
});
