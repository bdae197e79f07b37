import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Files = Readonly<Record<string, Uint8Array | string>>;

export type TestWorkspace = Awaited<ReturnType<typeof makeWorkspace>>;

/** A folder that is removed by `remove`, or at the end of its scope. */
export async function makeWorkspace(files: Files) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gate-workspace-'));
  await writeFiles(directory, files);
  const remove = async (): Promise<void> => await rm(directory, { recursive: true, force: true });
  return { path: directory, remove, [Symbol.asyncDispose]: remove };
}

/** Writes files into a folder. A file whose content is undefined is removed. */
export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, Uint8Array | string | undefined>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await (content === undefined ? rm(file) : writeFile(file, content));
  }
}
