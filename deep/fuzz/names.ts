import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { anyText } from '../../test/faults/hostile.ts';
import { runWithSecrets } from '../../test/harness/invariants.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { CLOCK_FACTOR, expectSound, NO_GITHUB, target } from './target.ts';

interface NameCase {
  /** Paths as Linux has them: bytes, here one character for each. */
  readonly paths: readonly string[];
  /** Which of them has a CRITICAL issue. */
  readonly bad: number;
}

/** As UTF-8, one character for each byte. */
const utf8: fc.Arbitrary<string> = anyText.map((text) => Buffer.from(text).toString('latin1'));

/** Names that careless code could confuse. */
const alike: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'A', '.', ' ', '\\', '*', '?', '%61', '~', '\n'),
      // Bytes that are not UTF-8, and the replacement character.
      fc.constantFrom('\xff', '\xfe', '\xc3', '\xc0\xaf', '\xed\xa0\x80', '\xef\xbf\xbd'),
      // The same letter, composed and decomposed.
      fc.constantFrom('\xc3\xa4', 'a\xcc\x88'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));

const segment: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 3, arbitrary: alike },
    { weight: 2, arbitrary: utf8 },
    fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.constantFrom('a'.repeat(251), '\xff'.repeat(251), 'é'.repeat(251), '-', '--', '...', 'con', '.git ', 'dist'),
  )
  .map((text) => text.replaceAll(/[/\0]/g, '_').slice(0, 251));

/** Folders that are never searched, and names that do not exist. */
const TAKEN: readonly string[] = ['.', '..', '.git', 'node_modules'];

const anyPath: fc.Arbitrary<string> = fc
  .tuple(fc.array(segment, { maxLength: 2 }), segment, fc.constantFrom('.png', '.PNG', ''))
  .map(([folders, name, extension]) => [...folders, name + extension])
  .filter((segments) => segments.every((each) => each !== '' && !TAKEN.includes(each)))
  .map((segments) => segments.join('/'));

/** Paths in valid UTF-8: any other path ends a run before anything is sent. */
const spelledPath: fc.Arbitrary<string> = anyPath
  .map((path) => Buffer.from(path, 'latin1').toString('utf8').replaceAll('\ufffd', 'ä'))
  .map((path) => Buffer.from(path).toString('latin1'));

/** Names that differ in one place, by characters that careless code could confuse. */
const similarPaths: fc.Arbitrary<readonly string[]> = fc
  .record({
    before: fc.constantFrom('', 'x', 'x/y'),
    between: fc.shuffledSubarray(['\xff', '\xfe', '\xef\xbf\xbd', '\xc3\xa4', 'a\xcc\x88', 'a', 'A', '\n', '\r'], {
      minLength: 2,
      maxLength: 4,
    }),
    after: fc.constantFrom('.png', '/a.png', '/b/c.png'),
    file: fc.option(anyPath, { nil: undefined }),
  })
  .map(({ before, between, after, file }) => [
    // Each folder also holds a file that no other folder has, so that none looks empty.
    ...between.map((part, index) => before + part + after.replace('.png', index === 0 ? '.png' : `${index}.png`)),
    ...between.map((part) => before + part + after),
    ...(file === undefined ? [] : [file]),
  ])
  .map((paths) => [...new Set(paths)]);

const anyCase: fc.Arbitrary<NameCase> = fc.record({
  paths: fc.oneof(
    { weight: 3, arbitrary: fc.uniqueArray(spelledPath, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.uniqueArray(anyPath, { minLength: 1, maxLength: 6 }) },
    { weight: 2, arbitrary: similarPaths },
  ),
  bad: fc.nat({ max: 8 }),
});

/** Any file name that Linux allows. One file has a CRITICAL issue, and no name may hide it. */
export const NAMES = target<NameCase>('file names', anyCase, async (emulator) => ({
  async play({ paths, bad }) {
    await using workspace = await makeWorkspace({});
    const written: string[] = [];
    for (const file of paths) if (await write(workspace.path, file)) written.push(file);
    const worst = written[bad % written.length];
    if (worst === undefined) return;
    const scenario = { files: [{ match: digitsOf(contentOf(worst)), issues: [{ severity: 'CRITICAL' }] }] };
    const run = await runWithSecrets({
      workspace: workspace.path,
      service: emulator.workspace({ scenario }),
      baseUrl: emulator.baseUrl,
      clockFactor: CLOCK_FACTOR,
      env: NO_GITHUB,
      inputs: { files: '**' },
    });
    expectSound(run);
    // A folder that cannot be read ends the search.
    if (run.outputs['reason'] !== 'pre-flight') assert.equal(run.outputs['files-matched'], String(written.length));
    assert.match(run.outputs['verdict'] ?? '', /^(fail|error)$/, 'One of the files has a CRITICAL issue');
    assert.ok(run.service.submissions.length <= 1, 'More than one submission was created');
  },
  async [Symbol.asyncDispose]() {},
}));

/** False if the disk refuses it: too long, or a folder has the name of a file. */
async function write(workspace: string, file: string): Promise<boolean> {
  const place = (name: string): Buffer => Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(name, 'latin1')]);
  try {
    const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
    await mkdir(place(folder), { recursive: true });
    await writeFile(place(file), contentOf(file), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function contentOf(file: string): Buffer {
  return png(file);
}

/** The part of the name at the service that depends on the content alone. */
function digitsOf(content: Buffer): string {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return createHash('sha256').update(`4711\n${sha256}`).digest('hex').slice(0, 16);
}
