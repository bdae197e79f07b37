import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A directory that is gone when the test ends: `await using workspace = await makeWorkspace({...})`. */
export interface Workspace extends AsyncDisposable {
  readonly root: string;
}

/** @param files Content by path; a path that ends in a slash is an empty directory. */
export async function makeWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> | readonly string[],
): Promise<Workspace> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'media-test-'));
  const contents = Array.isArray(files) ? files.map((name) => [name, 'x'] as const) : Object.entries(files);
  for (const [name, content] of contents) {
    const target = path.join(root, name);
    await mkdir(name.endsWith('/') ? target : path.dirname(target), { recursive: true });
    if (!name.endsWith('/')) await writeFile(target, content);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
