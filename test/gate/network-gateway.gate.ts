import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { it } from '../harness/fixtures.ts';
import { type FindFault, startFront, storageAt } from '../harness/front.ts';
import { images, mp4 } from '../harness/media.ts';

const many = (length: number): Record<string, Buffer> =>
  images(...Array.from({ length }, (_, index) => `file-${index}`));

const isRead = (line: string): boolean => /^GET \S+\/submissions\/[^/]+$/.test(line);

const FORBIDDEN = {
  status: 403,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>403 Forbidden</h1></html>',
};
const forbidUploads: FindFault = (line) => (line.includes('/uploads/') ? FORBIDDEN : undefined);

describe.concurrent('a page of a gateway is not the service', () => {
  it('404 to the read of a submission: nothing is sent again', async ({ startSeries, emulator }) => {
    const series = await startSeries();
    await series.run();
    const page = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'default backend - 404' };
    await using gateway = await startFront(emulator.baseUrl, { fault: (line) => (isRead(line) ? page : undefined) });
    const run = await series.run({ baseUrl: gateway.url, clockFactor: 120 });
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
    expect(run.count('submissions/create')).toBe(0);
    expect(run.warnings).toMatch(/did not respond while reading the submission: status 404/);
  });

  it('403 to every upload: one error without advice about a file, and red', async ({ gate, emulator }) => {
    await using gateway = await startFront(emulator.baseUrl, { fault: forbidUploads });
    const run = await gate({ files: many(60), baseUrl: gateway.url, inputs: { 'on-service-error': 'warn' } });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(run.readableSummary).toMatch(/a web page \(403\) while uploading.*Ask its/s);
    expect(run.readableSummary.split('### What to do')[1]).not.toMatch(/Rename|smaller|file-\d/);
    expect(run.annotations.filter(({ level }) => level === 'error')).toHaveLength(1 + 1);
  });
});

// One after the other: while this process is busy, the action's clock stands still, and nothing is slow.
describe('a gateway that is slow', () => {
  it.for<[string, number, number, Scenario, Endpoint]>([
    // Storage and service get 90 s for a body of this size.
    ['3 MB at 40 kB/s', 3_000_000, 40_000, { directCap: 0 }, 'storage/put'],
    ['3 MB at 40 kB/s, sent directly', 3_000_000, 40_000, {}, 'uploads/direct'],
  ])('a body that is taken at once and forwarded slowly is sent once: %s', async (row, { gate, emulator }) => {
    const [, size, bytesPerSecond, scenario, endpoint] = row;
    const clockFactor = 20;
    const slow = { bytesPerSecond: bytesPerSecond * clockFactor };
    await using storage = await startFront(emulator.storageUrl, { fault: () => slow });
    const isSlow = (line: string): boolean => line.endsWith('/direct') && scenario.directCap === undefined;
    const fault: FindFault = (line) => (isSlow(line) ? slow : storageAt(storage.url)(line));
    await using gateway = await startFront(emulator.baseUrl, { fault });
    const run = await gate({ files: { 'film.mp4': mp4('film', size) }, scenario, baseUrl: gateway.url, clockFactor });
    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count(endpoint)).toBe(1);
  });

  it('a body without a response is sent once more', async ({ gate, emulator }) => {
    let puts = 0;
    const silence: FindFault = () => {
      puts += 1;
      return 'silence';
    };
    await using storage = await startFront(emulator.storageUrl, { fault: silence });
    await using gateway = await startFront(emulator.baseUrl, { fault: storageAt(storage.url) });
    const run = await gate({ files: { 'film.mp4': mp4('film', 11_000_000) }, baseUrl: gateway.url, clockFactor: 60 });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(puts).toBe(2);
    expect(run.readableSummary).toContain(`${new URL(storage.url).host} did not respond while storing the file: no`);
  });
});
