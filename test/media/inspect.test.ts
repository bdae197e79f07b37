import { execFileSync } from 'node:child_process';
import { createHash, Hash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { stampOf } from '../../src/media/file.ts';
import { type Inspection, inspect } from '../../src/media/inspect.ts';
import { DEFAULT_PATTERNS, typeOfName } from '../../src/media/media-types.ts';
import { it } from '../harness/fixtures.ts';
import { type Files, makeWorkspace } from '../harness/workspace.ts';
import { asf, CFB, contentTypes, ftyp, JPEG, matroska, ogg, pointerTo, transportStream, zip } from './bytes.ts';
import { search } from './search.ts';

async function inspectFiles(files: Files): Promise<Inspection> {
  await using workspace = await makeWorkspace(files);
  const paths = Object.keys(files).toSorted();
  const found = paths.map((file) => ({ path: file, absolutePath: path.join(workspace.path, file) }));
  // Without `await` the workspace would be removed before the files are inspected.
  return await inspect(found);
}

const MEDIA = path.resolve(import.meta.dirname, '../../examples/media');

it('knows every real sample by its bytes', async () => {
  const found = await search(DEFAULT_PATTERNS, MEDIA);
  const { files, ...rest } = await inspect(found.files);
  expect(rest).toEqual({ pointers: [], problems: [], warnings: [] });
  expect(files.map(({ type }) => type)).toEqual(found.files.map((file) => typeOfName(file.path)));
  expect(files.length).toBeGreaterThan(15);
});

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml';
const ODT = 'application/vnd.oasis.opendocument.text';
const DOCTYPE = '<!DOCTYPE svg PUBLIC "-//W3C" "x.dtd" [ <!ENTITY a "<b>"> ]>';
const LATIN_SVG = `<?xml version="1.0" encoding="ISO-8859-1"?><!-- caf\u00e9 -->${SVG}`;
const BINARY = Buffer.from([1, 2, 3, 4]);
/** A TIFF with a tag that many cameras write, and that the library takes for a raw file of one maker. */
const CAMERA_TIFF = Buffer.from('49492a00080000000100a5c4070004000000303230300000', 'hex');
const office = (mime: string): Uint8Array => zip({ '[Content_Types].xml': contentTypes(mime) });

test.each<[name: string, bytes: string | Uint8Array, type: string]>([
  // If the bytes fit several formats, the extension decides, but a film never becomes sound.
  ['.mp4', ftyp('isom'), 'video/mp4 mp4 video'],
  ['mpeg4.mov', ftyp('isom'), 'video/quicktime mov video'],
  ['sound-only.mp4', ftyp('M4A'), 'video/mp4 mp4 video'],
  ['film.m4a', ftyp('isom'), 'video/mp4 mp4 video'],
  ['avif.heif', ftyp('avif'), 'image/heif heif image'],
  ['matroska.webm', matroska('matroska'), 'video/webm webm video'],
  ['sound.mka', matroska('matroska'), 'video/x-matroska mkv video'],
  ['film.ogg', ogg('\x80theora'), 'video/ogg ogv video'],
  ['unknown-stream.ogg', ogg('unknown'), 'video/ogg ogv video'],
  ['sound-only.ogv', ogg('OpusHead'), 'video/ogg ogv video'],
  ['film.wma', asf('video'), 'video/x-ms-asf asf video'],
  ['sound-only.wmv', asf('audio'), 'video/x-ms-wmv wmv video'],
  ['no-extension', asf('audio'), 'audio/x-ms-wma wma audio'],
  ['stream.mpg', transportStream(), 'video/mpeg mpg video'],
  ['camera.tif', CAMERA_TIFF, 'image/tiff tif image'],
  ['photo.jpeg', JPEG, 'image/jpeg jpeg image'],
  ['a.doc', CFB, 'application/msword doc document'],
  ['only-an-archive.docx', zip({ 'a.xml': 'x', 'b.xml': 'y' }), `${WORD} docx document`],
  ['slideshow.pptx', office(`${SLIDES}.slideshow`), `${SLIDES}.presentation pptx document`],
  ['template.odt', zip({ mimetype: `${ODT}-template` }), `${ODT} odt document`],
  // Text formats are detected by their content.
  ['bom.svg', `\ufeff${XML}${SVG}`, 'image/svg+xml svg image'],
  ['doctype.svg', XML + DOCTYPE + SVG, 'image/svg+xml svg image'],
  ['long-prolog.svg', `${XML}<!-- ${'x'.repeat(60_000)} -->${SVG}`, 'image/svg+xml svg image'],
  ['latin.svg', Buffer.from(LATIN_SVG, 'latin1'), 'image/svg+xml svg image'],
  ['a.html', '<!doctype html><html></html>', 'text/html html document'],
  ['late.rtf', '\n{\\rtf1 x}', 'application/rtf rtf document'],
  ['bitmap.txt', 'BM is no bitmap', 'text/plain txt document'],
  ['wide.txt', Buffer.from('\ufeffhello', 'utf16le'), 'text/plain txt document'],
  ['junk.pdf', Buffer.from('\0\x01junk\n%PDF-1.7\n', 'latin1'), 'application/pdf pdf document'],
  ['comment.jpg', Buffer.concat([JPEG, Buffer.from('%PDF-')]), 'image/jpeg jpg image'],
  ['late.pdf', 'junk\n%PDF-1.7', 'application/pdf pdf document'],
  ['wide.svg', Buffer.from(`\ufeff${SVG}`, 'utf16le'), 'image/svg+xml svg image'],
  // If the bytes show nothing, the name decides.
  ['random.mp4', BINARY, 'video/mp4 mp4 video'],
  ['cut.png', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png png image'],
  // These extensions are unknown, so the bytes decide.
  ['photo.dat', JPEG, 'image/jpeg jpg image'],
  ['a.ico', Buffer.from('00000100010010100000', 'hex'), 'image/x-icon ico image'],
  ['archive.zip', zip({ a: 'b' }), 'application/zip zip undefined'],
  ['what.xyz', BINARY, 'application/octet-stream xyz undefined'],
])('the type of %s', async (name, bytes, expected) => {
  const { files, problems, warnings } = await inspectFiles({ [name]: bytes });
  expect([...problems, ...warnings]).toEqual([]);
  expect(files.map(({ type }) => `${type.mime} ${type.extension} ${type.category}`)).toEqual([expected]);
});

it('a picture named as another kind of picture is sent with its real type, with a warning', async () => {
  const { files, problems, warnings } = await inspectFiles({ 'jpeg.png': JPEG });
  expect(problems).toEqual([]);
  expect(files).toMatchObject([{ type: { mime: 'image/jpeg', extension: 'jpg' } }]);
  expect(warnings).toEqual([
    'jpeg.png: The name says image/png, but the content is image/jpeg. It is treated as a .jpg file.',
  ]);
});

test.each<[name: string, bytes: string | Uint8Array, message: string]>([
  ['video.jpg', ftyp('isom'), 'image/jpeg'],
  ['page.png', '<html>Not found</html>', 'text/html'],
  ['long.svg', `${XML}<!-- ${'x'.repeat(70_000)} -->${SVG}`, 'text/plain'],
  ['code.ts', `G${'a'.repeat(187)}G = 1;\n`, 'text/plain'],
  ['empty.mp4', '', 'empty'],
  ['office.pdf', CFB, 'application/x-cfb'],
  ['new.doc', office(WORD), WORD],
  ['text.pdf', 'not found', 'text/plain'],
  ['locked.docx', CFB, 'The file has a password, or is of an old version of Office.'],
  ['locked.odt', CFB, 'The file has a password, or is of an old version of Office.'],
])('a file that cannot be sent: %s', async (name, bytes, message) => {
  const { files, problems } = await inspectFiles({ [name]: bytes });
  expect(files).toEqual([]);
  const problem = { reason: 'pre-flight', path: name, message: expect.stringContaining(message), steps: [{}, {}] };
  expect(problems).toMatchObject([problem]);
});

test.each([
  ['a.mp4', 5 * 1024 ** 3, 'The file has 5.4 GB, but videos may have 5 GB.'],
  ['a.mp3', 500 * 1024 ** 2, 'The file has 524.3 MB, but audio files may have 500 MB.'],
  ['a.jpg', 50 * 1024 ** 2, 'The file has 52.4 MB, but images may have 50 MB.'],
  ['a.pdf', 100 * 1024 ** 2, 'The file has 104.9 MB, but documents may have 100 MB.'],
])('a file is too large: %s over %i bytes', async (name, limit, message) => {
  await using workspace = await makeWorkspace({ [name]: '' });
  const absolutePath = path.join(workspace.path, name);
  await truncate(absolutePath, limit + 1);
  const { files, problems } = await inspect([{ path: name, absolutePath }]);
  expect(files).toEqual([]);
  expect(problems).toMatchObject([{ reason: 'pre-flight', path: name, message }]);
});

it('an image of the exact limit is allowed', async () => {
  const bytes = Buffer.concat([JPEG, Buffer.alloc(50 * 1024 ** 2 - JPEG.length)]);
  expect((await inspectFiles({ 'big.jpg': bytes })).problems).toEqual([]);
});

it('ends when the run is aborted', async () => {
  const found = { path: 'a.jpg', absolutePath: '/nowhere/a.jpg' };
  await expect(inspect([found], AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
});

it('the same bytes under two types are a problem', async () => {
  const { problems } = await inspectFiles({
    'a.mp3': BINARY,
    'b.aac': BINARY,
    'c.jpg': JPEG,
    'd.jpeg': JPEG,
    'e.png': JPEG,
    // A Git LFS pointer has the type of its name.
    'f.png': pointerTo(JPEG),
  });
  const steps = [{ text: expect.stringContaining('Give {file} and `a.mp3` the same extension.') }, {}];
  expect(problems).toMatchObject([
    { reason: 'pre-flight', path: 'b.aac', message: expect.stringMatching(/^The same bytes are in a\.mp3/), steps },
    { path: 'f.png', message: expect.stringContaining('in c.jpg, as another type (image/jpeg; here image/png)') },
  ]);
});

const OID = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
const VERSION = 'version https://git-lfs.github.com/spec/v1';

it.for([
  ['plain', `${VERSION}\noid sha256:${OID}\nsize 12345\n`],
  ['with CRLF', `${VERSION}\r\noid sha256:${OID}\r\nsize 12345`],
])('a pointer %s stands for its content', async ([, text = '']) => {
  const found = await inspectFiles({ 'a.mp4': text });
  const pointer = { path: 'a.mp4', sha256: OID, size: 12_345, type: typeOfName('a.mp4') };
  expect(found).toEqual({ files: [], pointers: [pointer], problems: [], warnings: [] });
});

it.for([
  ['to bytes that an extension has changed', `${VERSION}\next-0-b sha256:${OID}\noid sha256:${OID}\nsize 12345\n`],
  // The hash of these is not that of the content.
  ['with anything behind it', `${VERSION}\noid sha256:${OID}\nsize 12345\n%PDF-1.4\n`],
  ['with anything between', `${VERSION}\noid sha256:${OID}\n%PDF-1.4\nsize 12345\n`],
  ['without a size', `${VERSION}\noid sha256:${OID}\n`],
])('a pointer %s cannot be judged, and the owner of the workflow can fix it', async ([, text = '']) => {
  const { pointers, problems } = await inspectFiles({ 'a.mp4': text });
  expect(pointers).toEqual([]);
  const steps = [{ actor: 'workflow owner', text: expect.stringContaining('`lfs: true`') }];
  expect(problems).toMatchObject([{ reason: 'pre-flight', path: 'a.mp4', steps }]);
});

it('a text that names another specification is a text', async () => {
  const text = `version https://example.com/spec/v1\noid sha256:${OID}\nsize 12345\n`;
  const { pointers, problems } = await inspectFiles({ 'a.mp4': text });
  expect([pointers, problems]).toMatchObject([[], [{ message: expect.stringContaining('text/plain') }]]);
});

const CHUNK = 1024 * 1024;

async function inspectOne(root: string, name: string): Promise<Inspection> {
  return await inspect([{ path: name, absolutePath: path.join(root, name) }]);
}

it.for([1, 3 * CHUNK + 7])('the hash of a file of %i bytes', async (size, { makeFolder }) => {
  const content = Buffer.alloc(size, 'text ');
  const root = await makeFolder({ a: content });
  const { files } = await inspectOne(root, 'a');
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(files).toMatchObject([{ sha256, stamp: stampOf(statSync(path.join(root, 'a'))) }]);
});

it('a file that grows while it is hashed is not used', async ({ makeFolder }) => {
  const root = await makeFolder({ a: Buffer.alloc(3 * CHUNK) });
  const hashing = vi.spyOn(Hash.prototype, 'update').mockImplementationOnce(function (this: Hash) {
    appendFileSync(path.join(root, 'a'), 'more');
    return this;
  });
  const { files, problems } = await inspectOne(root, 'a');
  hashing.mockRestore();
  expect(files).toEqual([]);
  expect(problems).toMatchObject([{ path: 'a', message: expect.stringContaining('changed') }]);
});

describe.skipIf(process.platform === 'win32')('a file that was replaced', () => {
  it.for([
    ['missing', 'cannot be read (ENOENT: no such file or directory), so', true],
    ['folder', 'changed', false],
    ['link', 'cannot be read (ELOOP', true],
    ['pipe', 'changed', false],
  ] as const)('%s', async ([name, message, canBeExcluded], { makeFolder }) => {
    const root = await makeFolder({ 'folder/a': 'x' });
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    symlinkSync('folder/a', path.join(root, 'link'));
    const { problems } = await inspectOne(root, name);
    expect(problems).toMatchObject([{ path: name, message: expect.stringContaining(message) }]);
    expect(problems[0]?.steps.some(({ text }) => text.includes(`\`!${name}\``))).toBe(canBeExcluded);
  });
});

// Only Linux lists the open files of a process.
it.runIf(process.platform === 'linux')('every file is closed again, even a refused one', async ({ makeFolder }) => {
  const root = await makeFolder({ good: 'text', empty: '', 'folder/a': 'x' });
  for (const name of ['good', 'empty', 'folder']) await inspectOne(root, name);
  const links = readdirSync('/proc/self/fd').map((fd) => `/proc/self/fd/${fd}`);
  const open = links.filter((link) => existsSync(link) && readlinkSync(link).startsWith(root));
  expect(open).toEqual([]);
});
