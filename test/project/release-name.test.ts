import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { renameAction } from '../../scripts/release-name.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['README.md', 'docs', 'examples/workflows', 'package.json', 'scripts/demo'];

describe('npm run release:name', () => {
  it('renames the action wherever it is named, and can do so again', async () => {
    const root = await copyOfRepository();
    const { repository } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
    const before = repository.replace('github:', '');
    await writeFile(path.join(root, 'other.md'), `${before} ${before}-fork ${before}@v0`);
    execFileSync('git', ['add', '.'], { cwd: root });

    const changed = renameAction(root, 'acme/gate');
    expect(changed).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'examples/workflows/pull-request.yml']),
    );
    expect(await readFile(path.join(root, 'other.md'), 'utf8')).toBe(`acme/gate ${before}-fork acme/gate@v0`);
    expect(await readFile(path.join(root, 'README.md'), 'utf8')).not.toContain(before);
    expect(renameAction(root, 'acme/gate')).toEqual([]);
    expect(renameAction(root, before).toSorted()).toEqual(changed.toSorted());
  });

  it.each(['', 'gate', 'acme/gate/more', 'https://github.com/acme/gate', '-acme/gate'])('refuses "%s"', (name) => {
    expect(() => renameAction(ROOT, name)).toThrow('npm run release:name -- owner/repo');
  });
});

async function copyOfRepository(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'release-name-'));
  onTestFinished(async () => await rm(root, { recursive: true }));
  for (const name of COPIED) await cp(path.join(ROOT, name), path.join(root, name), { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  return root;
}
