import { expect, it } from 'vitest';
import type { MediaFile } from '../../src/media/file.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { DIRECT_UPLOAD_CAP } from '../../src/service/upload.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { describePlan } from '../../src/steps/plan-files.ts';
import { document, file, known, open, rules } from '../state/samples.ts';

function sized(path: string, seed: string, size: number): MediaFile {
  return { ...file(path, seed), stamp: { size, mtimeMs: 1, ino: 1 } };
}

it('lists what would be sent, awaited and reused, how large and why', () => {
  const files = [
    sized('largest-direct.png', 'A', DIRECT_UPLOAD_CAP),
    sized('presigned.png', 'B', DIRECT_UPLOAD_CAP + 1),
    file('open.png', 'C'),
    file('open-too.png', 'D'),
    file('known.png', 'E'),
    file('copy.png', 'E'),
  ];
  const state = document({ contents: [known('E')], open: [open('s', ['C', 'D'])] });
  const earlierState = new EarlierState([state]);
  expect(describePlan(makePlan({ files, pointers: [], earlierState, rules: rules() }))).toEqual([
    'send to service      10 MB  largest-direct.png (image/png; new)',
    'send to storage      10 MB  presigned.png (image/png; new)',
    'wait              10 bytes  open.png (in submission s)',
    'wait              10 bytes  open-too.png (in submission s)',
    'reuse             10 bytes  copy.png, known.png (analysed 2026-11-14)',
    '2 to send (20 MB), 1 to reuse, 2 to wait for',
  ]);
});
