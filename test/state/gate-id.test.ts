import { describe, expect, it } from 'vitest';
import { artifactName, gateId, stepId } from '../../src/state/gate-id.ts';

const GATE = { name: 'media', workflow: '.github/workflows/media.yml', job: 'gate', matrix: '' };
const OWNER = { gate: 'f00d', mode: 'live' } as const;

describe('a gate', () => {
  it.each([
    { name: 'other' },
    { workflow: '.github/workflows/other.yml' },
    { job: 'other' },
    { matrix: '{"market":"DE"}' },
    // The boundaries between the parts count.
    { workflow: '.github/workflows/media.ymlgate', job: '' },
  ])('is another one with %j', (change) => {
    expect(gateId({ ...GATE, ...change })).not.toBe(gateId(GATE));
    expect(gateId({ ...GATE })).toBe(gateId(GATE));
  });
});

it('is the same one under another id of its step and in another attempt; the files of the step are not', () => {
  const named = { ...GATE, step: 'gate', runAttempt: 1 };
  expect(gateId(named)).toBe(gateId(GATE));
  expect(stepId(named)).not.toBe(stepId({ ...named, step: '__self' }));
  expect(stepId(named)).not.toBe(stepId({ ...named, runAttempt: 2 }));
});

describe('the name of an artifact', () => {
  it('is one for each slot, with gate and kind of key in a hash, so that it can be asked for exactly', () => {
    const names = (['open', 'state', 'rescue'] as const).flatMap((slot) => [
      artifactName('media', slot, OWNER),
      artifactName('media', slot, { ...OWNER, gate: 'beef' }),
      artifactName('media', slot, { ...OWNER, mode: 'sandbox' }),
    ]);
    expect(new Set(names).size).toBe(9);
    expect(names[0]).toMatch(/^media-open-[0-9a-f]{16}$/);
  });
});
