import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { type FindFault, startFront, storageAt } from '../harness/front.ts';
import { images, mp4 } from '../harness/media.ts';

const FORBIDDEN = {
  status: 403,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>403 Forbidden</h1></html>',
};
const forbidUploads: FindFault = (line) => (line.includes('/uploads/') ? FORBIDDEN : undefined);

it('a page of a gateway instead of every upload: one error without advice about a file, and red', async ({
  gate,
  emulator,
}) => {
  await using gateway = await startFront(emulator.baseUrl, { fault: forbidUploads });
  const files = images(...Array.from({ length: 60 }, (_, index) => `file-${index}`));
  const run = await gate({ files, baseUrl: gateway.url, inputs: { 'on-service-error': 'warn' } });
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
  expect(run.readableSummary).toMatch(/a web page \(403\) while uploading.*Ask its/s);
  expect(run.readableSummary.split(/### What to do|<details>/)[1]).not.toMatch(/Rename|smaller|file-\d/);
  expect(run.annotations.filter(({ level }) => level === 'error')).toHaveLength(1 + 1);
});

// One after the other: while this process is busy, the action's clock stands still, and nothing is slow.
it('a body that a gateway takes at once and forwards slowly is sent once', async ({ gate, emulator }) => {
  const clockFactor = 20;
  // The storage gets 90 s for a body of 3 MB, which takes 75 s here.
  const fault = () => ({ bytesPerSecond: 40_000 * clockFactor });
  await using storage = await startFront(emulator.storageUrl, { fault });
  await using gateway = await startFront(emulator.baseUrl, { fault: storageAt(storage.url) });
  const files = { 'film.mp4': mp4('film', 3_000_000) };
  const run = await gate({ files, scenario: { directCap: 0 }, baseUrl: gateway.url, clockFactor });
  expect(run.outputs['verdict']).toBe('pass');
  expect(run.count('storage/put')).toBe(1);
});
