import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { analysedUnder, includesAnalysisOf, typeOfName } from '../../src/media/media-types.ts';

it.each<[string, string, boolean]>([
  ['a.mp4', 'b.mp3', true],
  ['a.mp3', 'b.mp4', false],
  ['a.mp4', 'b.png', false],
  ['a.png', 'b.jpg', true],
  ['a.doc', 'b.doc', true],
  ['a.doc', 'b.xls', false],
])('the analysis of %s includes that of %s: %s', (analysed, wanted, expected) => {
  const [one, other] = [typeOfName(analysed), typeOfName(wanted)];
  expect(one && other && includesAnalysisOf(one, other)).toBe(expected);
});

it('the analysis of a type that is in no category counts as that of a document', () => {
  const unknown = { category: undefined, extension: 'xyz' };
  expect(includesAnalysisOf({ category: 'document', extension: 'xyz' }, unknown)).toBe(true);
  expect(includesAnalysisOf({ category: 'document', extension: 'doc' }, unknown)).toBe(false);
  expect(includesAnalysisOf({ category: 'video', extension: 'mp4' }, unknown)).toBe(false);
});

it.each<[name: string, detected: string, expected: string]>([
  ['drawing.vsd', 'cfb', 'vsd'],
  ['page.c++', 'pdf', 'c'],
  ['page', 'pdf', 'pdf'],
  ['page.\u00e9', 'xyz', 'bin'],
  ['photo.vsd', 'jpg', 'jpg'],
  ['letter.doc', 'cfb', 'doc'],
])('an unknown extension decides how a document is analysed: %s of type %s', (name, detected, expected) => {
  const bytes = typeOfName(`a.${detected}`) ?? { category: undefined, extension: detected };
  expect(analysedUnder(name, bytes).extension).toBe(expected);
});

const require = createRequire(import.meta.url);
const mimeDb: Readonly<Record<string, { readonly extensions?: readonly string[] }>> = require('mime-db');
const REGISTERED = Object.entries(mimeDb).flatMap(([mime, { extensions = [] }]) =>
  extensions.map((extension) => ({ mime, extension })),
);

/** Types, each with the extensions for which mime-db has no type, or another one. */
const OURS = `video/mp4 f4v, video/ogg ogm, video/mpeg m2p vob, audio/mp4 m4p f4a f4b, audio/mpeg mp1, audio/wav wave,
  audio/flac flac, audio/aiff aif aiff aifc, audio/ac3 ac3 eac3, image/jpeg jfif, image/heic hif,
  image/x-sony-arw arw, image/x-nikon-nef nef, image/x-canon-cr2 cr2`;

it('an extension has the type of mime-db, and the category of that type', () => {
  const ours = OURS.split(/,\s+/)
    .map((each) => each.split(' '))
    .flatMap(([mime = '', ...names]) => names.map((extension) => ({ mime, extension })));
  const byExtension = Map.groupBy([...REGISTERED, ...ours], ({ extension }) => extension);
  const known = [...byExtension].filter(([extension]) => typeOfName(`a.${extension}`));
  expect(known.length).toBeGreaterThan(120);
  for (const [extension, possible] of known) {
    const { mime = '', category } = typeOfName(`folder.mp4/A.${extension.toUpperCase()}`) ?? {};
    expect(possible.map((each) => each.mime)).toContain(mime);
    const [top = ''] = mime.split('/');
    const isTimed = ['video', 'audio', 'image'].includes(top);
    expect([extension, category]).toEqual([extension, extension === 'mxf' ? 'video' : isTimed ? top : 'document']);
  }
});
