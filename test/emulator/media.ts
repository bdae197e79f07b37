/** The fewest bytes that are recognised as what they claim to be. */
function bytes(...parts: (string | readonly number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF\0', Array<number>(20).fill(0));
export const PDF = bytes('%PDF-1.7\n');
export const MP4 = bytes([0, 0, 0, 24], 'ftypisom', [0, 0, 2, 0], 'isomiso2');
export const TEXT = bytes('Twelve weeks to a new you.');
