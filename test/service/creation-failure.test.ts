import { expect, it } from 'vitest';
import { describeDouble, explainCreation } from '../../src/service/creation-failure.ts';
import { type Failure, ServiceError } from '../../src/service/service-error.ts';
import { content } from '../builders/media.ts';
import { connection, refusal } from './fake-service.ts';

const uploads = ['c', 'a', 'b'].map((path) => ({ content: content(path), blobPath: `ws/${path}-stored` }));
const creation = {
  uploads,
  mode: 'live',
  at: new Date('2026-11-15T18:43:59Z'),
} as const;

/** Explains a creation that was given up after these failures, one of each request. */
function causes(failures: readonly Failure[], files?: number, wasStopped = false) {
  const errors = failures.map((failure) => new ServiceError('creating the submission', failure));
  const facts = {
    ...creation,
    uploads: uploads.slice(0, files),
    unconfirmed: errors.filter(({ mayHaveArrived }) => mayHaveArrived),
  };
  return explainCreation(errors.at(-1), facts, wasStopped);
}

const [NONE, ONE, TWO] = ['', 'One submission may exist and be billed', 'Two submissions may exist and be billed'];
const lost = connection('lost');

// biome-ignore format: a table
it.each<[string, Failure[], string[], string]>([
  ['422', [refusal(422)], ['refused'], NONE],
  ['429', [refusal(429)], ['service'], NONE],
  ['500, twice', [refusal(500), refusal(502)], ['service'], TWO],
  ['500, then refused', [refusal(500), refusal(422)], ['refused', 'service'], ONE],
  ['504', [refusal(504)], ['service'], ONE],
  ['never connected', [connection('no connection')], ['service'], NONE],
  ['lost after sending', [lost], ['service'], ONE],
  ['an unreadable response', [refusal(200)], ['results'], ONE],
  ['a 201 without a readable id', [refusal(201)], ['results'], 'One submission exists and is billed'],
])('how many submissions may exist: %s', (_, failures, reasons, says) => {
  const found = causes(failures);
  expect(found.map(({ reason }) => reason)).toEqual(reasons);
  expect(found.filter(({ submission }) => submission === 'unconfirmed')).toHaveLength(says === NONE ? 0 : 1);
  expect(found.at(-1)?.message).toContain(says);
});

it('the advice says what identifies a submission that may exist', () => {
  const text = causes([refusal(504, 'Gateway timeout')])[0]?.steps[1]?.text;
  expect(text).toContain('another submission with 3 assets, created about 2026-11-15 18:43 UTC, that one is billed');
});

it('the message begins with the last failure', () => {
  expect(causes([refusal(500, 'first'), refusal(504, 'second')])[0]?.message).toMatch(
    /^The compliance service did not respond .*: status 504, second\. Two/,
  );
});

it('a run that was stopped is reported as cancelled', () => {
  expect(causes([lost], 3, true)).toMatchObject([{ reason: 'cancelled' }]);
});

function explainMany(status: number, length: number, largest = 1) {
  const many = Array.from({ length }, (_, index) => ({
    content: { ...content(`${index}`), size: index === 0 ? largest : 1 },
    blobPath: `ws/${index}`,
  }));
  const error = new ServiceError('creating the submission', refusal(status));
  return explainCreation(error, { ...creation, uploads: many, unconfirmed: [] }, false)[0];
}

// biome-ignore format: a table
it.each<[string, Failure, (string | undefined)[], string, number?]>([
  ['a single file needs no name', refusal(403), ['c'], '403', 1],
  ['the one whose name the service names', refusal(415, `Wrong bytes in ${content('b').name}`), ['b'], 'Wrong bytes'],
  ['the one whose path it names', refusal(413, 'Too large: ws/a-stored'), ['a'], 'Too large'],
  ['if it names none, one of all', refusal(413, 'Too large'), [undefined], 'it is one of a, b, c.'],
  ['none, if it is about the request', refusal(422, `about ${content('b').name}`), [undefined],
    'The submission held 3 assets.'],
  ['none, but there may be too many', refusal(400, 'Bad request'), [undefined], 'The submission held 3 assets.'],
  ['none, if it is about the key', refusal(401, `about ${content('b').name}`), [undefined], '401'],
])('which file is refused: %s', (_, failure, paths, message, files) => {
  const found = causes([failure], files);
  expect(found.map(({ path }) => path)).toEqual(paths);
  expect(`${found[0]?.message} ${found[0]?.detail}`).toContain(message);
});

it('of many files that may be refused, twenty are named', () => {
  expect(explainMany(415, 21)?.message).toMatch(/it is one of 0, 1, 10, .*, 8 and 1 more\.$/);
});

it.each([
  [422, 20, true],
  [422, 19, false],
  [413, 20, true],
  [413, 19, false],
  [400, 20, false],
])('the advice after %i for %i assets names large-library.yml: %j', (status, count, isNamed) => {
  expect(JSON.stringify(explainMany(status, count)?.steps).includes('`large-library.yml`')).toBe(isNamed);
});

const SPLIT = expect.objectContaining({ text: expect.stringContaining('If 60 files are too many for one submission') });

it('many files that are too large are too many, if none of them is large', () => {
  const message = 'The compliance service does not accept this submission.';
  expect(explainMany(413, 60, 50_000_000)).toMatchObject({ message, steps: [SPLIT] });
  const smaller = { text: expect.stringContaining('smaller') };
  const large = { message: expect.stringContaining('one of 0, 1, '), steps: [smaller, {}, SPLIT] };
  expect(explainMany(413, 60, 50_000_001)).toMatchObject(large);
});

it('a sandbox bills nothing, so no message speaks of it', () => {
  for (const statuses of [[500], [500, 502], [504]]) {
    const unconfirmed = statuses.map((status) => new ServiceError('creating the submission', refusal(status)));
    const facts = { ...creation, mode: 'sandbox', unconfirmed } as const;
    const texts = [
      explainCreation(unconfirmed[0], facts, false),
      ...unconfirmed.map((each) => describeDouble(each, facts)),
    ];
    expect(JSON.stringify(texts)).not.toContain('bill');
  }
});
