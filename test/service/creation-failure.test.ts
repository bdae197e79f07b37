import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { explainCreation } from '../../src/service/creation-failure.ts';
import { type Failure, ServiceError } from '../../src/service/service-error.ts';
import { content, refusal as status } from './things.ts';

const uploads = ['a', 'b', 'c'].map((path) => ({ content: content(path), blobPath: `ws/${content(path).name}` }));

const attempt = {
  uploads,
  metadata: { repository: 'acme/campaigns', commit: 'c0ffee', team: 'legal' },
  at: new Date('2026-11-15T18:43:59Z'),
  wasStopped: false,
};

function causes(failure: Failure, wasStopped = false) {
  return explainCreation(new ServiceError('creating the submission', failure), { ...attempt, wasStopped });
}

describe('whether a submission may exist', () => {
  // biome-ignore format: a table
  it.each<[string, Failure, boolean]>([
    ['400',                  status(400), false],
    ['422',                  status(422), false],
    ['429',                  status(429), false],
    ['500',                  status(500), true],
    ['502',                  status(502), true],
    ['503',                  status(503), true],
    ['504',                  status(504), true],
    ['520',                  status(520), true],
    ['524',                  status(524), true],
    ['never connected',      { kind: 'connection', error: new ConnectionError('refused', { maybeReceived: false }) }, false],
    ['lost after sending',   { kind: 'connection', error: new ConnectionError('reset', { maybeReceived: true }) },    true],
    ['an unreadable answer', { kind: 'unreadable', message: '', isJson: true }, true],
  ])('%s: %s', (_, failure, expected) => {
    const [cause] = causes(failure);
    expect(cause?.message.includes('It may exist and be billed.')).toBe(expected);
    expect(cause?.fix.includes('Look in the service')).toBe(expected);
  });

  it('the advice identifies it, with and without metadata', () => {
    const [cause] = causes(status(504, 'Gateway timeout'));
    expect(cause?.message).toBe('The service did not confirm the submission (504). It may exist and be billed.');
    expect(cause?.fix).toContain('504 while creating the submission: Gateway timeout. Look in the service');
    expect(cause?.fix).toContain(
      'a submission with 3 assets, created about 2026-11-15 18:43 UTC, with the metadata repository acme/campaigns and commit c0ffee.',
    );
    const error = new ServiceError('creating the submission', status(504));
    expect(explainCreation(error, { ...attempt, metadata: undefined })[0]?.fix).toContain('18:43 UTC. If it is there');
  });

  it('a response that cannot be read is named', () => {
    const [cause] = causes({ kind: 'unreadable', message: '', isJson: true });
    expect(cause?.message).toContain('did not confirm the submission (its response could not be read).');
  });

  it('a run that was stopped is reported as cancelled', () => {
    const stopped = new ConnectionError('the run was stopped before the response came', { maybeReceived: true });
    expect(causes({ kind: 'connection', error: stopped }, true)).toMatchObject([
      { reason: 'cancelled', fix: expect.stringMatching(/^Look in the service/) },
    ]);
  });

  it('reading, which is part of creating, creates nothing', () => {
    const error = new ServiceError('reading the submission', status(503));
    expect(explainCreation(error, attempt)[0]?.message).not.toContain('may exist');
  });
});

describe('how many assets it held', () => {
  // biome-ignore format: a table
  it.each([
    ['a refusal',                  400, true],
    ['a refusal for its contents', 422, true],
    ['a refused key',              401, false],
    ['a plan',                     402, false],
    ['an outage',                  500, false],
  ])('%s (%i): shown: %s', (_, code, expected) => {
    const [cause, ...others] = causes(status(code, `about ${content('b').name}`));
    expect(cause?.message.includes('The submission held 3 assets.')).toBe(expected);
    expect([cause?.path, ...others]).toEqual([undefined]);
  });

  it('one is singular', () => {
    const error = new ServiceError('creating the submission', status(422));
    expect(explainCreation(error, { ...attempt, uploads: uploads.slice(0, 1) })[0]?.message).toContain(
      'The submission held 1 asset.',
    );
  });
});

describe('which file is meant', () => {
  it('the one that the service names', () => {
    expect(causes(status(415, `Wrong bytes in ${content('b').name}`)).map(({ path }) => path)).toEqual(['b']);
  });

  it('the one whose path it names', () => {
    const stored = uploads.map((upload, index) => ({ ...upload, blobPath: `ws/stored-${index}` }));
    const error = new ServiceError('creating the submission', status(415, 'Wrong bytes in ws/stored-2'));
    expect(explainCreation(error, { ...attempt, uploads: stored }).map(({ path }) => path)).toEqual(['c']);
  });

  it('if it names none, one of all', () => {
    const [cause] = causes(status(413, 'Too large'));
    expect(cause?.path).toBeUndefined();
    expect(cause?.message).toContain('one of a, b, c.');
  });

  it('a long list is cut, and counted', () => {
    const many = Array.from({ length: 23 }, (_, index) => ({
      content: content(`file-${index}`),
      blobPath: `${index}`,
    }));
    const [cause] = explainCreation(new ServiceError('creating the submission', status(415)), {
      ...attempt,
      uploads: many,
    });
    expect(cause?.message).toContain('file-19 and 3 more.');
  });

  it.each([400, 404, 409, 413, 415, 422])('%d: a refusal names the number of assets', (code) => {
    expect(causes(status(code))[0]?.message).toContain('The submission held 3 assets.');
  });

  it('a single file needs no name', () => {
    const error = new ServiceError('creating the submission', status(403));
    expect(explainCreation(error, { ...attempt, uploads: uploads.slice(0, 1) }).map(({ path }) => path)).toEqual(['a']);
  });
});
