import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Binding, MAX_STATE_BYTES, seal, signingKey, unseal } from '../../src/state/seal.ts';
import { issue } from '../builders/analyses.ts';
import { analysed, binding, document, open, pathRecord } from '../builders/states.ts';

const KEY = signingKey('sk_live_0');
/** Opens a state as one of run 42. */
function open42(sealed: Uint8Array) {
  return unseal(sealed, { binding: binding(), key: KEY }, '42');
}
const DOCUMENT = document({
  contents: [
    analysed('a', { issues: [issue({ headline: 'Cure', referenceNumber: 7 })], versionNumber: 2 }),
    ...open('submission-9', ['b']),
  ],
  paths: [pathRecord('media/a.png', 'a')],
});

const TEXT = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes).toWellFormed());

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('a sealed state', () => {
  it('opens although a reference number could not be written', () => {
    const issues = [issue({ referenceNumber: Number.POSITIVE_INFINITY })];
    const sealed = seal(document({ contents: [analysed('a', { issues })] }), binding(), KEY);
    expect(open42(bytes(sealed))).toMatchObject({ document: { contents: [{ issues: [issue()] }] } });
  });

  it('keeps any path and any text', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (path, text) => {
        const odd = document({
          contents: [analysed('a', { issues: [issue({ id: text, ruleCode: text, status: text })] })],
          paths: [pathRecord(path, 'a')],
        });
        expect(open42(bytes(seal(odd, binding(), KEY)))).toEqual({ binding: binding(), document: odd });
      }),
    );
  });

  it('is refused with any one byte changed', () => {
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

  it.each([
    [true, 10],
    [false, 60_000],
  ])('keeps the texts of its issues: %j, with %i long ones', (isKept, count) => {
    const text = 'x'.repeat(300);
    const issues = Array.from({ length: count }, (_, index) =>
      issue({ id: `issue-${index}`, summary: text, headline: text }),
    );
    const sealed = seal(document({ contents: [analysed('a', { issues })] }), binding(), KEY);
    expect(sealed.length).toBeLessThan(16 * 1024 * 1024);
    const opened = open42(bytes(sealed));
    const kept = isKept ? { summary: text, headline: text } : { summary: '' };
    const expected = { id: `issue-${count - 1}`, severity: 'CRITICAL', status: 'OPEN', ruleCode: 'AD-17', ...kept };
    const [record] = typeof opened === 'object' ? opened.document.contents : [];
    expect(record?.kind === 'analysed' && record.issues.at(-1)).toMatchObject(expected);
  });

  it('is not written if no later run would read it', () => {
    // Each quotation mark takes four characters.
    const large = document({ paths: [pathRecord('"'.repeat(MAX_STATE_BYTES / 4), 'a')] });
    expect(() => seal(large, binding(), KEY)).toThrow('larger than 64 MB');
  });

  it.each<[string, Partial<Binding>]>([
    ['repository', { repositoryId: '4712' }],
    ['gate', { gate: 'beef' }],
    ['kind of key', { mode: 'sandbox' }],
    ['run', { runId: '43' }],
  ])('from another place is refused, whoever signed it: another %s', (_, change) => {
    for (const key of [KEY, signingKey('any key')])
      expect(open42(bytes(seal(DOCUMENT, binding(change), key)))).toBe('not-ours');
  });

  it('distinguishes a changed key from a signature that is wrong', () => {
    const sealed = seal(DOCUMENT, binding(), signingKey('sk_live_1'));
    expect(open42(bytes(sealed))).toBe('other-key');
    const forged = JSON.stringify({ ...JSON.parse(sealed), keyId: KEY.id });
    expect(open42(bytes(forged))).toBe('forged');
  });
});

describe('what is no sealed state', () => {
  const envelope = JSON.parse(seal(DOCUMENT, binding(), KEY));
  it.each([
    ['no JSON', '{'],
    ['without a signature', JSON.stringify({ ...envelope, signature: undefined })],
    ['with a signature that is too short', JSON.stringify({ ...envelope, signature: '0'.repeat(63) })],
    ['with a payload that is no JSON', JSON.stringify({ ...envelope, payload: 'no JSON' })],
    ['of another version', JSON.stringify({ ...envelope, format: 'media-compliance-gate/state/1' })],
    ['nested without end', '['.repeat(1_000_000)],
  ])('is unreadable: %s', (_, text) => {
    expect(open42(bytes(text))).toBe('unreadable');
  });

  /** A payload that is signed with our key, whatever is in it. */
  function signed(payload: unknown): Uint8Array {
    const text = JSON.stringify(payload);
    const signature = createHmac('sha256', KEY.bytes).update(text).digest('hex');
    return bytes(JSON.stringify({ ...envelope, signature, payload: text }));
  }

  it.each<[string, unknown]>([
    ['no binding', { document: DOCUMENT }],
    ['a path without a hash', { binding: binding(), document: { ...DOCUMENT, paths: [{ path: 'a.png' }] } }],
    ['an invalid time', { binding: { ...binding(), savedAt: 'yesterday' }, document: DOCUMENT }],
  ])('is unreadable even signed: %s', (_, payload) => {
    expect(open42(signed(payload))).toBe('unreadable');
    expect(open42(signed({ binding: binding(), document: DOCUMENT }))).toBeTypeOf('object');
  });
});
