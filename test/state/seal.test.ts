import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysisId, type StateDocument } from '../../src/state/document.ts';
import { type Binding, StateProblem, seal, sealWithinLimits, signingKey, unseal } from '../../src/state/seal.ts';
import { issue } from '../builders/analyses.ts';
import { analysed, binding, daysAgo, document, open, pathRecord } from '../builders/states.ts';

const KEY = signingKey('sk_live_0');
const ADDED = signingKey('a key that only opens');
const FORMAT = 'media-compliance-gate/state';
/** Opens a state that an artifact of run 42 contains. */
function open42(sealed: Uint8Array) {
  const state = unseal(sealed, { name: 'gate', runId: '42' }, { binding: binding(), keys: [KEY, ADDED] });
  return state instanceof StateProblem ? state.kind : state;
}
const DOCUMENT = document({
  contents: [
    analysed('a', { issues: [issue({ headline: 'Cure', referenceNumber: 7 })], versionNumber: 2 }),
    ...open('submission-9', ['b']),
  ],
  paths: [pathRecord('media/a.png', 'a')],
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const ENVELOPE = JSON.parse(seal(DOCUMENT, binding(), KEY));

/** Signs any text with our key. */
function signed(payload: string): Uint8Array {
  const signature = createHmac('sha256', KEY.bytes).update(payload).digest('hex');
  return bytes(JSON.stringify({ ...ENVELOPE, signature, payload }));
}

it('a sealed state keeps any path and any text', () => {
  const text = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes).toWellFormed());
  fc.assert(
    fc.property(text, text, (path, odd) => {
      const issues = [issue({ id: odd, ruleCode: odd, status: odd })];
      const state = document({ contents: [analysed('a', { issues })], paths: [pathRecord(path, 'a')] });
      expect(open42(bytes(seal(state, binding(), KEY)))).toEqual({ binding: binding(), document: state });
    }),
  );
});

it('a sealed state opens although a reference number could not be written', () => {
  const issues = [issue({ referenceNumber: Number.POSITIVE_INFINITY })];
  const sealed = seal(document({ contents: [analysed('a', { issues })] }), binding(), KEY);
  expect(open42(bytes(sealed))).toMatchObject({ document: { contents: [{ issues: [issue()] }] } });
});

it('a sealed state is refused with any one byte changed', () => {
  const sealed = bytes(seal(document({ paths: [pathRecord('größe\u0007.png', 'a')] }), binding(), KEY));
  fc.assert(
    fc.property(fc.nat({ max: sealed.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = sealed.slice();
      changed[at] = ((changed[at] ?? 0) + by) % 256;
      expect(open42(changed)).toBeTypeOf('string');
    }),
    { numRuns: 3_000 },
  );
});

it.each<[string, Partial<Binding>]>([
  ['repository', { repositoryId: '4712' }],
  ['gate', { gate: 'beef' }],
  ['kind of key', { mode: 'sandbox' }],
  ['run', { runId: '43' }],
])('a state of another %s is refused, whoever signed it', (_, change) => {
  for (const key of [KEY, signingKey('any key')])
    expect(open42(bytes(seal(DOCUMENT, binding(change), key)))).toBe('not-ours');
});

it('a state of a newer version is reported as such, whatever else it holds', () => {
  expect(open42(bytes(JSON.stringify({ format: `${FORMAT}/4` })))).toBe('newer');
});

it.each([
  ['an accepted key', ADDED, 'opened'],
  ['a key that is not accepted', signingKey('sk_live_1'), 'other-key'],
])('a state that %s has signed is %s, and forged under the name of our key', (_, key, expected) => {
  const sealed = seal(DOCUMENT, binding(), key);
  const found = open42(bytes(sealed));
  expect(typeof found === 'string' ? found : 'opened').toBe(expected);
  expect(open42(bytes(JSON.stringify({ ...JSON.parse(sealed), keyId: KEY.id })))).toBe('forged');
});

it.each<[string, Uint8Array]>([
  ['no JSON', bytes('{')],
  ['nested without end', bytes('['.repeat(1_000_000))],
  ['without a signature', bytes(JSON.stringify({ ...ENVELOPE, signature: undefined }))],
  ['with a signature that is too short', bytes(JSON.stringify({ ...ENVELOPE, signature: '0'.repeat(63) }))],
  ['of a version before the first one that is kept', bytes(JSON.stringify({ ...ENVELOPE, format: `${FORMAT}/1` }))],
  ['of a version that is no number', bytes(JSON.stringify({ ...ENVELOPE, format: `${FORMAT}/x` }))],
  ['with a payload that is no JSON', signed('no JSON')],
  ['without a binding', signed(JSON.stringify({ document: DOCUMENT }))],
  ['with a path without a hash', signed(ENVELOPE.payload.replaceAll('"sha256"', '"x"'))],
  // To collect a problem for each item would take more memory than Node.js may use.
  [
    'with millions of items that are no records',
    signed(ENVELOPE.payload.replace(/"contents":\[/, `$&${'0,'.repeat(20_000_000)}`)),
  ],
  ['with an invalid time', signed(ENVELOPE.payload.replace(/"savedAt":"[^"]+"/, '"savedAt":"yesterday"'))],
])('anything else than a sealed state is unreadable, even if it is signed: %s', (_, other) => {
  expect(open42(other)).toBe('unreadable');
  expect(open42(signed(ENVELOPE.payload))).toBeTypeOf('object');
});

const MB = 1_000_000;

/** Saves a state that would be this many bytes larger, in characters of two bytes, and returns what is left of it. */
function kept(state: StateDocument, paddings: readonly number[], found: readonly string[] = []): StateDocument {
  let sealings = 0;
  const sealOne = (each: StateDocument): string => JSON.stringify(each) + 'é'.repeat((paddings[sealings++] ?? 0) / 2);
  const sealed = sealWithinLimits(state, found, sealOne);
  return JSON.parse(sealed.slice(0, sealed.lastIndexOf('}') + 1));
}

/** Paddings that are too large, for this many times that a state is sealed. */
const tooLarge = (length: number): readonly number[] => Array.from({ length }, () => 65 * MB);

const TEXTS = { summary: 'A long text', headline: 'A headline' };
const LARGE = document({
  contents: [
    analysed('a', { issues: [issue(TEXTS)], topics: [{ title: 'Claims', issueIds: [] }] }),
    analysed('unused'),
    ...open('submission-9', ['b']),
    ...open('submission-9', ['c']),
  ],
  paths: [
    pathRecord('media/a.png', 'a'),
    pathRecord('media/copy.png', 'a'),
    pathRecord('deleted.png', 'unused', { isPresent: false }),
  ],
  comparedWith: { at: daysAgo(7), files: [] },
});

/** What is left: texts of issues, contents, paths, and what the run was compared with. */
function parts({ contents, paths, comparedWith }: StateDocument) {
  const [first] = contents;
  const hasTexts = first?.kind === 'analysed' && first.issues[0]?.summary !== '';
  return [hasTexts, contents.length, paths.map(({ path }) => path), comparedWith !== undefined];
}

describe('a state that is too large leaves out', () => {
  const FOUND = ['media/a.png', 'media/copy.png'];
  const ALL = [...FOUND, 'deleted.png'];

  it.each<[string, readonly number[], ReturnType<typeof parts>]>([
    ['nothing below 64 MB', [63 * MB], [true, 4, ALL, true]],
    ['the texts of issues above 64 MB', [65 * MB, 63 * MB], [false, 4, ALL, true]],
    ['then paths that this run did not find', tooLarge(2), [false, 4, FOUND, true]],
    ['then analyses that no path has', tooLarge(3), [false, 3, FOUND, true]],
    ['at last all but one path of each content, and the comparison', tooLarge(4), [false, 3, ['media/a.png'], false]],
  ])('%s', (_, paddings, left) => {
    expect(parts(kept(LARGE, paddings, FOUND))).toEqual(left);
  });

  it('no open or failed record, and no headline by mistake', () => {
    const { contents } = kept(LARGE, tooLarge(4));
    expect(contents.map(analysisId)).toEqual(LARGE.contents.slice(2).map(analysisId));
    expect(kept(LARGE, tooLarge(1)).contents[0]).toEqual({
      ...LARGE.contents[0],
      issues: [issue({ summary: '' })],
      topics: undefined,
    });
  });
});

it('a state that is still too large is not written', () => {
  expect(() => kept(LARGE, tooLarge(5))).toThrow('larger than 64 MB');
});
