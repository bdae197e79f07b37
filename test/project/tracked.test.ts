import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Home folders of real users. A runner's home is the same for everyone; `user` and `me` are examples. */
const MACHINE_PATHS = [
  /(?<![\w.-])\/home\/(?!runner\/|user\/|me\/)[a-z]\w*\//,
  /(?<![\w.-])\/Users\/\w+\//,
  /(?<![\w.-])\/root\//,
  /(?<![\w./-])\/work\/\w/,
  /\b[A-Z]:\\\\?Users\\/,
];

/** What a real secret looks like. One that repeats a character or counts is made up. */
const SECRETS = [
  /\bsk_live_(?!(.)\1{63})[0-9a-f]{64}\b/i,
  /\bsk_test_(?!(.)\1{31})[0-9a-f]{32}/i,
  /\bgh[opsur]_(?!0123456789)[A-Za-z0-9]{36}\b/,
  /\bgithub_pat_\w{40}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bxox[abpr]-[0-9A-Za-z-]{10}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*[A-Za-z0-9+/]{16}/,
  /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/,
];

// An archive of the sources is no repository, and tracks nothing.
describe.skipIf(!existsSync(path.join(ROOT, '.git')))('the files of the repository', async () => {
  const files = await textFiles();

  it('name no path of a machine that they were made on', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(found(MACHINE_PATHS)).toEqual([]);
  });

  it('hold nothing that looks like a secret', () => {
    expect(found(SECRETS)).toEqual([]);
  });

  function found(patterns: readonly RegExp[]): readonly string[] {
    return files.flatMap(({ name, text }) =>
      patterns.flatMap((pattern) => {
        const match = pattern.exec(text);
        // Enough to find it, too little to use it.
        return match ? [`${name}: ${match[0].slice(0, 24)}`] : [];
      }),
    );
  }
});

/** What is tracked, or would be with the next commit. */
async function textFiles(): Promise<readonly { name: string; text: string }[]> {
  if (!existsSync(path.join(ROOT, '.git'))) return [];
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const isFile = (name: string): boolean =>
    statSync(path.join(ROOT, name), { throwIfNoEntry: false })?.isFile() ?? false;
  const names = list.split('\0').filter((name) => name !== '' && isFile(name));
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(ROOT, name), 'utf8') })),
  );
  return files.filter(({ text }) => !text.includes('\0'));
}
