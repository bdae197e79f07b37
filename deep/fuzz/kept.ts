import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./kept/', import.meta.url));

/** A case that failed once. It is committed with its fix, and replayed by every `npm test`. */
export interface KeptCase {
  readonly target: string;
  /** The failure when it was found. */
  readonly found: string;
  readonly case: unknown;
}

export async function keptCases(): Promise<readonly (readonly [string, KeptCase])[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).toSorted();
  return await Promise.all(
    names.map(async (name): Promise<readonly [string, KeptCase]> => {
      const kept: KeptCase = JSON.parse(await readFile(path.join(FOLDER, name), 'utf8'));
      return [name, kept];
    }),
  );
}

/** Keeps one case for each kind of failure. @returns its path */
export async function keep(target: string, json: string, failure: string): Promise<string> {
  const found = failure.split('\n').slice(0, 3).join('\n').slice(0, 500);
  const kind = found.replaceAll(/[0-9a-f]{6,}|\d+/g, '0');
  const digits = createHash('sha256').update(kind).digest('hex').slice(0, 8);
  const file = path.join(FOLDER, `${target.replaceAll(' ', '-')}-${digits}.json`);
  await mkdir(FOLDER, { recursive: true });
  const kept: KeptCase = { target, found, case: JSON.parse(json) };
  await writeFile(file, `${JSON.stringify(kept, undefined, 2)}\n`, { flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  return file;
}
