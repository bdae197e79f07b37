import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { digitsIn, uploadName } from '../../src/media/content.ts';

const SHA = 'a'.repeat(64);
const CONTENT = { sha256: SHA, repositoryId: '1', extension: 'png' };
const DIGITS = /-[0-9a-f]{32}(?=\.[^.]+$)/;

it.each([
  ['campaign/hero.mp4', 'mp4', 'campaign-hero.mp4'],
  ['.hidden/.dot.png', 'png', 'hidden-dot.png'],
  ['.png', 'png', 'png.png'],
  ['caf\u00e9/\u{1f3ac}.png', 'png', 'caf.png'],
  ['\u{1f3ac}.png', 'png', 'file.png'],
  ['x.tar', 'tar.gz', 'x.targz'],
])('the upload name of %s as .%s', (path, extension, expected) => {
  const name = uploadName(path, { ...CONTENT, extension });
  expect(name).toMatch(DIGITS);
  expect(name.replace(DIGITS, '')).toBe(expected);
});

it('an upload name is the same only for the same content and repository', () => {
  const ofRepositories = ['1', '1', '2', '11'].map((repositoryId) => ({ ...CONTENT, repositoryId }));
  const ofContents = [SHA, 'b'.repeat(64), `1${SHA}`].map((sha256) => ({ ...CONTENT, sha256 }));
  expect(new Set([...ofRepositories, ...ofContents].map((each) => uploadName('a.png', each))).size).toBe(5);
});

it('the digits are found in whatever the service made of an upload name', () => {
  const [digits = ''] = digitsIn(uploadName('a.png', CONTENT));
  const long = `${'a'.repeat(1_500)}-${digits}.png`;
  for (const name of [digits, `folder/HERO_${digits.toUpperCase()}`, `abc${digits}def`, long])
    expect(digitsIn(name)).toContain(digits);
  expect(digitsIn(digits.slice(1))).toEqual([]);
});

it('an upload name is safe and short whatever the path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 30 }), (path, extension) => {
      const name = uploadName(path, { ...CONTENT, extension });
      expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*-[0-9a-f]{32}\.[A-Za-z0-9]+$/);
      expect(name.length).toBeLessThanOrEqual(64);
    }),
  );
  expect(uploadName('a', { ...CONTENT, extension: 'x'.repeat(300) }).length).toBeLessThanOrEqual(64);
  const long = uploadName(`first/${'long/'.repeat(100)}last.png`, CONTENT);
  expect(long.length).toBeGreaterThan(60);
  expect(long).toMatch(/^[^f].*-long-last-[0-9a-f]{32}\.png$/);
});
