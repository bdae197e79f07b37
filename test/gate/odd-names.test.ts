import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { mp4, png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => {
  await emulator.close();
});

/** Names with a meaning to shells, globs, logs, Markdown or the runner. */
const NAMES = [
  '.hidden/.secret.png',
  'B.MP4',
  'x[1].png',
  'two\nlines.png',
  '::error::pwned.png',
  'a%0Ab, c.png',
  'quote\'s "and" `ticks`.png',
  '-rf.png',
  '{a,b}.png',
  'Grüße 🎬.png',
  '<img src=x>.png',
  '@everyone #1.png',
  'ads/.PNG',
  'ads [new]/a*b/#1/x.png',
  'line\nbreak/! ~/back\\slash/y.png',
  ' blank /z.png',
];

it('files with unusual names are found, sent and annotated under their own path', async () => {
  const files = NAMES.map((name) => [name, name.endsWith('.MP4') ? mp4(name) : png(name)] as const);
  const workspace = await makeWorkspace(Object.fromEntries(files));
  const service = emulator.workspace({ scenario: { default: { issues: [{ severity: 'INFO', ruleCode: 'ODD' }] } } });
  const half = NAMES.length / 2;
  // Ten notices are shown for a step, so two runs look at half of them each.
  for (const names of [NAMES.slice(0, half), NAMES.slice(half)]) {
    // A pattern cannot hold a line break, but a `?` stands for one.
    const others = NAMES.filter((name) => !names.includes(name)).map((name) => name.replaceAll('\n', '?'));
    const run = await runAction({
      workspace: workspace.path,
      inputs: {
        'api-key': service.key,
        'base-url': emulator.baseUrl,
        files: ['**/*.{mp4,png}', ...others.map((name) => `!./${name}`)].join('\n'),
      },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': String(names.length) });
    const annotated = run.annotations.filter(({ message }) => message.includes('INFO ODD')).map(({ file }) => file);
    expect(new Set(annotated)).toEqual(new Set(names));
  }
  expect(service.submissions.flatMap(({ assets }) => assets)).toHaveLength(NAMES.length);
  await workspace.remove();
});

/** A path with a byte that is not UTF-8 in place of each `?`. */
function rawPath(root: string, file: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(file.replaceAll('?', '\xff'), 'latin1')]);
}

// Only Linux allows names that are not valid UTF-8.
it.runIf(process.platform === 'linux')(
  'a name that is not UTF-8 is an error that names it, never skipped',
  async () => {
    await using workspace = await makeWorkspace({ 'media/deep/a.png': png('a'), 'media/b.png': png('b') });
    const inputs = { 'base-url': emulator.baseUrl };
    for (const add of [
      () => writeFileSync(rawPath(workspace.path, 'media/deep/caf?.png'), png('c')),
      () => mkdirSync(rawPath(workspace.path, 'media/deep/caf?.png')),
    ]) {
      add();
      const run = await runAction({ workspace: workspace.path, emulator, inputs });
      expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
      const message = expect.stringContaining('not valid UTF-8');
      expect(run.annotations).toContainEqual(
        expect.objectContaining({ level: 'error', file: 'media/deep/caf\ufffd.png', message }),
      );
      expect(run.requests).toEqual([]);
      rmSync(rawPath(workspace.path, 'media/deep/caf?.png'), { recursive: true });
    }
  },
);
