import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { EXCLUDE_IT, type GateError } from '../../src/lib/cause.ts';
import { assertUnchanged, stampOf } from '../../src/media/file.ts';
import { type Inspection, inspect } from '../../src/media/inspect.ts';
import { it } from '../harness/fixtures.ts';

const CHUNK = 1024 * 1024;

async function inspectOne(root: string, name: string, signal?: AbortSignal): Promise<Inspection> {
  return await inspect([{ path: name, absolutePath: path.join(root, name) }], {
    selects: () => true,
    ...(signal && { signal }),
  });
}

/** Called by the hashing itself, with each piece of the file. */
function signalThatDoes(work: () => void): AbortSignal {
  const { signal } = new AbortController();
  let calls = 0;
  // The first call is before the file is opened.
  return Object.assign(signal, { throwIfAborted: () => (++calls > 1 ? work() : undefined) });
}

describe('the hash of a file', () => {
  it.for([1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])('of %i bytes', async (size, { makeFolder }) => {
    const content = Buffer.alloc(size, 'text ');
    const root = await makeFolder({ a: content });
    const { files } = await inspectOne(root, 'a');
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(files).toMatchObject([{ sha256, stamp: stampOf(statSync(path.join(root, 'a'))) }]);
  });

  it.for<[string, (file: string) => void]>([
    ['grows', (file) => appendFileSync(file, 'more')],
    ['shrinks', (file) => truncateSync(file, 10)],
    ['is written again', (file) => utimesSync(file, 1, 1)],
  ])('that %s meanwhile is not made', async ([, change], { makeFolder }) => {
    const root = await makeFolder({ a: Buffer.alloc(3 * CHUNK) });
    const signal = signalThatDoes(() => change(path.join(root, 'a')));
    const { files, problems } = await inspectOne(root, 'a', signal);
    expect(files).toEqual([]);
    expect(problems).toMatchObject([{ path: 'a', message: expect.stringContaining('changed') }]);
  });
});

describe.skipIf(process.platform === 'win32')('a file that cannot be read', () => {
  it('because it is missing, or was replaced by a folder, a link or a pipe, which does not block', async ({
    makeFolder,
  }) => {
    const root = await makeFolder({ 'folder/a': 'x' });
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    symlinkSync('folder/a', path.join(root, 'link'));
    for (const [name, message] of [
      ['missing', 'cannot be read (ENOENT)'],
      ['folder', 'changed'],
      ['link', 'cannot be read (ELOOP)'],
      ['pipe', 'changed'],
    ] as const) {
      const { problems } = await inspectOne(root, name);
      expect(problems).toMatchObject([{ path: name, message: expect.stringContaining(message) }]);
      // What can never be read can be excluded; what is written meanwhile comes too early.
      expect(problems[0]?.steps.includes(EXCLUDE_IT)).toBe(message.includes('cannot be read'));
    }
  });
});

// Only Linux lists the open files of a process.
it.runIf(process.platform === 'linux')(
  'every file is closed again, also one that is refused',
  async ({ makeFolder }) => {
    const root = await makeFolder({ good: 'text', empty: '', 'folder/a': 'x' });
    for (const name of ['good', 'empty', 'folder']) await inspectOne(root, name);
    const open = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    expect(open.filter((file) => file.startsWith(root))).toEqual([]);
  },
);

function replaceWithCopy(file: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(`${file}.new`, 'abc');
  utimesSync(`${file}.new`, atime, mtime);
  renameSync(`${file}.new`, file);
}

it.for<[string, boolean, (file: string) => void]>([
  ['left alone', true, () => {}],
  ['longer', false, (file) => appendFileSync(file, 'x')],
  ['written later with the same size', false, (file) => utimesSync(file, 1, 1)],
  ['written with the same size and its time set back', false, (file) => utimesSync(file, 5, 5)],
  ['missing', false, (file) => rmSync(file)],
  ['replaced by a file of the same size and time', false, replaceWithCopy],
])('a file that is %s counts as unchanged: %s', async ([, isUnchanged, change], { makeFolder }) => {
  const absolutePath = path.join(await makeFolder({ a: 'abc' }), 'a');
  // A whole second, so that the time can be set again exactly.
  utimesSync(absolutePath, 5, 5);
  const file = { path: 'a', absolutePath, stamp: stampOf(statSync(absolutePath)) };
  // The system's clock for files moves in steps of up to 10 ms.
  await setTimeout(20);
  change(absolutePath);
  const causes = await assertUnchanged(file).then(
    () => [],
    (error: GateError) => error.causes,
  );
  expect(causes).toMatchObject(isUnchanged ? [] : [{ reason: 'pre-flight', path: 'a' }]);
});
