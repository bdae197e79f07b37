import { appendFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateError } from '../../src/cause.ts';
import type { StreamedBody } from '../../src/http/http.ts';
import type { MediaFile } from '../../src/media/file.ts';
import { stampOf } from '../../src/media/stamp.ts';
import { bytesOf, formWith } from '../../src/service/file-body.ts';
import { makeWorkspace } from '../gate/gate.ts';

const BYTES = Buffer.from('\0bytes\r\n--boundary--');
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let file: MediaFile;
beforeEach(async () => {
  workspace = await makeWorkspace({ 'a.png': BYTES });
  const absolutePath = path.join(workspace.path, 'a.png');
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  file = { path: 'a.png', absolutePath, sha256: '', type, stamp: stampOf(await stat(absolutePath)) };
});
afterEach(async () => {
  await workspace.remove();
});

async function read(body: StreamedBody): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body.pieces) pieces.push(Buffer.from(piece));
  await body.close();
  return Buffer.concat(pieces);
}

it('bytes: all of them, with their length', async () => {
  const { headers, body } = await bytesOf(file);
  expect(headers).toEqual({ 'content-length': String(BYTES.length), 'content-type': 'image/png' });
  expect(await read(body)).toEqual(BYTES);
});

it('a form: one part named file, under the name it is given, with the length of the whole', async () => {
  const { headers, body } = await formWith(file, 'a-b.png');
  const sent = await read(body);
  expect(headers['content-length']).toBe(String(sent.length));
  const form = await new Response(sent, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  const part = form.get('file');
  if (!(part instanceof File)) throw new Error('The part is no file.');
  expect([...form.keys()]).toEqual(['file']);
  expect([part.name, part.type]).toEqual(['a-b.png', 'image/png']);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(BYTES);
});

describe('a file that is no longer what was inspected is not sent', () => {
  it.each<[string, () => Promise<void>]>([
    ['longer', async () => await appendFile(file.absolutePath, 'more')],
    ['other bytes of the same length', async () => await writeFile(file.absolutePath, Buffer.alloc(BYTES.length))],
    ['gone', async () => await rm(file.absolutePath)],
    [
      'a link',
      async () => {
        await writeFile(`${file.absolutePath}.real`, BYTES);
        await rm(file.absolutePath);
        await symlink(`${file.absolutePath}.real`, file.absolutePath);
      },
    ],
  ])('%s', async (_, change) => {
    await change();
    await expect(bytesOf(file)).rejects.toThrow(GateError);
    await expect(formWith(file, 'x')).rejects.toThrow('The file changed while it was being checked');
  });
});
