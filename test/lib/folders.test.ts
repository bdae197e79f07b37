import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertNoSymlink, claimFolder } from '../../src/lib/folders.ts';
import { makeWorkspace } from '../harness/workspace.ts';

describe('a path in the workspace', () => {
  it('may not lead through a link, wherever it is in the path', async () => {
    await using place = await makeWorkspace({ 'checkout/a.txt': 'a', 'elsewhere/b.txt': 'b' });
    const workspace = path.join(place.path, 'checkout');
    await symlink('../elsewhere', path.join(workspace, 'link'));
    const check = async (target: string): Promise<void> =>
      await assertNoSymlink({ path: path.join(workspace, target), workspace, input: 'report-dir' });
    for (const target of ['link', 'link/new/report'])
      await expect(check(target)).rejects.toMatchObject({
        causes: [{ reason: 'bad-input', path: 'link', message: expect.stringContaining('`report-dir`') }],
      });
    // What is not there yet is no link, and what is outside cannot be changed by a pull request.
    for (const target of ['', 'new/report', 'a.txt', '../elsewhere/new']) await check(target);
  });
});

describe('a folder of one step', () => {
  it('has the first free name', async () => {
    await using temp = await makeWorkspace({});
    const claim = (): string => path.relative(temp.path, claimFolder(temp.path, 'gate'));
    expect([claim(), claim(), claim()]).toEqual(['gate', 'gate-2', 'gate-3']);
    expect(existsSync(path.join(temp.path, 'gate-3'))).toBe(true);
  });

  it('is named even if it cannot be made: whoever writes there reports the problem', () => {
    expect(claimFolder('/nowhere/at all', 'gate')).toBe(path.join('/nowhere/at all', 'gate'));
  });
});
