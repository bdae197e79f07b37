import * as fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readInputs } from '../../src/inputs/parse.ts';
import { DEFAULTS, type InputName } from '../../src/inputs/reader.ts';
import { assertNoSymlink } from '../../src/lib/folders.ts';
import { loadWaivers } from '../../src/waivers/waivers-file.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { search } from '../media/search.ts';

const RUNS = 1_000;

/** The workspace and the folder beside it have the same names, so that a path means something in both. */
const FOLDERS = ['a', 'b', 'a/b'];
const FILES = ['x.png', 'w.yml', ...FOLDERS.flatMap((folder) => [`${folder}/x.png`, `${folder}/w.yml`])];
const LINKS = ['d', 'e', 'a/d', 'x.yml', 'y.png'];

const part = fc.constantFrom('a', 'b', 'd', 'e', '..', '..', 'x.png', 'w.yml');
const steps = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const outsideTarget = fc.constantFrom(...FOLDERS, ...FILES).map((place) => `$OUTSIDE/${place}`);
/** `d/..` is not the folder of the link `d`, but the folder above its target. */
const detour = fc
  .tuple(fc.constantFrom('d', 'e'), fc.constantFrom(...FOLDERS, ...FILES))
  .map((parts) => parts.join('/../'));
const target = fc.oneof(steps, outsideTarget, detour);
const links = fc.array(fc.tuple(fc.constantFrom(...LINKS), target), { maxLength: 4 });
const value = fc.oneof(steps, fc.constantFrom(...LINKS), detour, fc.constant('new/folder'));

/** What is outside the workspace, by path. Nothing may read or change it. */
function listOutside(outside: string): readonly string[] {
  return fs.readdirSync(outside, { recursive: true, encoding: 'utf8' }).toSorted();
}

it('no chain of links leads a path of an input out of the workspace', async () => {
  const used = { read: 0, waivers: 0, written: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(links, value, async (entries, given) => {
      await using folder = await makeWorkspace({});
      const [workspace = '', outside = ''] = ['workspace', 'outside'].map((name) => {
        const root = path.join(fs.realpathSync(folder.path), name);
        for (const each of FOLDERS) fs.mkdirSync(path.join(root, each), { recursive: true });
        const rule = (file: string): string =>
          `- { rule: ${name}, path: ${file}, owner: a, reason: b, expires: 2999-01-01 }`;
        for (const file of FILES) fs.writeFileSync(path.join(root, file), rule(file));
        return root;
      });
      for (const [name, to] of entries) {
        fs.rmSync(path.join(workspace, name), { force: true });
        fs.symlinkSync(to.replace('$OUTSIDE', outside), path.join(workspace, name));
      }
      const before = listOutside(outside);
      const isInside = (place: string): boolean => `${fs.realpathSync.native(place)}/`.startsWith(`${workspace}/`);

      const values: Partial<Record<InputName, string>> = { 'working-directory': given, 'waivers-file': given };
      const cause = { reason: 'no-key', message: '', steps: [] } as const;
      const { inputs } = readInputs((name) => values[name] ?? DEFAULTS[name], workspace, cause);
      expect(isInside(inputs.searchRoot), inputs.searchRoot).toBe(true);

      const found = await search(['**'], inputs.searchRoot).catch(() => undefined);
      for (const { absolutePath } of found?.files ?? []) {
        expect(isInside(absolutePath), absolutePath).toBe(true);
        used.read += 1;
      }

      const place = { workspace, searchRoot: workspace, checkoutRoot: workspace, event: '', commit: '', head: '' };
      const file = inputs.waiversFile ?? '';
      const github = { textAt: async () => undefined };
      const loaded = await loadWaivers({ ...place, baseCommit: undefined, file }, github).catch(() => undefined);
      for (const { rule } of loaded?.waivers ?? []) {
        expect(rule).toBe('workspace');
        used.waivers += 1;
      }

      // `state-file` and `report-dir` may name a folder outside, but no link may lead there.
      const written = path.resolve(workspace, given, 'report.json');
      if (!`${written}/`.startsWith(`${workspace}/`)) return;
      try {
        await assertNoSymlink(written, workspace, 'report-dir');
        fs.mkdirSync(path.dirname(written), { recursive: true });
        fs.writeFileSync(written, 'written');
        used.written += 1;
      } catch {
        used.refused += 1;
      }
      expect(listOutside(outside)).toEqual(before);
    }),
    { numRuns: RUNS },
  );
  const isEachUsed = Object.values(used).every((number) => number > 0);
  expect(isEachUsed, JSON.stringify(used)).toBe(true);
});
