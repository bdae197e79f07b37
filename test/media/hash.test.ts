import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GateError } from '../../src/lib/cause.ts';
import { assertUnchanged, stampOf } from '../../src/media/file.ts';
import { type Inspection, inspect } from '../../src/media/inspect.ts';
import { makeWorkspace } from './workspace.ts';

const CHUNK = 1024 * 1024;

async function inspectOne(root: string, name: string, signal?: AbortSignal): Promise<Inspection> {
  return await inspect({ files: [{ path: name, absolutePath: path.join(root, name) }], notices: [] }, signal);
}

/** Called by the hashing itself, with each piece of the file. */
function signalThatDoes(work: () => void): AbortSignal {
  const { signal } = new AbortController();
  let calls = 0;
  // The first call is before the file is opened.
  return Object.assign(signal, { throwIfAborted: () => (++calls > 1 ? work() : undefined) });
}

describe('the hash of a file', () => {
  it.each([1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])('of %i bytes', async (size) => {
    const content = Buffer.alloc(size);
    for (let i = 0; i < size; i += 1000) content[i] = i / 1000;
    await using workspace = await makeWorkspace({ a: content });
    const { files } = await inspectOne(workspace.root, 'a');
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(files).toMatchObject([{ sha256, stamp: stampOf(statSync(path.join(workspace.root, 'a'))) }]);
  });

  it.each<[string, (file: string) => void]>([
    ['grows', (file) => appendFileSync(file, 'more')],
    ['shrinks', (file) => truncateSync(file, 10)],
    ['is written again', (file) => utimesSync(file, 1, 1)],
  ])('that %s meanwhile is not made', async (_, change) => {
    await using workspace = await makeWorkspace({ a: Buffer.alloc(3 * CHUNK) });
    const signal = signalThatDoes(() => change(path.join(workspace.root, 'a')));
    const { files, problems } = await inspectOne(workspace.root, 'a', signal);
    expect(files).toEqual([]);
    expect(problems).toMatchObject([{ path: 'a', message: expect.stringContaining('changed') }]);
  });
});

describe.skipIf(process.platform === 'win32')('a file that cannot be read', () => {
  // Root may read everything.
  it.skipIf(process.getuid?.() === 0)('because it is not allowed', async () => {
    await using workspace = await makeWorkspace({ a: 'x' });
    chmodSync(path.join(workspace.root, 'a'), 0);
    const { problems } = await inspectOne(workspace.root, 'a');
    expect(problems).toMatchObject([{ path: 'a', message: expect.stringContaining('EACCES') }]);
  });

  it('because it is a pipe by now, without waiting for it, or a folder', async () => {
    await using workspace = await makeWorkspace(['folder/']);
    execFileSync('mkfifo', [path.join(workspace.root, 'pipe')]);
    for (const name of ['pipe', 'folder']) {
      const { problems } = await inspectOne(workspace.root, name);
      expect(problems).toMatchObject([{ path: name, message: expect.stringContaining('changed') }]);
    }
  });
});

describe('assertUnchanged', () => {
  it.each<[string, boolean, (file: string) => void]>([
    ['left alone', true, () => {}],
    ['longer', false, (file) => appendFileSync(file, 'x')],
    ['of the same size, written later', false, (file) => utimesSync(file, 1, 1)],
    ['gone', false, (file) => rmSync(file)],
    [
      'another file of the same size and time',
      false,
      (file) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(`${file}.new`, 'abc');
        utimesSync(`${file}.new`, atime, mtime);
        renameSync(`${file}.new`, file);
      },
    ],
  ])('%s: %s', async (_, isUnchanged, change) => {
    await using workspace = await makeWorkspace({ a: 'abc' });
    const absolutePath = path.join(workspace.root, 'a');
    // A whole second, so that the time can be set again exactly.
    utimesSync(absolutePath, 5, 5);
    const file = { path: 'a', absolutePath, stamp: stampOf(statSync(absolutePath)) };
    change(absolutePath);
    const causes = await assertUnchanged(file).then(
      () => [],
      (error: GateError) => error.causes,
    );
    expect(causes).toMatchObject(isUnchanged ? [] : [{ reason: 'pre-flight', path: 'a' }]);
  });
});
