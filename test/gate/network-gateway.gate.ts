import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { it } from '../harness/fixtures.ts';
import { type FindFault, type FrontFault, limitRequests, nginxPage, startFront, storageAt } from '../harness/front.ts';
import { images, mp4 } from '../harness/media.ts';

const many = (length: number): Record<string, Buffer> =>
  images(...Array.from({ length }, (_, index) => `file-${index}`));

const isUpload = (line: string): boolean => line.includes('/uploads/');
const isCreation = (line: string): boolean => line.startsWith('POST') && line.endsWith('/submissions');
const isRead = (line: string): boolean => /^GET \S+\/submissions\/[^/]+$/.test(line);

const missingAssets: FindFault = (line) => (line.includes('/assets/') ? nginxPage(404, 'Not Found') : undefined);
const TOO_LARGE = nginxPage(413, 'Request Entity Too Large');
const LOGIN = nginxPage(302, 'Found', { location: 'https://sso.example/login' });
const smallBodies: FindFault = (line) => (line.endsWith('/direct') ? TOO_LARGE : undefined);

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

  it('404 to the read of an asset stays a missing fact, whatever its body', async ({ gate, emulator }) => {
    await using gateway = await startFront(emulator.baseUrl, { fault: missingAssets });
    const run = await gate({ baseUrl: gateway.url, inputs: { 'on-service-error': 'warn' } });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
  });

  it.for<[string, (line: string) => boolean, FrontFault, string, RegExp]>([
    [
      '413 to a creation',
      isCreation,
      TOO_LARGE,
      'refused',
      /a web page \(413\) while .*60 files .*large-library\.yml/s,
    ],
    [
      '403 to every upload',
      isUpload,
      nginxPage(403, 'Forbidden'),
      'refused',
      /a web page \(403\) while uploading.*Ask its/s,
    ],
    ['403 as text', isUpload, { status: 403, body: 'Policy 7' }, 'refused', /403 while uploading: Policy 7.*Ask its/s],
    ['302 to a login page', isUpload, LOGIN, 'bad-input', /redirected, perhaps to a login page/],
  ])(
    '%s: no advice about a file, no foreign host, and red',
    async ([, isHit, page, reason, says], { gate, emulator }) => {
      const fault: FindFault = (line) => (isHit(line) ? page : undefined);
      await using gateway = await startFront(emulator.baseUrl, { fault });
      const run = await gate({ files: many(60), baseUrl: gateway.url, inputs: { 'on-service-error': 'warn' } });
      expect(run.outputs).toMatchObject({ verdict: 'error', reason });
      expect(run.readableSummary).toMatch(says);
      expect(run.readableSummary.split('### What to do')[1]).not.toMatch(/Rename|smaller|sso\.example|file-\d/);
      expect(run.annotations.filter(({ level }) => level === 'error')).toHaveLength(1 + 1);
    },
  );

  it('413 to a direct upload: the file goes to storage', async ({ gate, emulator }) => {
    await using gateway = await startFront(emulator.baseUrl, { fault: smallBodies });
    const run = await gate({ baseUrl: gateway.url });
    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
  });
});

// One after the other: while this process is busy, the action's clock stands still, and nothing is slow.
describe('a gateway that is slow', () => {
  it.for<[string, number, number, Scenario, Endpoint]>([
    ['200 MB at 5 MB/s', 200_000_000, 5_000_000, {}, 'storage/put'],
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

it('a gateway takes 2 requests a second: 12 files pass in one run, with one creation', async ({ gate, emulator }) => {
  const clockFactor = 5;
  await using gateway = await startFront(emulator.baseUrl, { fault: limitRequests(2 * clockFactor) });
  const run = await gate({ files: many(12), baseUrl: gateway.url, clockFactor });
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'assets-submitted': '12' });
  expect(run.log).toContain('503');
  expect(run.count('submissions/create')).toBe(1);
});

const refusal = (code: string, status: number): FrontFault => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>x?sig=secret</Message></Error>`,
});

describe.concurrent('storage that refuses', () => {
  const FILM = { 'film.mp4': mp4('film', 11_000_000) };

  it('is named with its code and host', async ({ gate, emulator }) => {
    await using storage = await startFront(emulator.storageUrl, { fault: () => refusal('Md5Mismatch', 400) });
    await using gateway = await startFront(emulator.baseUrl, { fault: storageAt(storage.url) });
    const run = await gate({ files: FILM, baseUrl: gateway.url });
    const { host } = new URL(storage.url);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(run.readableSummary).toContain(`The storage ${host} responded with 400 while storing the file: Md5Mismatch`);
    expect(run.readableSummary).not.toMatch(/fast enough|sig=/);
  });

  it('is named if it cannot be reached', async ({ gate, emulator }) => {
    await using gateway = await startFront(emulator.baseUrl, { fault: storageAt('http://127.0.0.1:1') });
    const run = await gate({ files: FILM, baseUrl: gateway.url, clockFactor: 60 });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.readableSummary).toContain('Check that this machine can reach 127.0.0.1:1 (proxy, firewall)');
  });
});
