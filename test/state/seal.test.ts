import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { type Binding, isUsable, MAX_STATE_BYTES, seal, signingKey, stateIn, unseal } from '../../src/state/seal.ts';
import { issue } from '../builders/analyses.ts';
import { analysed, binding, document, open, pathRecord } from '../builders/states.ts';

const KEY = signingKey('sk_live_0');
const ADDED = signingKey('a key that only opens');
const FORMAT = 'media-compliance-gate/state';
/** Opens a state that an artifact of run 42 contains. */
function open42(sealed: Uint8Array) {
  const state = unseal(sealed, { where: 'the artifact', runId: '42' }, { binding: binding(), keys: [KEY, ADDED] });
  return isUsable(state) ? state : state.message;
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
      expect(open42(bytes(seal(state, binding(), KEY)))).toEqual({ binding: binding(), document: state, isOwn: true });
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
  ['kind of key', { mode: 'sandbox' }],
  ['run', { runId: '43' }],
])('a state of another %s is refused, whoever signed it', (_, change) => {
  for (const key of [KEY, signingKey('any key')])
    expect(open42(bytes(seal(DOCUMENT, binding(change), key)))).toContain('belongs to another');
});

it('a state of another gate has only analyses, and is no baseline', () => {
  const sealed = bytes(seal(DOCUMENT, binding({ gate: 'beef' }), KEY));
  expect(open42(sealed)).toMatchObject({ document: { ...DOCUMENT, paths: [] }, isOwn: false });
});

it.each<[string, Binding['apiKeyId'], string, boolean]>([
  ['of this API key', 'the API key', 'state key', true],
  ['of another API key', 'another API key', 'state key', false],
  ['of an earlier version, beside a state key', undefined, 'state key', false],
  ['of an earlier version, without one', undefined, 'API key', true],
])('what another API key has sent is open again: %s', (_, apiKeyId, signer, isOwnKey) => {
  const keys = [signingKey('state key'), signingKey('API key')] as const;
  const ours = binding({ apiKeyId: isOwnKey && signer === 'API key' ? keys[1].id : 'the API key' });
  const sealed = bytes(seal(DOCUMENT, binding({ apiKeyId }), signingKey(signer)));
  const state = unseal(sealed, { where: 'state.json' }, { binding: ours, keys });
  const kinds = isUsable(state) ? state.document.contents.map((each) => each.kind) : [];
  expect(kinds).toEqual(isOwnKey ? ['analysed', 'open'] : ['open', 'open']);
  expect(state).toMatchObject({ isOwn: isOwnKey });
});

it.each<[string, typeof KEY, RegExp]>([
  ['an accepted key', ADDED, /^opened$/],
  ['a key that is not accepted', signingKey('sk_live_1'), /was signed with another key$/],
])('a state that %s has signed, and unreadable under the name of our key', (_, key, expected) => {
  const sealed = seal(DOCUMENT, binding(), key);
  const found = open42(bytes(sealed));
  expect(typeof found === 'string' ? found : 'opened').toMatch(expected);
  expect(open42(bytes(JSON.stringify({ ...JSON.parse(sealed), keyId: KEY.id })))).toContain('cannot be read');
});

it.each<[string, Uint8Array]>([
  ['no JSON', bytes('{')],
  ['nested without end', bytes('['.repeat(1_000_000))],
  ['without a signature', bytes(JSON.stringify({ ...ENVELOPE, signature: undefined }))],
  ['with a signature that is too short', bytes(JSON.stringify({ ...ENVELOPE, signature: '0'.repeat(63) }))],
  ['of a version before the first one that is kept', bytes(JSON.stringify({ ...ENVELOPE, format: `${FORMAT}/1` }))],
  ['of a newer version', bytes(JSON.stringify({ ...ENVELOPE, format: `${FORMAT}/4` }))],
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
  expect(open42(other)).toContain('cannot be read');
  expect(open42(signed(ENVELOPE.payload))).toBeTypeOf('object');
});

const HELLO = Buffer.from('hello');

it.for(['../state.json', '/state.json', 'C:\\state.json', 'state/state.json', 'STATE.JSON', 'state.json\0.png'])(
  'no state is called %j',
  (name) => {
    expect(stateIn(zipSync({ [name]: HELLO }))).toBeUndefined();
  },
);

it('an archive with any other entry has no state, and nothing is unpacked', () => {
  expect(stateIn(zipSync({ 'state.json': HELLO, other: HELLO }))).toBeUndefined();
  expect(stateIn(zipSync({ other: HELLO, 'state.json': HELLO }))).toBeUndefined();
});

it('the state is not unpacked beyond its maximum size, nor beyond the size that the archive claims', () => {
  const archive = Buffer.from(zipSync({ 'state.json': new Uint8Array(1_000) }));
  const claiming = (size: number) => {
    archive.writeUInt32LE(size, archive.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
    return stateIn(archive)?.length ?? 0;
  };
  expect([claiming(1_000), claiming(MAX_STATE_BYTES + 1)]).toEqual([1_000, 0]);
  expect(claiming(10)).toBeLessThanOrEqual(10);
});

it('an incomplete archive has no state, and nothing is thrown', () => {
  const whole = zipSync({ 'state.json': HELLO });
  for (const other of [new Uint8Array(), Buffer.from('{"contents":[]}'), zipSync({})])
    expect(stateIn(other)).toBeUndefined();
  for (let length = 1; length < whole.length; length += 1) expect(stateIn(whole.subarray(0, length))).toBeUndefined();
  expect(Buffer.from(stateIn(whole) ?? [])).toEqual(HELLO);
});
