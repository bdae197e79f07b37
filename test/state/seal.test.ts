import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Binding, claimedMismatch, type ExpectedBinding, seal, signingKey, unseal } from '../../src/state/seal.ts';
import { binding, document, issue, known, knownPath, open } from './samples.ts';

const KEY = signingKey('sk_live_0');
const PLACE: ExpectedBinding = {
  repositoryId: '4711',
  gate: 'f00d',
  mode: 'live',
  runId: '42',
  scope: 'branch:main',
  kind: 'state',
};
const DOCUMENT = document({
  contents: [known('a', { issues: [issue({ headline: 'Cure', referenceNumber: 7 })], versionNumber: 2 })],
  paths: [knownPath('media/a.png', 'a')],
  open: [open('submission-9', ['b'])],
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('a sealed state', () => {
  it('opens to what was sealed, if the place is right', () => {
    expect(unseal(bytes(seal(DOCUMENT, binding(), KEY)), PLACE, KEY)).toEqual({
      ok: true,
      value: { binding: binding(), document: DOCUMENT },
    });
  });

  it('opens although a reference number could not be written', () => {
    const odd = document({
      contents: [known('a', { issues: [issue({ referenceNumber: Number.POSITIVE_INFINITY })] })],
    });
    const unsealed = unseal(bytes(seal(odd, binding(), KEY)), PLACE, KEY);
    expect(unsealed).toMatchObject({ ok: true, value: { document: { contents: [{ issues: [issue()] }] } } });
  });

  it('with a damaged byte is unreadable, not forged', () => {
    const sealed = bytes(seal(DOCUMENT, binding(), KEY));
    sealed[sealed.indexOf('m'.charCodeAt(0), 400)] = 0xff;
    expect(unseal(sealed, PLACE, KEY)).toEqual({ ok: false, error: 'unreadable' });
  });

  it('keeps any path and any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, text) => {
        const odd = document({
          contents: [known('a', { issues: [issue({ id: text, ruleCode: text, status: text })] })],
          paths: [knownPath(path, 'a')],
        });
        expect(unseal(bytes(seal(odd, binding(), KEY)), PLACE, KEY)).toEqual({
          ok: true,
          value: { binding: binding(), document: odd },
        });
      }),
    );
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'has no name that means something: %s',
    (name) => {
      const odd = document({ paths: [knownPath(name, 'a')], open: [open(name, ['a'])] });
      const unsealed = unseal(
        bytes(seal(odd, binding({ scope: `branch:${name}` }), KEY)),
        { ...PLACE, scope: `branch:${name}` },
        KEY,
      );
      expect(unsealed).toMatchObject({ ok: true, value: { document: odd } });
      expect('isPresent' in {}).toBe(false);
    },
  );

  it('is refused with any one byte changed', () => {
    // U+FFFD is what a lenient reader makes of wrong bytes: a change there must not be repaired.
    const sealed = bytes(seal(document({ paths: [knownPath('größe\uFFFD\u0007.png', 'a')] }), binding(), KEY));
    fc.assert(
      fc.property(fc.nat({ max: sealed.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = sealed.slice();
        changed[at] = ((changed[at] ?? 0) + by) % 256;
        expect(unseal(changed, PLACE, KEY).ok).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is refused with a byte more or less, and with a byte order mark', () => {
    const sealed = seal(DOCUMENT, binding(), KEY);
    for (const changed of [sealed.slice(1), sealed.slice(0, -1), `${sealed}}`, `\uFEFF${sealed}`])
      expect(unseal(bytes(changed), PLACE, KEY)).toEqual({ ok: false, error: 'unreadable' });
  });

  const OTHERS: readonly (readonly [string, Partial<Binding>])[] = [
    ['other-repository', { repositoryId: '4712' }],
    ['other-gate', { gate: 'beef' }],
    ['other-mode', { mode: 'sandbox' }],
    ['other-run', { runId: '43' }],
    ['other-scope', { scope: 'pull:main' }],
    ['other-kind', { kind: 'open' }],
  ];
  it.each(OTHERS)('from another place is refused: %s', (refusal, change) => {
    expect(unseal(bytes(seal(DOCUMENT, binding(change), KEY)), PLACE, KEY)).toEqual({ ok: false, error: refusal });
  });

  it('is accepted from any run and scope if the reader knows neither', () => {
    const { repositoryId, gate, mode } = PLACE;
    const moved = seal(DOCUMENT, binding({ runId: '43', scope: 'pull:x' }), KEY);
    expect(unseal(bytes(moved), { repositoryId, gate, mode }, KEY)).toMatchObject({
      ok: true,
      value: { document: DOCUMENT },
    });
  });

  it('distinguishes a changed key from a signature that is wrong', () => {
    const sealed = seal(DOCUMENT, binding(), signingKey('sk_live_1'));
    expect(unseal(bytes(sealed), PLACE, KEY)).toEqual({ ok: false, error: 'other-key' });
    const forged = JSON.stringify({ ...JSON.parse(sealed), keyId: KEY.id });
    expect(unseal(bytes(forged), PLACE, KEY)).toEqual({ ok: false, error: 'forged' });
  });

  it('has the signature of earlier versions, whose states stay usable', () => {
    expect(KEY.id).toBe('a8f0ee819e2eb80e');
    expect(KEY.bytes.toString('hex')).toBe('0df467034e5a2447c1e4cd1982788d1e1a5249d2edc3e50b4b785c2ed4de3e66');
    const { format, keyId, signature, payload } = JSON.parse(seal(DOCUMENT, binding(), KEY));
    expect([format, keyId]).toEqual(['media-compliance-gate/state/1', KEY.id]);
    expect(signature).toBe(createHmac('sha256', KEY.bytes).update(payload).digest('hex'));
    expect(JSON.parse(payload)).toEqual(JSON.parse(JSON.stringify({ binding: binding(), document: DOCUMENT })));
  });

  it('reveals nothing about the secret', () => {
    const secret = 'sk_live_0123456789';
    const sealed = seal(DOCUMENT, binding(), signingKey(secret));
    expect(sealed).not.toContain(secret);
    expect(signingKey(secret).bytes.toString('hex')).not.toBe(signingKey(secret).id);
    expect(sealed).not.toContain(signingKey(secret).bytes.toString('hex'));
  });
});

describe('whose a state claims to be, without proof', () => {
  const { repositoryId, gate, mode } = PLACE;
  it.each([
    ['ours', {}, undefined],
    ['another gate', { gate: 'beef' }, 'other-gate'],
    ['another repository', { repositoryId: '1' }, 'other-repository'],
    ['the other kind of key', { mode: 'sandbox' }, 'other-mode'],
  ] as const)('%s, under any key', (_, change, expected) => {
    const sealed = bytes(seal(DOCUMENT, binding(change), signingKey('any key')));
    expect(claimedMismatch(sealed, { repositoryId, gate, mode })).toBe(expected);
  });

  it.each(['', '{}', 'null', '\uFFFD'])('none, if it is no state: %j', (text) => {
    expect(claimedMismatch(bytes(text), { repositoryId, gate, mode })).toBeUndefined();
  });
});

describe('what is no sealed state', () => {
  const envelope = JSON.parse(seal(DOCUMENT, binding(), KEY));
  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another document', '{"contents":[]}'],
    ['null', 'null'],
    ['without a signature', JSON.stringify({ ...envelope, signature: undefined })],
    ['with an empty signature', JSON.stringify({ ...envelope, signature: '' })],
    ['of another version', JSON.stringify({ ...envelope, format: 'media-compliance-gate/state/2' })],
    ['with a payload that is no text', JSON.stringify({ ...envelope, payload: JSON.parse(envelope.payload) })],
    ['nested without end', '['.repeat(1_000_000)],
  ])('is unreadable: %s', (_, text) => {
    expect(unseal(bytes(text), PLACE, KEY)).toEqual({ ok: false, error: 'unreadable' });
  });

  it.each(['0'.repeat(63), '0'.repeat(65), 'G'.repeat(64), ` ${'0'.repeat(64)}`, `${'0'.repeat(64)} `])(
    'is unreadable with an invalid signature: %j',
    (signature) => {
      expect(unseal(bytes(JSON.stringify({ ...envelope, signature })), PLACE, KEY)).toEqual({
        ok: false,
        error: 'unreadable',
      });
    },
  );

  /** A payload that is signed with our key, whatever is in it. */
  function signed(payload: unknown): Uint8Array {
    const text = JSON.stringify(payload);
    const signature = createHmac('sha256', KEY.bytes).update(text).digest('hex');
    return bytes(JSON.stringify({ ...envelope, signature, payload: text }));
  }

  it.each<[string, unknown]>([
    ['no binding', { document: DOCUMENT }],
    ['no document', { binding: binding() }],
    ...Object.keys(binding()).map((key): [string, unknown] => [
      `no ${key}`,
      { binding: { ...binding(), [key]: undefined }, document: DOCUMENT },
    ]),
    ['an unknown kind', { binding: { ...binding(), kind: 'other' }, document: DOCUMENT }],
    ['an unknown mode', { binding: { ...binding(), mode: 'other' }, document: DOCUMENT }],
    ['an invalid time', { binding: { ...binding(), savedAt: 'yesterday' }, document: DOCUMENT }],
  ])('is unreadable even signed: %s', (_, payload) => {
    expect(unseal(signed(payload), { ...PLACE }, KEY)).toEqual({ ok: false, error: 'unreadable' });
    expect(unseal(signed({ binding: binding(), document: DOCUMENT }), PLACE, KEY).ok).toBe(true);
  });

  it('is unreadable if the signed text is not JSON', () => {
    const payload = 'no JSON';
    const signature = createHmac('sha256', KEY.bytes).update(payload).digest('hex');
    expect(unseal(bytes(JSON.stringify({ ...envelope, signature, payload })), PLACE, KEY)).toEqual({
      ok: false,
      error: 'unreadable',
    });
  });

  it('is unreadable if the document does not fit the schema, even signed', () => {
    const broken = document({ paths: [knownPath('a.png', 'a', { sha256: 'no hash' })] });
    expect(unseal(bytes(seal(broken, binding(), KEY)), PLACE, KEY)).toEqual({ ok: false, error: 'unreadable' });
  });
});
