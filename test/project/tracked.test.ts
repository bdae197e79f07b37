import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Home folders of real users. A runner's home is the same for everyone; `user` and `me` are examples. */
const MACHINE_PATHS = [
  /(?<![\w.-])\/home\/(?!runner\/|user\/|me\/)[a-z]\w*\//,
  /(?<![\w.-])\/Users\/\w+\//,
  /(?<![\w.-])\/root\//,
  /(?<![\w./-])\/work\/\w/,
  /\b[A-Z]:\\\\?Users\\/,
];

/** Real secrets. A secret that repeats one character or counts up is an example. */
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

it.each([
  ['path of the machine that they were made on', MACHINE_PATHS],
  ['secret', SECRETS],
])('the files of the repository have no %s', async (_, patterns) => {
  // An archive of the sources is not a Git repository.
  const isRepository = existsSync(path.join(ROOT, '.git'));
  const files = isRepository ? await textFiles() : [];
  expect(files.length > 0).toBe(isRepository);
  // The message shows enough of a secret to find it, and too little to use it.
  const found = ({ name, text }: { name: string; text: string }): readonly string[] =>
    patterns
      .flatMap((pattern) => pattern.exec(text)?.slice(0, 1) ?? [])
      .map((match) => `${name}: ${match.slice(0, 24)}`);
  expect(files.flatMap(found)).toEqual([]);
});

/** Files that Git tracks, or would track after the next `git add`. */
async function textFiles(): Promise<readonly { name: string; text: string }[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const present = names.filter((name) => statSync(path.join(ROOT, name), { throwIfNoEntry: false })?.isFile());
  const files = present.map(async (name) => ({ name, text: await readFile(path.join(ROOT, name), 'utf8') }));
  return (await Promise.all(files)).filter(({ text }) => !text.includes('\0'));
}
