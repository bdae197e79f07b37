import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import {
  analysedUnder,
  type Category,
  includesAnalysisOf,
  isMediaName,
  typeOfName,
} from '../../src/media/media-types.ts';

it.each<[Category, string]>([
  ['video', 'mp4 f4v mp4v m4v 3gp 3g2 mov qt webm mkv mk3d asf wmv ogv ogm avi flv mpg mpeg mpe m1v m2v m2p vob'],
  ['video', 'ts mts m2ts m2t mxf'],
  ['audio', 'm4a m4b m4p f4a f4b weba mka wma ogg oga opus spx mp3 mp2 mp1 mpga aac wav wave flac aif aiff aifc'],
  ['audio', 'ac3 eac3'],
  ['image', 'jpg jpeg jpe jfif png apng gif webp heic hif heif avif tif tiff arw dng nef cr2 bmp dib svg psd'],
  ['document', 'pdf rtf ps eps doc dot xls xlt ppt pot pps epub docx dotx docm dotm xlsx xltx xlsm xltm pptx ppsx'],
  ['document', 'potx pptm ppsm potm odt ott ods ots odp otp odg otg pages numbers key txt text log csv md markdown'],
  ['document', 'html htm xml json vtt srt'],
])('what is analysed as %s', (category, names) => {
  const extensions = names.split(' ');
  const types = extensions.map((extension) => typeOfName(`a.${extension}`));
  expect(types).toMatchObject(extensions.map((extension) => ({ category, extension })));
});

it.each([
  ['avi', 'video/x-msvideo'],
  ['flv', 'video/x-flv'],
  ['mpeg', 'video/mpeg'],
  ['m2ts', 'video/mp2t'],
  ['aiff', 'audio/aiff'],
  ['apng', 'image/apng'],
  ['bmp', 'image/bmp'],
  ['psd', 'image/vnd.adobe.photoshop'],
  ['epub', 'application/epub+zip'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
])('a file called .%s is %s', (extension, mime) => {
  expect(typeOfName(`folder.mp4/A.${extension.toUpperCase()}`)?.mime).toBe(mime);
});

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

it('every extension that mime-db has for images, films and sounds is the name of media', () => {
  const require = createRequire(import.meta.url);
  const types: Readonly<Record<string, { readonly extensions?: readonly string[] }>> = require('mime-db');
  const media = Object.entries(types).filter(([type]) => /^(?:image|video|audio)\//.test(type));
  const extensions = media.flatMap(([, { extensions: ofType = [] }]) => ofType);
  expect(extensions.length).toBeGreaterThan(200);
  expect(extensions.filter((extension) => !isMediaName(`a.${extension}`))).toEqual([]);
});
