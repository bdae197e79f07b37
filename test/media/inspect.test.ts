import { truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Inspection, inspect, sizeProblem } from '../../src/media/inspect.ts';
import { DEFAULT_PATTERNS } from '../../src/media/patterns.ts';
import { type Files, makeWorkspace } from '../harness/workspace.ts';
import { ADTS, asf, CFB, contentTypes, ftyp, JPEG, MP3_FRAME, matroska, ogg, transportStream, zip } from './bytes.ts';
import { patternsOf, search } from './search.ts';

async function inspectFiles(files: Files, patterns = ['**/*.*']): Promise<Inspection> {
  await using workspace = await makeWorkspace(files);
  const found = Object.keys(files).toSorted();
  // Without `await` the workspace would be removed before the files are inspected.
  return await inspect(
    found.map((file) => ({ path: file, absolutePath: path.join(workspace.path, file) })),
    { selects: patternsOf(patterns).selects },
  );
}

const MEDIA = path.resolve(import.meta.dirname, '../../examples/media');

it('knows every real sample, and hashes it', async () => {
  const found = await search(DEFAULT_PATTERNS, MEDIA);
  const { files, ...rest } = await inspect(found.files, { selects: () => true });
  expect(rest).toEqual({ pointers: [], problems: [], warnings: [] });
  expect(files.map(({ path, type }) => `${path} ${type.category} ${type.mime}`)).toMatchInlineSnapshot(`
    [
      "brand/gradient.png image image/png",
      "brand/logo.svg image image/svg+xml",
      "brand/print.tiff image image/tiff",
      "brand/rose.png image image/png",
      "campaign/billboard.jpg image image/jpeg",
      "campaign/billboard.webp image image/webp",
      "campaign/hero-master.mov video video/quicktime",
      "campaign/hero.mp4 video video/mp4",
      "campaign/hero.webm video video/webm",
      "campaign/teaser.gif image image/gif",
      "legal/claims.docx document application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "legal/terms.pdf document application/pdf",
      "podcast/episode-1.mp3 audio audio/mpeg",
      "podcast/intro-master.flac audio audio/flac",
      "podcast/intro.mp3 audio audio/mpeg",
      "podcast/intro.wav audio audio/wav",
      "podcast/jingle.m4a audio audio/mp4",
      "podcast/jingle.ogg audio audio/ogg",
      "product/shot.avif image image/avif",
      "product/shot.heic image image/heic",
    ]
  `);
  expect(files.every(({ path, type }) => path.endsWith(`.${type.extension}`))).toBe(true);
});

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT = 'application/vnd.oasis.opendocument.text';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`;
const DOCTYPE = '<!DOCTYPE svg PUBLIC "-//W3C" "x.dtd" [ <!ENTITY a "<b>"> ]>';
const LATIN_SVG = `<?xml version="1.0" encoding="ISO-8859-1"?><!-- caf\u00e9 -->${SVG}`;
const BINARY = Buffer.from([1, 2, 3, 4]);
/** The tag that cameras of many makers write is taken for a raw file of one of them. */
const CAMERA_TIFF = Buffer.from('49492a00080000000100a5c4070004000000303230300000', 'hex');
const OLD_QUICKTIME = Buffer.concat([Buffer.from('\0\0\0\x08wide\0\0\0\x08mdat', 'latin1'), Buffer.alloc(9)]);
const TAG = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\x7f\0', 'latin1'), Buffer.alloc(127 * 128)]);

describe('types that the bytes do not show, or not easily', () => {
  it.each<[name: string, bytes: string | Uint8Array, type: string]>([
    ['apple.m4a', ftyp('M4A'), 'audio/mp4 m4a audio'],
    ['phone.mp4', ftyp('3gp4'), 'video/mp4 mp4 video'],
    ['old.mov', OLD_QUICKTIME, 'video/quicktime mov video'],
    ['.mp4', ftyp('isom'), 'video/mp4 mp4 video'],
    ['camera.tif', CAMERA_TIFF, 'image/tiff tif image'],
    ['a.heic', ftyp('mif1'), 'image/heic heic image'],
    ['a.avif', Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1avif', 'latin1'), 'image/avif avif image'],
    ['a.ogg', ogg('\x01vorbis'), 'audio/ogg ogg audio'],
    ['a.opus', ogg('OpusHead'), 'audio/ogg opus audio'],
    ['a.ogv', ogg('\x80theora'), 'video/ogg ogv video'],
    ['a.wma', asf('audio'), 'audio/x-ms-wma wma audio'],
    ['sound-first.wmv', asf('audio', 'video'), 'video/x-ms-wmv wmv video'],
    ['a.aac', ADTS, 'audio/aac aac audio'],
    ['a.mp3', MP3_FRAME, 'audio/mpeg mp3 audio'],
    ['junk-first.mp3', Buffer.concat([Buffer.alloc(700), MP3_FRAME]), 'audio/mpeg mp3 audio'],
    ['tagged.mp3', Buffer.concat([TAG, MP3_FRAME]), 'audio/mpeg mp3 audio'],
    ['a.doc', CFB, 'application/msword doc document'],
    ['a.docx', zip({ '[Content_Types].xml': contentTypes(WORD), 'word/document.xml': 'x' }), `${WORD} docx document`],
    ['late.docx', zip({ 'word/a.xml': 'x', '[Content_Types].xml': contentTypes(WORD) }), `${WORD} docx document`],
    ['hidden.docx', zip({ 'a.xml': 'x', 'b.xml': 'y' }), `${WORD} docx document`],
    ['a.odt', zip({ mimetype: ODT }), `${ODT} odt document`],
    ['plain.svg', SVG, 'image/svg+xml svg image'],
    ['bom.svg', `\ufeff${XML}${SVG}`, 'image/svg+xml svg image'],
    ['doctype.svg', XML + DOCTYPE + SVG, 'image/svg+xml svg image'],
    ['prefix.svg', `${XML}<svg:svg xmlns:svg="x"/>`, 'image/svg+xml svg image'],
    ['long-prolog.svg', `${XML}<!-- ${'x'.repeat(60_000)} -->${SVG}`, 'image/svg+xml svg image'],
    ['latin.svg', Buffer.from(LATIN_SVG, 'latin1'), 'image/svg+xml svg image'],
    ['wide.txt', Buffer.from('\ufeffhello', 'utf16le'), 'text/plain txt document'],
    ['a.ts', transportStream(), 'video/mp2t ts video'],
    ['bitmap.txt', 'BM is no bitmap', 'text/plain txt document'],
    ['a.html', '<!doctype html><html></html>', 'text/html html document'],
    ['a.pdf', '%PDF-1.7\n', 'application/pdf pdf document'],
    ['late.rtf', '\n{\\rtf1 x}', 'application/rtf rtf document'],
    ['header-within.pdf', `${'x'.repeat(1019)}%PDF-`, 'application/pdf pdf document'],
    ['header-too-late.txt', `${'x'.repeat(1020)}%PDF-`, 'text/plain txt document'],
    ['junk.pdf', Buffer.from('\0\x01junk\n%PDF-1.7\n', 'latin1'), 'application/pdf pdf document'],
    ['photo.jpeg', JPEG, 'image/jpeg jpeg image'],
    ['photo.dat', JPEG, 'image/jpeg jpg image'],
    ['comment.jpg', Buffer.concat([JPEG, Buffer.from('%PDF-')]), 'image/jpeg jpg image'],
    ['late.pdf', 'Sent by a scanner\n%PDF-1.4', 'application/pdf pdf document'],
    ['archive.zip', zip({ a: 'b' }), 'application/zip zip undefined'],
    ['what.xyz', BINARY, 'application/octet-stream xyz undefined'],
    // The bytes of these need not begin in a way that detection knows.
    ['headless.mpg', BINARY, 'video/mpeg mpg video'],
    ['headless.mp3', BINARY, 'audio/mpeg mp3 audio'],
    ['headless.wav', BINARY, 'audio/wav wav audio'],
    // What is not in our table is of the category that detection says.
    ['a.ico', Buffer.from('00000100010010100000', 'hex'), 'image/x-icon ico image'],
    ['a.mid', Buffer.from('MThd\0\0\0\x06\0\0', 'latin1'), 'audio/midi mid audio'],
  ])('%s', async (name, bytes, expected) => {
    const { files, problems, warnings } = await inspectFiles({ [name]: bytes });
    expect(problems).toEqual([]);
    expect(warnings).toEqual([]);
    expect(files.map(({ type }) => `${type.mime} ${type.extension} ${type.category}`)).toEqual([expected]);
  });
});

const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml';
const office = (mime: string): Uint8Array => zip({ '[Content_Types].xml': contentTypes(mime) });

describe('inside one family the name decides, and never claims less than the bytes show', () => {
  it.each<[name: string, bytes: Uint8Array, type: string]>([
    ['avif.heif', ftyp('avif'), 'image/heif heif'],
    ['mpeg4.mov', ftyp('isom'), 'video/quicktime mov'],
    ['sound-only.mp4', ftyp('M4A'), 'video/mp4 mp4'],
    ['film.m4a', ftyp('isom'), 'video/mp4 mp4'],
    ['old-film.m4a', ftyp('qt'), 'video/quicktime mov'],
    ['protected.m4p', ftyp('M4P'), 'video/mp4 mp4'],
    ['matroska.webm', matroska('matroska'), 'video/webm webm'],
    ['sound.mka', matroska('matroska'), 'video/x-matroska mkv'],
    ['film.ogg', ogg('\x80theora'), 'video/ogg ogv'],
    ['sound-only.ogv', ogg('OpusHead'), 'video/ogg ogv'],
    ['film.wma', asf('video'), 'video/x-ms-asf asf'],
    ['sound-only.wmv', asf('audio'), 'video/x-ms-wmv wmv'],
    ['no-extension', asf('audio'), 'audio/x-ms-wma wma'],
    ['stream.mpg', transportStream(), 'video/mpeg mpg'],
    ['slideshow.pptx', office(`${SLIDES}.slideshow`), `${SLIDES}.presentation pptx`],
    ['macros.docx', office('application/vnd.ms-word.document.macroEnabled'), `${WORD} docx`],
    ['slides.ppsx', office(`${SLIDES}.presentation`), `${SLIDES}.slideshow ppsx`],
    ['template.odt', zip({ mimetype: `${ODT}-template` }), `${ODT} odt`],
  ])('%s', async (name, bytes, expected) => {
    const { files, problems, warnings } = await inspectFiles({ [name]: bytes });
    expect([...problems, ...warnings]).toEqual([]);
    expect(files.map(({ type }) => `${type.mime} ${type.extension}`)).toEqual([expected]);
  });
});

it('a picture named as another kind of picture is sent with its real type, with a warning', async () => {
  const { files, problems, warnings } = await inspectFiles({ 'jpeg.png': JPEG });
  expect(problems).toEqual([]);
  expect(files).toMatchObject([{ type: { mime: 'image/jpeg', extension: 'jpg' } }]);
  expect(warnings).toEqual([
    'jpeg.png: The name says image/png, but the content is image/jpeg. It is treated as a .jpg file.',
  ]);
});

describe('what cannot be sent', () => {
  it.each<[name: string, bytes: string | Uint8Array, message: string]>([
    ['video.jpg', ftyp('isom'), 'image/jpeg'],
    ['page.png', '<html>Not found</html>', 'text/html'],
    ['archive.png', zip({ a: 'b' }), 'application/zip'],
    ['random.mp4', BINARY, 'of no known type'],
    ['cut.png', Buffer.from('89504e470d0a1a0a', 'hex'), 'of no known type'],
    // Documents of another kind than the name says.
    ['office.pdf', CFB, 'application/x-cfb'],
    ['rich.doc', '{\\rtf1 x}', 'application/rtf'],
    ['new.doc', office(WORD), WORD],
    ['text.pdf', 'not found', 'text/plain'],
    ['about.txt', 'A PDF begins with %PDF-\n', 'application/pdf'],
    ['rich.pdf', '{\\rtf1 %PDF-', 'read the content as application/rtf, others as application/pdf'],
    ['old.xls', Buffer.concat([CFB, Buffer.from('%PDF-')]), 'read the content as application/x-cfb'],
    ['long.svg', `${XML}<!-- ${'x'.repeat(70_000)} -->${SVG}`, 'text/plain'],
    ['code.ts', `G${'a'.repeat(187)}G = 1;\n`, 'text/plain'],
    ['empty.mp4', '', 'empty'],
  ])('%s', async (name, bytes, message) => {
    const { files, problems } = await inspectFiles({ [name]: bytes });
    expect(files).toEqual([]);
    expect(problems).toEqual([
      {
        reason: 'pre-flight',
        path: name,
        message: expect.stringContaining(message),
        steps: expect.arrayContaining([expect.anything()]),
      },
    ]);
  });

  it.each(['a.docx', 'a.xlsx', 'a.pptx', 'a.odt'])('an %s with a password, or in an old format', async (name) => {
    const { files, problems } = await inspectFiles({ [name]: CFB });
    expect(files).toEqual([]);
    expect(problems).toMatchObject([
      {
        path: name,
        message: 'The file has a password, or is of an old version of Office.',
        steps: [{ text: expect.stringContaining(`in the format of ${path.extname(name)}.`) }, {}],
      },
    ]);
  });

  it.each<[string, string[], RegExp]>([
    [
      'that is selected as well',
      ['film.{jpg,mp4}'],
      /^Rename {file} to end in `\.mp4` if its content is right\. Otherwise replace it\./,
    ],
    ['that is not selected: not named', ['**/*.jpg'], /^Replace {file}\./],
    ['that is excluded: not named', ['**', '!*.mp4'], /^Replace {file}\./],
  ])('a fix that leads to a name %s', async (_, patterns, fix) => {
    const { problems } = await inspectFiles({ 'film.jpg': ftyp('isom') }, patterns);
    expect(problems).toMatchObject([{ path: 'film.jpg', steps: [{ text: expect.stringMatching(fix) }, {}] }]);
  });

  it('is reported at once, in the order of the files, together with what can be sent', async () => {
    const { files, problems } = await inspectFiles({ 'b.mp4': '', 'a.mp4': '', 'c.jpg': JPEG, 'd.jpg': 'text' });
    expect(problems.map((problem) => problem.path)).toEqual(['a.mp4', 'b.mp4', 'd.jpg']);
    expect(files.map((file) => file.path)).toEqual(['c.jpg']);
  });

  it.each([
    ['video', 5 * 1024 ** 3],
    ['audio', 500 * 1024 ** 2],
    ['image', 50 * 1024 ** 2],
    ['document', 100 * 1024 ** 2],
  ] as const)('%s over %i bytes', (category, limit) => {
    const type = { mime: 'x/y', extension: 'y', category, family: 'y' };
    expect(sizeProblem('a', limit, type)).toBeUndefined();
    expect(sizeProblem('a', limit + 1, type)).toMatchObject({ reason: 'pre-flight', path: 'a' });
    expect(sizeProblem('a', limit + 1, { ...type, category: undefined })).toBeUndefined();
  });

  it('an image that is too large is refused', async () => {
    await using workspace = await makeWorkspace({ 'big.jpg': JPEG });
    truncateSync(path.join(workspace.path, 'big.jpg'), 50 * 1024 ** 2 + 1);
    const found = await search(['**'], workspace.path);
    const { files, problems } = await inspect(found.files, { selects: () => true });
    expect(files).toEqual([]);
    const message = 'The file is 52.4 MB, but the service takes at most 50 MB of image.';
    expect(problems).toMatchObject([{ path: 'big.jpg', message }]);
  });
});

it.each<[string, string, string | Uint8Array, Partial<Record<keyof Inspection, unknown>>]>([
  ['media is one of its files', 'a.jpg', JPEG, { files: [{ path: 'a.jpg' }], problems: [] }],
  ['a Git LFS pointer is one', 'a.jpg', POINTER, { pointers: [{ path: 'a.jpg' }], problems: [] }],
  ['bytes of no known type is refused', 'a.mp3', BINARY, { files: [], problems: [{ path: 'a.mp3' }] }],
  ['plain text is refused', 'a.txt', 'token: 1', { files: [], problems: [{ path: 'a.txt' }] }],
])('a path that leads through a link to %s', async (_, name, bytes, expected) => {
  await using workspace = await makeWorkspace({ store: bytes });
  const found = { path: name, absolutePath: path.join(workspace.path, 'store'), realPath: 'store' };
  expect(await inspect([found], { selects: () => true })).toMatchObject(expected);
});

it('ends when the run is aborted', async () => {
  const reason = new Error('cancelled');
  const found = { path: 'a.jpg', absolutePath: '/nowhere/a.jpg' };
  const options = { selects: () => true, signal: AbortSignal.abort(reason) };
  await expect(inspect([found], options)).rejects.toBe(reason);
});

describe('the same bytes under names of two types', () => {
  it('is a problem if no analysis fits both', async () => {
    const { problems } = await inspectFiles({
      'a.mp3': BINARY,
      'b.aac': BINARY,
      'c.txt': BINARY,
      'c2.md': BINARY,
      'd.mp3': Buffer.from([1, 2, 3]),
    });
    const message = expect.stringMatching(/^The same bytes are in a\.mp3, .*audio\/mpeg; here text\/plain/);
    const steps = [{ text: expect.stringContaining('Give {file} and `a.mp3` the same extension.') }, {}];
    expect(problems).toMatchObject([{ reason: 'pre-flight', path: 'c.txt', message, steps }]);
  });

  it.each([
    ['a film and its sound', { 'a.mp3': BINARY, 'a.mpg': BINARY }],
    ['two names of one kind', { 'a.mp4': ftyp('isom'), 'a.m4v': ftyp('isom') }],
  ])('is no problem: %s', async (_, files) => {
    expect((await inspectFiles(files)).problems).toEqual([]);
  });
});
