import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { stampOf } from '../../src/media/file.ts';
import { type Inspection, inspect } from '../../src/media/inspect.ts';
import { it } from '../harness/fixtures.ts';

const CHUNK = 1024 * 1024;

async function inspectOne(root: string, name: string, signal?: AbortSignal): Promise<Inspection> {
  return await inspect([{ path: name, absolutePath: path.join(root, name) }], signal);
}

it.for([1, 3 * CHUNK + 7])('the hash of a file of %i bytes', async (size, { makeFolder }) => {
  const content = Buffer.alloc(size, 'text ');
  const root = await makeFolder({ a: content });
  const { files } = await inspectOne(root, 'a');
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(files).toMatchObject([{ sha256, stamp: stampOf(fs.statSync(path.join(root, 'a'))) }]);
});

it('a file that grows while it is hashed is not used', async ({ makeFolder }) => {
  const root = await makeFolder({ a: Buffer.alloc(3 * CHUNK) });
  const { signal } = new AbortController();
  // Hashing calls `throwIfAborted` before each piece of the file.
  Object.assign(signal, { throwIfAborted: () => fs.appendFileSync(path.join(root, 'a'), 'more') });
  const { files, problems } = await inspectOne(root, 'a', signal);
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
    fs.symlinkSync('folder/a', path.join(root, 'link'));
    const { problems } = await inspectOne(root, name);
    expect(problems).toMatchObject([{ path: name, message: expect.stringContaining(message) }]);
    expect(problems[0]?.steps.some(({ text }) => text.includes(`\`!${name}\``))).toBe(canBeExcluded);
  });
});

// Only Linux lists the open files of a process.
it.runIf(process.platform === 'linux')('every file is closed again, even a refused one', async ({ makeFolder }) => {
  const root = await makeFolder({ good: 'text', empty: '', 'folder/a': 'x' });
  for (const name of ['good', 'empty', 'folder']) await inspectOne(root, name);
  const links = fs.readdirSync('/proc/self/fd').map((fd) => `/proc/self/fd/${fd}`);
  const open = links.filter((link) => fs.existsSync(link) && fs.readlinkSync(link).startsWith(root));
  expect(open).toEqual([]);
});
