import { describe, expect, it } from 'vitest';
import { explainCreation } from '../../src/service/creation-failure.ts';
import { type Failure, ServiceError } from '../../src/service/service-error.ts';
import { connection, content, refusal } from './things.ts';

const uploads = ['c', 'a', 'b'].map((path) => ({ content: content(path), blobPath: `ws/${path}-stored` }));
const attempt = {
  uploads,
  metadata: { repository: 'acme/campaigns', commit: 'c0ffee', team: 'legal' },
  at: new Date('2026-11-15T18:43:59Z'),
  wasStopped: false,
};

function causes(failure: Failure, facts: Partial<typeof attempt> = {}) {
  return explainCreation(new ServiceError('creating the submission', failure), { ...attempt, ...facts });
}

describe('whether a submission may exist', () => {
  // biome-ignore format: a table
  it.each<[string, Failure, boolean]>([
    ['422',                    refusal(422), false],
    ['429',                    refusal(429), false],
    ['500',                    refusal(500), true],
    ['504',                    refusal(504), true],
    ['never connected',        connection({ maybeReceived: false }), false],
    ['lost after sending',     connection({ maybeReceived: true }), true],
    ['an unreadable response', { kind: 'unreadable', message: '', isJson: true }, true],
  ])('%s: %s', (_, failure, expected) => {
    const [cause] = causes(failure);
    expect(cause?.message.includes('It may exist and be billed.')).toBe(expected);
    expect(cause?.submission === 'unconfirmed').toBe(expected);
  });

  it('the advice says what happened, and identifies it', () => {
    expect(causes(refusal(504, 'Gateway timeout'))[0]?.steps[1]?.text).toContain(
      'already has a submission with 3 assets, created about 2026-11-15 18:43 UTC, with the metadata repository acme/campaigns and commit c0ffee, that one is billed as well',
    );
  });

  it('a run that was stopped is reported as cancelled', () => {
    expect(causes(connection({ maybeReceived: true }), { wasStopped: true })).toMatchObject([{ reason: 'cancelled' }]);
  });
});

describe('which file is refused', () => {
  // biome-ignore format: a table
  it.each<[string, Failure, (string | undefined)[], string, number?]>([
    ['a single file needs no name',          refusal(403),                                        ['c'],       '403', 1],
    ['the one whose name the service names', refusal(415, `Wrong bytes in ${content('b').name}`), ['b'],       'Wrong bytes'],
    ['the one whose path it names',          refusal(413, 'Too large: ws/a-stored'),              ['a'],       'Too large'],
    ['if it names none, one of all',         refusal(413, 'Too large'),                           [undefined], 'it is one of a, b, c.'],
    ['none, if it is about the request',     refusal(422, `about ${content('b').name}`),          [undefined], 'The submission held 3 assets.'],
    ['none, if it is about the key',         refusal(401, `about ${content('b').name}`),          [undefined], '401'],
  ])('%s', (_, failure, paths, message, files) => {
    const found = causes(failure, { uploads: uploads.slice(0, files) });
    expect(found.map(({ path }) => path)).toEqual(paths);
    expect(found[0]?.message).toContain(message);
  });
});
