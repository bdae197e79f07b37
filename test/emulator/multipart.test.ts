import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { boundaryOf, type FilePart, FormReader } from '../../emulator/multipart.ts';

function read(text: string, boundary = 'bound', step = text.length): FilePart {
  const bytes = Buffer.from(text);
  const reader = new FormReader(boundary);
  for (let at = 0; at < bytes.length; at += step) reader.write(bytes.subarray(at, at + step));
  return reader.end();
}

function form(content: string, disposition = 'form-data; name="file"; filename="a.png"'): string {
  return `--bound\r\nContent-Disposition: ${disposition}\r\nContent-Type: image/png\r\n\r\n${content}\r\n--bound--\r\n`;
}

describe('reading a form', () => {
  // Everything that looks like the boundary but is not has to come through whole.
  const content = 'a\r\n--boun\r\n-\r\n\r\n--\r\nbound--bound\r\n--bounb\n';

  it.each([1, 2, 3, 5, 7, 11, 64, 1000])('yields the same file in pieces of %d bytes', (step) => {
    const part = read(form(content), 'bound', step);
    expect(part).toMatchObject({ filename: 'a.png', contentType: 'image/png' });
    expect(part.digest).toMatchObject({
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      head: Buffer.from(content),
    });
  });

  it('takes an empty file and no line break at the very end', () => {
    expect(read(form('')).digest.size).toBe(0);
    expect(read(form('x').slice(0, -2)).digest.size).toBe(1);
  });

  it.each([
    ['form-data; name="file"; filename="a \\"b\\".png"', 'a "b".png'],
    ['form-data; name="file"; filename="x; name=y.png"', 'x; name=y.png'],
    ['form-data; filename="first.png"; name="file"', 'first.png'],
    ['form-data; name=file; filename=token.png', 'token.png'],
    ['form-data; name="file"; filename="dir\\a.png"', 'dir\\a.png'],
    ['form-data; name="file"; filename=""', ''],
  ])('reads the name in %s', (disposition, filename) => {
    expect(read(form('x', disposition)).filename).toBe(filename);
  });

  it.each([
    ['nothing', ''],
    ['a preamble', `hello\r\n${form('x')}`],
    ['no closing boundary', form('x').slice(0, -4)],
    ['an epilogue', `${form('x')}more`],
    ['two parts', form('x').replace('--bound--', '--bound') + form('y').slice('--bound\r\n'.length)],
    ['another name', form('x', 'form-data; name="media"; filename="a.png"')],
    ['no filename', form('x', 'form-data; name="file"')],
    ['no form-data', form('x', 'attachment; name="file"; filename="a.png"')],
    ['an unreadable disposition', form('x', 'form-data; name="file; filename=a.png')],
    ['a header without a name', form('x').replace('Content-Type: ', 'Content-Type ')],
    ['endless headers', `--bound\r\nX: ${'x'.repeat(20_000)}`],
  ])('refuses %s', (_, text) => {
    expect(() => read(text)).toThrow(/422.*malformed/);
  });
});

describe('the boundary', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
    ['Multipart/Form-Data;boundary=x', 'x'],
  ])('of %s is %s', (contentType, boundary) => {
    expect(boundaryOf(contentType)).toBe(boundary);
  });

  it.each([undefined, 'application/json', 'multipart/form-data', 'multipart/mixed; boundary=x'])(
    'is missing in %s',
    (contentType) => {
      expect(() => boundaryOf(contentType)).toThrow(/422/);
    },
  );
});
