import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { startFront, storageAt } from '../harness/front.ts';
import { mp4, png, wav } from '../harness/media.ts';
import { runAction, type ServiceRun } from '../harness/run-action.ts';
import { startSlowConnection } from '../harness/slow-connection.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const LARGE = mp4('large', 12_000_000);
const SMALL = png('small');

let emulator: Emulator;
let large: Awaited<ReturnType<typeof makeWorkspace>>;
let small: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  large = await makeWorkspace({ 'large.mp4': LARGE });
  small = await makeWorkspace({ 'small.png': SMALL });
});
afterAll(async () => {
  await Promise.all([emulator.close(), large.remove(), small.remove()]);
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function storedBy({ service }: ServiceRun): Promise<readonly string[]> {
  return (await service.blobs()).map((blob) => blob.sha256);
}

describe.concurrent('to storage', () => {
  it('every try sends the whole file from disk, with its exact length, and never the key', async () => {
    const run = await runAction({
      emulator,
      workspace: large.path,
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

  it('after a 403 one new upload address is requested', async () => {
    const scenario = { faults: [{ on: 'storage/put' as const, nth: 1, status: 403 }] };
    const run = await runAction({ emulator, workspace: large.path, scenario });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.log).toContain('the storage refused the upload address (403); asking for a new one');
    expect(run.count('uploads/url')).toBe(2);
    expect(await storedBy(run)).toEqual([sha256(LARGE)]);
  });

  it('if every upload address has expired, nothing is submitted', async () => {
    const run = await runAction({ emulator, workspace: large.path, scenario: { uploadUrlSeconds: 0 } });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(run.text).toMatch(
      /the upload address has expired; asking for a new one.*The upload address of the service expired/s,
    );
    expect(run.count('uploads/url')).toBe(2);
    expect(run.count('submissions/create')).toBe(0);
  });

  it('a redirect is not followed', async () => {
    const elsewhere = emulator.workspace();
    const redirect = `${emulator.storageUrl}/uploads/${elsewhere.id}/x`;
    const run = await runAction({
      emulator,
      workspace: large.path,
      scenario: { faults: [{ on: 'storage/put', redirect }] },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(elsewhere.requests).toEqual([]);
  });

  it('a slow upload that keeps moving may take longer than the stall timeout', async () => {
    const clockFactor = 40;
    await using workspace = await makeWorkspace({ 'large.mp4': mp4('large', 48_000_000) });
    await using line = await startSlowConnection(emulator.storageUrl, 12_000_000);
    await using front = await startFront(emulator.baseUrl, { edit: storageAt(emulator.storageUrl, line.url) });
    const run = await runAction({ emulator, workspace: workspace.path, baseUrl: front.url, clockFactor });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
    const put = run.service.requests.find(({ endpoint }) => endpoint === 'storage/put');
    expect(((put?.endedAt ?? 0) - (put?.at ?? 0)) * clockFactor).toBeGreaterThan(120_000);
  });

  it('a connection that stops moving is given up after two minutes: nothing is submitted', async () => {
    await using line = await startSlowConnection(emulator.storageUrl, 1);
    await using front = await startFront(emulator.baseUrl, { edit: storageAt(emulator.storageUrl, line.url) });
    const run = await runAction({ emulator, workspace: large.path, baseUrl: front.url });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(/The storage did not take the file: it did not answer: no response for \d+ s/);
    expect(run.count('submissions/create')).toBe(0);
  });
});

describe.concurrent('through the service', () => {
  it('a form with one part, sent again whole after a failure', async () => {
    const run = await runAction({
      emulator,
      workspace: small.path,
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

  it('after a 413 before the body is read, the file is uploaded to storage', async () => {
    const run = await runAction({
      emulator,
      workspace: small.path,
      scenario: { faults: [{ on: 'uploads/direct', status: 413, when: 'before-body' }] },
    });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
    expect(await storedBy(run)).toEqual([sha256(SMALL)]);
  });

  it('a file that changes while it is sent is an error, even if the service accepted it', async () => {
    await using workspace = await makeWorkspace({ 'small.png': SMALL });
    await using front = await startFront(emulator.baseUrl, {
      // Called when the service has stored the file, and before it answers.
      edit: (requestPath) => {
        if (requestPath.endsWith('/direct')) writeFileSync(path.join(workspace.path, 'small.png'), png('other'));
        return undefined;
      },
    });
    const run = await runAction({ emulator, workspace: workspace.path, baseUrl: front.url });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    expect(run.count('uploads/direct')).toBe(1);
    expect(run.count('submissions/create')).toBe(0);
    expect(run.annotations.map(({ file }) => file)).toContain('small.png');
  });

  it('a wrong size in the response ends the run', async () => {
    await using front = await startFront(emulator.baseUrl, {
      edit: (path, json) => (path.endsWith('/direct') ? { ...json, sizeBytes: 1 } : undefined),
    });
    const run = await runAction({ emulator, workspace: small.path, baseUrl: front.url });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(run.text).toContain(`The service stored 1 bytes of a file of ${SMALL.length}`);
    expect(run.count('submissions/create')).toBe(0);
  });
});

describe.concurrent('refusals', () => {
  it('of single files are all reported at once, each with its file, and nothing is submitted', async () => {
    const workspace = await makeWorkspace({
      'name.png': png('1'),
      'type.png': png('2'),
      'described.png': png('3'),
      'fine.png': png('4'),
      'large.mp4': mp4('5', 10_000_001),
    });
    const run = await runAction({
      emulator,
      workspace: workspace.path,
      scenario: {
        faults: [
          { on: 'uploads/direct', match: 'name-', status: 403 },
          { on: 'uploads/direct', match: 'type-', status: 415 },
          { on: 'uploads/direct', match: 'described-', status: 422 },
          { on: 'uploads/url', match: 'large-', status: 415 },
        ],
      },
    });
    await workspace.remove();

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    const files = run.annotations.filter(({ level }) => level === 'error').map(({ file }) => file);
    expect(files).toEqual(expect.arrayContaining(['name.png', 'type.png', 'described.png', 'large.mp4']));
    expect(run.count('submissions/create')).toBe(0);
  });

  it('at creation name the file that the service names, otherwise all candidates', async () => {
    const workspace = await makeWorkspace({ 'a.png': png('a'), 'b.wav': wav('b'), 'c.png': png('c') });
    const named = await runAction({
      emulator,
      workspace: workspace.path,
      scenario: { sizeCaps: { audio: 10 } },
    });
    const unnamed = await runAction({
      emulator,
      workspace: workspace.path,
      scenario: { faults: [{ on: 'submissions/create', status: 415, body: { detail: 'Wrong bytes' } }] },
    });
    const tooMany = await runAction({ emulator, workspace: workspace.path, scenario: { maxAssets: 2 } });
    await workspace.remove();

    expect(named.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(named.annotations.filter(({ file }) => file !== undefined).map(({ file }) => file)).toEqual(['b.wav']);
    expect(unnamed.text).toContain('while creating the submission: Wrong bytes');
    expect(unnamed.text).toContain('does not say which file it means: it is one of a.png, b.wav, c.png');
    expect(tooMany.text).toContain('A submission holds at most 2 assets');
    expect(tooMany.text).toContain('The submission held 3 assets');
  });

  it.each([
    [401, 'auth'],
    [402, 'plan'],
  ])('%d ends the run at once: running uploads are aborted, and no request is started', async (status, reason) => {
    const names = Array.from({ length: 20 }, (_, index) => `file-${index}`);
    const files = Object.fromEntries(names.map((name) => [`${name}.png`, png(name)]));
    const workspace = await makeWorkspace({ ...files, 'a-large.mp4': LARGE });
    const run = await runAction({
      emulator,
      workspace: workspace.path,
      scenario: {
        faults: [
          { on: 'storage/put', stall: true },
          { on: 'uploads/direct', nth: 3, status },
        ],
      },
      inputs: { 'upload-concurrency': '4' },
      clockFactor: 1,
    });
    await workspace.remove();

    expect(run.outputs).toMatchObject({ verdict: 'error', reason });
    expect(run.count('uploads/direct')).toBeLessThanOrEqual(6);
    expect(run.count('submissions/create')).toBe(0);
  });
});

describe.concurrent('metadata', () => {
  it('that the service refuses is left out in one more try', async () => {
    const run = await runAction({
      emulator,
      workspace: small.path,
      scenario: { faults: [{ on: 'submissions/create', nth: 1, status: 422 }] },
      inputs: { metadata: '{"campaign":"spring"}' },
    });

    expect(run.outputs['verdict']).toBe('pass');
    const bodies = run.service.requests
      .filter(({ endpoint }) => endpoint === 'submissions/create')
      .map(({ json }) => json);
    expect(bodies).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({ campaign: 'spring', repository: 'acme/campaigns' }),
      }),
      expect.not.objectContaining({ metadata: expect.anything() }),
    ]);
    expect(run.service.submissions).toHaveLength(1);
  });

  it('of the workflow is sent as given, even instead of what the action would say itself', async () => {
    const run = await runAction({ emulator, workspace: small.path, inputs: { metadata: '{"repository":"mine"}' } });

    expect(run.outputs['verdict']).toBe('pass');
    const creation = run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create');
    expect(creation?.json).toMatchObject({ metadata: { repository: 'mine', ref: 'refs/heads/main' } });
  });

  it('is not sent if the workflow says so', async () => {
    const run = await runAction({ emulator, workspace: small.path, inputs: { metadata: 'none' } });

    expect(run.outputs['verdict']).toBe('pass');
    const creation = run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create');
    expect(creation?.json).toEqual(expect.not.objectContaining({ metadata: expect.anything() }));
  });
});
