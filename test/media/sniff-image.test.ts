import * as fc from 'fast-check';
import { fileTypeFromBuffer } from 'file-type';
import { describe, expect, it } from 'vitest';
import { sniffImage } from '../../src/media/sniff-image.ts';
import { png } from '../harness/media.ts';
import { JPEG } from './bytes.ts';

const STILL = png('still');
/** IHDR comes first; its 25 bytes follow the 8 of the signature. */
const MOVING = Buffer.concat([STILL.subarray(0, 33), chunk('acTL', 8), STILL.subarray(33)]);
const GIF = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(64)]);
const WEBP = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([60, 0, 0, 0]),
  Buffer.from('WEBPVP8 '),
  Buffer.alloc(64),
]);

function chunk(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(8 + length + 4);
  bytes.writeUInt32BE(length);
  bytes.write(type, 4);
  return bytes;
}

describe('images that are told by their first bytes', () => {
  it.each<[string, Uint8Array]>([
    ['jpg', JPEG],
    ['gif', GIF],
    ['webp', WEBP],
    ['png', STILL],
    ['apng', MOVING],
    ['png', Buffer.concat([STILL.subarray(0, 33), chunk('tEXt', 1_000), STILL.subarray(33)])],
  ])('%s', (extension, bytes) => {
    expect(sniffImage(bytes)?.extension).toBe(extension);
  });

  it.each<[string, Uint8Array]>([
    ['JPEG-LS', Buffer.from('ffd8fff700104a46494600', 'hex')],
    ['a PNG whose pixels are further in than the head', STILL.subarray(0, 33)],
    ['a sound in the same container as WebP', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(64)])],
    ['nothing', Buffer.alloc(0)],
  ])('leaves to others: %s', (_, bytes) => {
    expect(sniffImage(bytes)).toBeUndefined();
  });

  it('says nothing that file-type does not say, whatever is broken', async () => {
    const broken = fc
      .tuple(
        fc.constantFrom(JPEG, GIF, WEBP, STILL, MOVING),
        fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 3 }),
        fc.nat(90),
      )
      .map(([image, changes, cut]) => {
        const bytes = Buffer.from(image);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes.subarray(0, bytes.length - cut);
      });
    await fc.assert(
      fc.asyncProperty(broken, async (bytes) => {
        const ours = sniffImage(bytes);
        if (ours === undefined) return;
        const theirs = await fileTypeFromBuffer(bytes);
        expect(ours).toEqual({ extension: theirs?.ext, mime: theirs?.mime });
      }),
      { numRuns: 1_000 },
    );
  });
});
