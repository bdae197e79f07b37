import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { mp4, png } from '../harness/media.ts';
import { startAzureStorage } from './azure-storage.ts';

const it = base
  .extend('storage', { scope: 'file' }, async ({}) => await startAzureStorage())
  .extend('emulator', { scope: 'file' }, async ({ storage }, { onCleanup }) => {
    const emulator = await startEmulator({ storage });
    onCleanup(async () => await emulator.close());
    return emulator;
  });

it('a presigned upload arrives whole, without the key of the service', async ({ storage, startSeries }) => {
  const film = mp4('film', 12_000_000);
  const series = await startSeries({ 'film.mp4': film, 'logo.png': png('l') });
  const run = await series.run();
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '2' });
  const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-length': '12000000' };
  expect(storage.requests).toEqual([{ method: 'PUT', status: 201, headers: expect.objectContaining(headers) }]);
  const sent = Object.keys(storage.requests[0]?.headers ?? {});
  expect(sent.filter((name) => /x-api-key|authorization|transfer-encoding/.test(name))).toEqual([]);
  const stored = (await series.service.blobs()).find(({ filename }) => filename.startsWith('film'));
  expect(stored).toMatchObject({ size: film.length, sha256: createHash('sha256').update(film).digest('hex') });
  // The runner does not show the lines that tell it what to mask.
  const shown = run.log.replaceAll(/^::add-mask::.*$/gm, '') + run.summary;
  expect(shown).not.toContain('sig=');
});

it('an upload requests another address if the first one has expired', async ({ storage, startSeries }) => {
  const series = await startSeries({ 'film.mp4': mp4('late', 12_000_000) });
  series.service.load({ uploadUrlSeconds: 0 });
  const before = storage.requests.length;
  const run = await series.run();
  expect(storage.requests.slice(before).map(({ status }) => status)).toContain(403);
  expect(run.count('uploads/url')).toBe(2);
  expect(run.outputs).toMatchObject({ verdict: 'error' });
  expect(series.service.submissions).toEqual([]);
});
