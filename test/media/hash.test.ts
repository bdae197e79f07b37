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
import { assertUnchanged, type FoundFile, hashFile, stampOf } from '../../src/media/file.ts';
import { makeWorkspace } from './workspace.ts';

const CHUNK = 1024 * 1024;

function found(root: string, name: string): FoundFile {
  return { path: name, absolutePath: path.join(root, name) };
}

/** Called by the hashing itself, between two of its reads. */
function signalThatDoes(work: () => void): AbortSignal {
  const { signal } = new AbortController();
  return Object.assign(signal, { throwIfAborted: work });
}

describe('hashFile', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])('a file of %i bytes', async (size) => {
    const content = Buffer.alloc(size);
    for (let i = 0; i < size; i += 1000) content[i] = i / 1000;
    await using workspace = await makeWorkspace({ a: content });
    const { sha256, stamp } = await hashFile(found(workspace.root, 'a'));
    expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(stamp).toEqual(stampOf(statSync(path.join(workspace.root, 'a'))));
  });

  it.each<[string, (file: string) => void]>([
    ['grows', (file) => appendFileSync(file, 'more')],
    ['shrinks', (file) => truncateSync(file, 10)],
    ['is written again', (file) => utimesSync(file, 1, 1)],
  ])('a file that %s meanwhile is a problem', async (_, change) => {
    await using workspace = await makeWorkspace({ a: Buffer.alloc(2 * CHUNK) });
    const file = found(workspace.root, 'a');
    const signal = signalThatDoes(() => change(file.absolutePath));
    await expect(hashFile(file, signal)).rejects.toMatchObject({
      causes: [{ reason: 'pre-flight', path: 'a', message: expect.stringContaining('changed') }],
    });
  });

  it('ends when aborted', async () => {
    await using workspace = await makeWorkspace({ a: 'x' });
    const reason = new Error('cancelled');
    await expect(hashFile(found(workspace.root, 'a'), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  // Root may read everything.
  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('says that a file may not be read', async () => {
    await using workspace = await makeWorkspace({ a: 'x' });
    const file = found(workspace.root, 'a');
    chmodSync(file.absolutePath, 0);
    await expect(hashFile(file)).rejects.toMatchObject({
      causes: [{ path: 'a', message: expect.stringContaining('EACCES') }],
    });
  });

  it.skipIf(process.platform === 'win32')('neither reads a pipe nor waits for it', async () => {
    await using workspace = await makeWorkspace([]);
    const file = found(workspace.root, 'pipe');
    execFileSync('mkfifo', [file.absolutePath]);
    await expect(hashFile(file)).rejects.toMatchObject({
      causes: [{ path: 'pipe', message: expect.stringContaining('replaced') }],
    });
  });

  it.runIf(process.platform === 'linux')('refuses a file that holds more than its size says', async () => {
    const file = { path: 'version', absolutePath: '/proc/version' };
    await expect(hashFile(file)).rejects.toMatchObject({ causes: [{ path: 'version' }] });
  });

  it('does not take a directory for a file', async () => {
    await using workspace = await makeWorkspace(['a/']);
    await expect(hashFile(found(workspace.root, 'a'))).rejects.toMatchObject({ causes: [{ path: 'a' }] });
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
  ])('%s: %s', async (_, unchanged, change) => {
    await using workspace = await makeWorkspace({ a: 'abc' });
    const file = found(workspace.root, 'a');
    // A whole second, so that the time can be set again exactly.
    utimesSync(file.absolutePath, 5, 5);
    const stamped = { ...file, stamp: stampOf(statSync(file.absolutePath)) };
    change(file.absolutePath);
    const causes = await assertUnchanged(stamped).then(
      () => [],
      (error: GateError) => error.causes,
    );
    expect(causes).toMatchObject(unchanged ? [] : [{ reason: 'pre-flight', path: 'a' }]);
  });
});
