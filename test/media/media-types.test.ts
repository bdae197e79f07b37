import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { typeOfName } from '../../src/media/media-types.ts';

const require = createRequire(import.meta.url);
const mimeDb: Readonly<Record<string, { readonly extensions?: readonly string[] }>> = require('mime-db');
const REGISTERED = Object.entries(mimeDb).flatMap(([mime, { extensions = [] }]) =>
  extensions.map((extension) => ({ mime, extension })),
);

/** Types, each with the extensions for which mime-db has no type, or another one. */
const OURS = `video/mp4 f4v, video/ogg ogm, video/mpeg m2p vob, audio/mp4 m4p f4a f4b, audio/mpeg mp1, audio/wav wave,
  audio/flac flac, audio/aiff aif aiff aifc, image/jpeg jfif, image/heic hif, image/tiff arw cr2 dng nef`;

it('an extension has the type of mime-db, and the category of that type', () => {
  const ours = OURS.split(/,\s+/)
    .map((each) => each.split(' '))
    .flatMap(([mime = '', ...names]) => names.map((extension) => ({ mime, extension })));
  const byExtension = Map.groupBy([...REGISTERED, ...ours], ({ extension }) => extension);
  const known = [...byExtension].filter(([extension]) => typeOfName(`a.${extension}`));
  expect(known.length).toBeGreaterThan(100);
  for (const [extension, possible] of known) {
    const { mime = '', category } = typeOfName(`folder.mp4/A.${extension.toUpperCase()}`) ?? {};
    expect(possible.map((each) => each.mime)).toContain(mime);
    const [top = ''] = mime.split('/');
    const isTimed = ['video', 'audio', 'image'].includes(top);
    expect([extension, category]).toEqual([extension, extension === 'mxf' ? 'video' : isTimed ? top : 'document']);
  }
});
