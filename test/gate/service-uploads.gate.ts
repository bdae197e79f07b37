import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { mp4, png } from '../harness/media.ts';

const LARGE = mp4('large', 12_000_000);
const SMALL = png('small');

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe.concurrent('uploads', () => {
  it('every try sends the whole file from disk, with its exact length, and no key to storage', async ({ gate }) => {
    const run = await gate({
      files: { 'large.mp4': LARGE, 'small.png': SMALL },
      scenario: {
        faults: [
          { on: 'storage/put', nth: 1, reset: true, when: 'before-body' },
          { on: 'storage/put', nth: 2, status: 503 },
          { on: 'storage/put', nth: 3, reset: true },
          { on: 'storage/put', nth: 4, status: 500, when: 'before-body' },
          { on: 'uploads/direct', nth: 1, status: 500 },
          { on: 'uploads/direct', nth: 2, status: 502 },
          { on: 'uploads/direct', nth: 3, stall: true },
        ],
      },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass' });
    const blobs = run.service.blobs();
    expect(new Set(blobs.map((blob) => blob.sha256))).toEqual(new Set([sha256(LARGE), sha256(SMALL)]));
    const puts = run.service.requests.filter(({ endpoint }) => endpoint === 'storage/put');
    expect(puts).toHaveLength(5);
    for (const { headers } of puts) {
      expect(headers).toMatchObject({ 'content-length': String(LARGE.length), 'x-ms-blob-type': 'BlockBlob' });
      expect(headers).not.toHaveProperty('x-api-key');
      expect(headers).not.toHaveProperty('transfer-encoding');
    }
    expect([run.count('uploads/url'), run.count('uploads/direct')]).toEqual([1, 4]);
    const forms = run.service.requests.filter(({ endpoint }) => endpoint === 'uploads/direct');
    expect(forms.at(-1)?.file).toEqual({
      filename: expect.stringMatching(/^small-[0-9a-f]{32}\.png$/),
      contentType: 'image/png',
      size: SMALL.length,
      sha256: sha256(SMALL),
    });
    // The retries are logged, but not the address.
    expect(run.log).toContain('trying again');
    expect(run.text).not.toContain('sig=');
  });
});
