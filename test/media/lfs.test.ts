import { expect, it } from 'vitest';
import { parsePointer, pointerProblem } from '../../src/media/lfs.ts';

const OID = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
const VERSION = 'version https://git-lfs.github.com/spec/v1';

it.each<[string, string, boolean]>([
  ['plain', `${VERSION}\noid sha256:${OID}\nsize 12345\n`, true],
  ['with CRLF', `${VERSION}\r\noid sha256:${OID}\r\nsize 12345`, true],
  ['of an unknown specification', `version https://example.com/spec/v1\noid sha256:${OID}\nsize 12345\n`, false],
  ['with anything behind it', `${VERSION}\noid sha256:${OID}\nsize 12345\n%PDF-1.4\n`, false],
  ['with anything between', `${VERSION}\noid sha256:${OID}\n%PDF-1.4\nsize 12345\n`, false],
  ['without a size', `${VERSION}\noid sha256:${OID}\n`, false],
  ['with a size that is no number', `${VERSION}\noid sha256:${OID}\nsize 1e3\n`, false],
  ['with a hash in capitals', `${VERSION}\noid sha256:${OID.toUpperCase()}\nsize 12345\n`, false],
  ['in a long text', `${VERSION}\noid sha256:${OID}\nsize 12345\n${'x'.repeat(1024)}`, false],
])('a pointer %s', (_, text, isPointer) => {
  const expected = isPointer ? { path: 'a.mp4', sha256: OID, size: 12_345 } : undefined;
  expect(parsePointer('a.mp4', Buffer.from(text))).toEqual(expected);
});

it('has no hash if an extension has changed the stored bytes', () => {
  const text = `${VERSION}\next-0-foo.bar-1 sha256:${OID}\next-1-b sha256:${OID}\noid sha256:${OID}\nsize 12345\n`;
  expect(parsePointer('a.mp4', Buffer.from(text))).toEqual({ path: 'a.mp4', sha256: '', size: 12_345 });
});

it('the owner of the workflow can fix it, in the file that is named if it is known', () => {
  const pointer = { path: 'a.mp4', sha256: OID, size: 12_345 };
  const fixIn = (workflow: string): unknown => pointerProblem(pointer, workflow).steps[0]?.text;
  expect(pointerProblem(pointer, 'media.yml')).toMatchObject({ path: 'a.mp4', steps: [{ actor: 'workflow owner' }] });
  expect(fixIn('media.yml')).toContain('`actions/checkout` step of `media.yml`, commit');
  expect(fixIn('')).toContain('`actions/checkout` step, commit');
});
