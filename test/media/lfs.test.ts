import path from 'node:path';
import { expect } from 'vitest';
import { type Inspection, inspect } from '../../src/media/inspect.ts';
import { typeOfName } from '../../src/media/media-types.ts';
import { it } from '../harness/fixtures.ts';

const OID = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
const VERSION = 'version https://git-lfs.github.com/spec/v1';

async function inspectOne(root: string): Promise<Inspection> {
  return await inspect([{ path: 'a.mp4', absolutePath: path.join(root, 'a.mp4') }]);
}

it.for([
  ['plain', `${VERSION}\noid sha256:${OID}\nsize 12345\n`],
  ['with CRLF', `${VERSION}\r\noid sha256:${OID}\r\nsize 12345`],
])('a pointer %s stands for its content', async ([, text = ''], { makeFolder }) => {
  const found = await inspectOne(await makeFolder({ 'a.mp4': text }));
  const pointer = { path: 'a.mp4', sha256: OID, size: 12_345, type: typeOfName('a.mp4') };
  expect(found).toEqual({ files: [], pointers: [pointer], problems: [], warnings: [] });
});

it.for([
  ['to bytes that an extension has changed', `${VERSION}\next-0-b sha256:${OID}\noid sha256:${OID}\nsize 12345\n`],
  // The hash of these is not that of the content.
  ['with anything behind it', `${VERSION}\noid sha256:${OID}\nsize 12345\n%PDF-1.4\n`],
  ['with anything between', `${VERSION}\noid sha256:${OID}\n%PDF-1.4\nsize 12345\n`],
  ['without a size', `${VERSION}\noid sha256:${OID}\n`],
])('a pointer %s cannot be judged, and the owner of the workflow can fix it', async ([, text = ''], { makeFolder }) => {
  const { pointers, problems } = await inspectOne(await makeFolder({ 'a.mp4': text }));
  expect(pointers).toEqual([]);
  const steps = [{ actor: 'workflow owner', text: expect.stringContaining('`lfs: true`') }];
  expect(problems).toMatchObject([{ reason: 'pre-flight', path: 'a.mp4', steps }]);
});

it('a text that names another specification is a text', async ({ makeFolder }) => {
  const text = `version https://example.com/spec/v1\noid sha256:${OID}\nsize 12345\n`;
  const { pointers, problems } = await inspectOne(await makeFolder({ 'a.mp4': text }));
  expect([pointers, problems]).toMatchObject([[], [{ message: expect.stringContaining('text/plain') }]]);
});
