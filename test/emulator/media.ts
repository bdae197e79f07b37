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
export const MOV = bytes([0, 0, 0, 20], 'ftypqt  ', [0, 0, 2, 0], 'qt  ');
export const M4A = bytes([0, 0, 0, 24], 'ftypM4A ', [0, 0, 2, 0], 'isomiso2');
export const MP3 = bytes('ID3', [3, 0, 0, 0, 0, 16, 0], Array<number>(100).fill(0));
export const ZIP = bytes('PK\u0003\u0004', Array<number>(40).fill(0));
export const SVG = bytes('<svg xmlns="http://www.w3.org/2000/svg"/>');
export const SVG_WITH_PROLOG = bytes('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>');
export const TEXT = bytes('Twelve weeks to a new you.');
