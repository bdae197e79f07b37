import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { type FindFault, startFront } from '../harness/front.ts';
import { images } from '../harness/media.ts';

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
  expect(run.readableSummary).toMatch(/a web page \(403\) while uploading.*ask its/s);
  expect(run.readableSummary.split(/### What to do|<details>/)[1]).not.toMatch(/Rename|smaller|file-\d/);
  expect(run.annotations.filter(({ level }) => level === 'error')).toHaveLength(1 + 1);
});
