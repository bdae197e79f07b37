import { describe, expect, it } from 'vitest';
import { artifactName, gateId, stepId } from '../../src/state/gate-id.ts';

const PLACE = { name: 'media', workflow: '.github/workflows/media.yml', job: 'gate', matrix: '' };
const NAME = { kind: 'state', gate: 'f00d', mode: 'live', scope: 'branch:main' } as const;

describe('a gate', () => {
  it.each([
    { name: 'other' },
    { workflow: '.github/workflows/other.yml' },
    { job: 'other' },
    { matrix: '{"market":"DE"}' },
    // Parts must not run into each other.
    { workflow: '.github/workflows/media.ymlgate', job: '' },
  ])('is another one with %j', (change) => {
    expect(gateId({ ...PLACE, ...change })).not.toBe(gateId(PLACE));
    expect(gateId({ ...PLACE })).toBe(gateId(PLACE));
  });
});

it('is the same one under another id of its step; what the step leaves on the machine is not', () => {
  const named = { ...PLACE, step: 'gate' };
  expect(gateId(named)).toBe(gateId(PLACE));
  expect(stepId(named)).not.toBe(stepId({ ...PLACE, step: '__self' }));
});

describe('the name of an artifact', () => {
  it.each([{ kind: 'open' }, { gate: 'beef' }, { mode: 'sandbox' }, { scope: 'pull:main' }] as const)(
    'is another one with %j',
    (change) => {
      expect(artifactName('media', { ...NAME, ...change })).not.toBe(artifactName('media', NAME));
    },
  );

  it('holds nothing that a name may not, whatever the branch is called', () => {
    expect(artifactName('media', { ...NAME, scope: 'branch:a/b"c:<d>|*?\r\n' })).toMatch(/^media-state-[0-9a-f]{16}$/);
  });
});
