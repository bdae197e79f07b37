import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { asf, ftyp, matroska, ogg } from '../media/bytes.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => {
  await emulator.close();
});

it.each([
  ['a film by its brand', 'a.m4a', ftyp('M4V'), 'Rename it to end in `.m4v`'],
  ['a film by a track', 'a.m4a', ftyp('M4A', 'soun', 'vide'), 'Rename it to end in `.mp4`'],
  ['a Matroska film', 'a.mka', matroska('matroska', 2, 1), 'Rename it to end in `.mkv`'],
  ['an Ogg film whose sound comes first', 'a.ogg', ogg('\x01vorbis', '\x80theora'), 'Rename it to end in `.ogv`'],
  ['a Windows film', 'a.wma', asf('audio', 'video'), 'Rename it to end in `.asf`'],
  ['sound that is called a film', 'a.mp4', ftyp('isom', 'soun'), 'Rename it to end in `.m4a`'],
  ['a truncated GIF', 'a.gif', 'GIF89a', 'Otherwise replace it'],
])('%s is refused, and nothing is sent', async (_, name, bytes, fix) => {
  await using workspace = await makeWorkspace({ [name]: bytes, 'b.png': png('b') });
  const run = await runAction({ emulator, workspace: workspace.path, inputs: { files: '**' } });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'pre-flight', 'files-submitted': '0' });
  expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: name }));
  expect(run.readableSummary).toContain(fix);
  expect(run.requests).toEqual([]);
});

it('the lines that docs/security.md gives check a whole folder, whatever its files and folders are called', async () => {
  await using workspace = await makeWorkspace({
    'media/hero.dat': png('a'),
    'media/node_modules/x/clip': png('b'),
    'media/deep/node_modules/y.png': png('c'),
  });
  const page = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const files = /```yaml\nfiles: \|\n((?: {2}\S+\n)+)```/.exec(page)?.[1] ?? '';
  const run = await runAction({ emulator, workspace: workspace.path, inputs: { files } });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '3' });
});
