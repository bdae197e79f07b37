import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { type FindFault, startFront, storageAt } from '../harness/front.ts';
import { mp4, png, wav } from '../harness/media.ts';
import { startRelay } from '../harness/relay.ts';
import type { ServiceRun } from '../harness/run-action.ts';

const LARGE = mp4('large', 12_000_000);
const SMALL = png('small');

const [LARGE_FILE, SMALL_FILE] = [{ 'large.mp4': LARGE }, { 'small.png': SMALL }];
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function storedBy({ service }: ServiceRun): Promise<readonly string[]> {
  return (await service.blobs()).map((blob) => blob.sha256);
}

/** Does something when the service has stored a file, and before it responds. */
function afterUpload(change: () => void): FindFault {
  const changeFirst = (body: string): string => {
    change();
    return body;
  };
  return (line) => (line.endsWith('/direct') ? changeFirst : undefined);
}

describe.concurrent('to storage', () => {
  it('every try sends the whole file from disk, with its exact length, and never the key', async ({ gate }) => {
    const run = await gate({
      files: LARGE_FILE,
      scenario: {
        faults: [
          { on: 'storage/put', nth: 1, reset: true, when: 'before-body' },
          { on: 'storage/put', nth: 2, status: 503 },
          { on: 'storage/put', nth: 3, reset: true },
          { on: 'storage/put', nth: 4, status: 500, when: 'before-body' },
        ],
      },
    });

    expect(run.outputs['verdict']).toBe('pass');
    expect(await storedBy(run)).toEqual([sha256(LARGE)]);
    const puts = run.service.requests.filter(({ endpoint }) => endpoint === 'storage/put');
    expect(puts).toHaveLength(5);
    for (const { headers } of puts) {
      expect(headers).toMatchObject({ 'content-length': String(LARGE.length), 'x-ms-blob-type': 'BlockBlob' });
      expect(headers).not.toHaveProperty('x-api-key');
      expect(headers).not.toHaveProperty('transfer-encoding');
    }
    expect(run.count('uploads/url')).toBe(1);
    // The retries are logged, but not the address.
    expect(run.log).toContain('trying again');
    expect(run.text).not.toContain('sig=');
  });

  it('after a 403 one new upload address is requested', async ({ gate }) => {
    const scenario = { faults: [{ on: 'storage/put' as const, nth: 1, status: 403 }] };
    const run = await gate({ files: LARGE_FILE, scenario });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('uploads/url')).toBe(2);
    expect(await storedBy(run)).toEqual([sha256(LARGE)]);
  });

  it('if every upload address has expired, nothing is submitted', async ({ gate }) => {
    const run = await gate({ files: LARGE_FILE, scenario: { uploadUrlSeconds: 0 } });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(run.text).toContain('The upload address of the service expired');
    expect(run.count('uploads/url')).toBe(2);
    expect(run.count('submissions/create')).toBe(0);
  });

  it('a slow upload that keeps moving may take longer than the stall timeout', async ({ gate, emulator }) => {
    const clockFactor = 40;
    const files = { 'large.mp4': mp4('large', 48_000_000) };
    await using line = await startRelay(emulator.storageUrl, 12_000_000);
    await using front = await startFront(emulator.baseUrl, { fault: storageAt(line.url) });
    const run = await gate({ files, baseUrl: front.url, clockFactor });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
    const put = run.service.requests.find(({ endpoint }) => endpoint === 'storage/put');
    expect(((put?.endedAt ?? 0) - (put?.at ?? 0)) * clockFactor).toBeGreaterThan(120_000);
  });
});

describe.concurrent('through the service', () => {
  it('a form with one part, sent again whole after a failure', async ({ gate }) => {
    const run = await gate({
      files: SMALL_FILE,
      scenario: {
        faults: [
          { on: 'uploads/direct', nth: 1, status: 500 },
          { on: 'uploads/direct', nth: 2, reset: true },
          { on: 'uploads/direct', nth: 3, stall: true },
        ],
      },
    });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('uploads/direct')).toBe(4);
    const files = run.service.requests.filter(({ endpoint }) => endpoint === 'uploads/direct').map(({ file }) => file);
    expect(files.at(-1)).toEqual({
      filename: expect.stringMatching(/^small-[0-9a-f]{32}\.png$/),
      contentType: 'image/png',
      size: SMALL.length,
      sha256: sha256(SMALL),
    });
  });

  it('after a 413 before the body is read, the file is uploaded to storage', async ({ gate }) => {
    const run = await gate({
      files: SMALL_FILE,
      scenario: { faults: [{ on: 'uploads/direct', status: 413, when: 'before-body' }] },
    });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
    expect(await storedBy(run)).toEqual([sha256(SMALL)]);
  });

  it('a file that changes while it is sent is an error, even if the service accepted it', async ({
    gate,
    makeFolder,
    emulator,
  }) => {
    const workspace = await makeFolder({ 'small.png': SMALL });
    await using front = await startFront(emulator.baseUrl, {
      fault: afterUpload(() => writeFileSync(path.join(workspace, 'small.png'), png('other'))),
    });
    const run = await gate({ workspace, baseUrl: front.url });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    expect(run.count('uploads/direct')).toBe(1);
    expect(run.count('submissions/create')).toBe(0);
    expect(run.annotations.map(({ file }) => file)).toContain('small.png');
  });
});

describe.concurrent('a file that is another one when its turn comes is not sent', () => {
  it.for<[string, (file: string) => void]>([
    [
      'other bytes of the same length and time',
      (file) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, png('other'));
        utimesSync(file, atime, mtime);
      },
    ],
    [
      'a pipe that nobody writes to',
      (file) => {
        rmSync(file);
        execFileSync('mkfifo', [file]);
      },
    ],
  ])('%s', async ([, change], { gate, makeFolder, emulator }) => {
    // The largest file is sent first.
    const workspace = await makeFolder({ 'first.wav': wav('first'), 'small.png': SMALL });
    // A whole second, so that the time can be set again exactly.
    utimesSync(path.join(workspace, 'small.png'), 5, 5);
    const fault = afterUpload(() => change(path.join(workspace, 'small.png')));
    await using front = await startFront(emulator.baseUrl, { fault });
    const inputs = { files: '*.png\n*.wav', 'upload-concurrency': '1' };
    const run = await gate({ workspace, baseUrl: front.url, inputs });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    expect(run.count('uploads/direct')).toBe(1);
    expect(run.count('submissions/create')).toBe(0);
    expect(run.annotations.map(({ file }) => file)).toContain('small.png');
  });
});

describe.concurrent('refusals', () => {
  it('of single files are all reported at once, each with its file, and nothing is submitted', async ({ gate }) => {
    const files = {
      'name.png': png('1'),
      'type.png': png('2'),
      'described.png': png('3'),
      'fine.png': png('4'),
      'large.mp4': mp4('5', 10_000_001),
    };
    const run = await gate({
      files,
      scenario: {
        faults: [
          { on: 'uploads/direct', match: 'name-', status: 403 },
          { on: 'uploads/direct', match: 'type-', status: 415 },
          { on: 'uploads/direct', match: 'described-', status: 422 },
          { on: 'uploads/url', match: 'large-', status: 415 },
        ],
      },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    const refused = run.annotations.filter(({ level }) => level === 'error').map(({ file }) => file);
    expect(refused).toEqual(expect.arrayContaining(['name.png', 'type.png', 'described.png', 'large.mp4']));
    expect(run.count('submissions/create')).toBe(0);
  });
});
