import { describe, expect, it } from 'vitest';
import { artifactNames, gateId, stepId } from '../../src/state/gate-id.ts';

const GATE = { name: 'media', workflow: '.github/workflows/media.yml', job: 'gate', matrix: '' };
const NAME = { kind: 'state', gate: 'f00d', mode: 'live', scope: 'branch:main' } as const;

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

describe('the names of an artifact', () => {
  it.each([{ kind: 'open' }, { gate: 'beef' }, { mode: 'sandbox' }, { scope: 'pull:main' }] as const)(
    'is another one with %j',
    (change) => {
      expect(artifactNames('media', { ...NAME, ...change })).not.toEqual(artifactNames('media', NAME));
    },
  );

  it('are two, and hold nothing that a name may not, whatever the branch is called', () => {
    const [first, second] = artifactNames('media', { ...NAME, scope: 'branch:a/b"c:<d>|*?\r\n' });
    expect(first).toMatch(/^media-state-[0-9a-f]{16}$/);
    expect(second).toBe(`${first}-2`);
  });
});
