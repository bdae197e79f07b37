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

/** Names that shells, globs, logs, Markdown or the runner could stumble over. */
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
];

it('files with odd names are all found, sent and annotated under their own path', async () => {
  const files = NAMES.map((name) => [name, name.endsWith('.MP4') ? mp4(name) : png(name)] as const);
  const workspace = await makeWorkspace(Object.fromEntries(files));
  const service = emulator.workspace({ scenario: { default: { issues: [{ severity: 'INFO', ruleCode: 'ODD' }] } } });
  const half = NAMES.length / 2;
  // Ten notices are shown for a step, so two runs look at half of them each.
  for (const names of [NAMES.slice(0, half), NAMES.slice(half)]) {
    const others = NAMES.filter((name) => !names.includes(name) && !name.includes('\n'));
    const run = await runAction({
      workspace: workspace.path,
      inputs: {
        'api-key': service.key,
        'base-url': emulator.baseUrl,
        files: ['**/*.{mp4,png}', ...others.map((name) => `!./${name}`), ...hiddenNewline(names)].join('\n'),
      },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': String(names.length) });
    const annotated = run.annotations.filter(({ title }) => title === 'INFO ODD').map(({ file }) => file);
    expect(new Set(annotated)).toEqual(new Set(names));
  }
  expect(service.submissions.flatMap(({ assets }) => assets)).toHaveLength(NAMES.length);
  await workspace.remove();
});

/** A pattern cannot hold a newline, but a `?` stands for one. */
function hiddenNewline(names: readonly string[]): readonly string[] {
  return names.some((name) => name.includes('\n')) ? [] : ['!two?lines.png'];
}
