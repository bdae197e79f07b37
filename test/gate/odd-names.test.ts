import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { mp4, png } from '../harness/media.ts';

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

it('files with unusual names are found, sent and annotated under their own path', async ({ gate, makeFolder }) => {
  const workspace = await makeFolder(
    Object.fromEntries(NAMES.map((name) => [name, name.endsWith('.MP4') ? mp4(name) : png(name)])),
  );
  const scenario = { default: { issues: [{ severity: 'INFO', ruleCode: 'ODD' }] } };
  const half = NAMES.length / 2;
  // Ten notices are shown for a step, so two runs look at half of them each.
  for (const names of [NAMES.slice(0, half), NAMES.slice(half)]) {
    // A pattern cannot hold a line break, but a `?` stands for one.
    const others = NAMES.filter((name) => !names.includes(name)).map((name) => name.replaceAll('\n', '?'));
    const files = ['**/*.{mp4,png}', ...others.map((name) => `!./${name}`)].join('\n');
    const run = await gate({ workspace, scenario, inputs: { files } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': String(names.length) });
    const annotated = run.annotations.filter(({ message }) => message.includes('INFO ODD')).map(({ file }) => file);
    expect(new Set(annotated)).toEqual(new Set(names));
  }
});

it('the lines that docs/security.md gives check what they say, and leave the rest to a notice', async ({ gate }) => {
  const page = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const run = await gate({
    files: {
      'media/hero.dat': png('a'),
      'media/node_modules/x/clip.png': png('b'),
      'media/deep/node_modules/y.png': png('c'),
      'media/deep/y.vtt': 'WEBVTT',
    },
    inputs: { files: /```yaml\nfiles: \|\n((?: {2}\S+\n)+)```/.exec(page)?.[1] ?? '' },
  });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '3' });
  expect(run.readableSummary).toContain('not checked: media/hero.dat');
});
