import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Binding, type Place, seal, signingKey, unseal } from '../../src/state/seal.ts';
import { binding, document, issue, known, knownPath, open } from './samples.ts';

const KEY = signingKey('sk_live_0');
const PLACE: Place = {
  repositoryId: '4711',
  gate: 'f00d',
  mode: 'live',
  runId: '42',
  line: 'branch:main',
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
  it('opens to what was sealed, where it belongs', () => {
    expect(unseal(bytes(seal(DOCUMENT, binding(), KEY)), PLACE, KEY)).toEqual({
      binding: binding(),
      document: DOCUMENT,
    });
  });

  it('keeps any path and any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, text) => {
        const odd = document({
          contents: [known('a', { issues: [issue({ id: text, ruleCode: text, status: text })] })],
          paths: [knownPath(path, 'a')],
        });
        expect(unseal(bytes(seal(odd, binding(), KEY)), PLACE, KEY)).toEqual({ binding: binding(), document: odd });
      }),
    );
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'has no name that means something: %s',
    (name) => {
      const odd = document({ paths: [knownPath(name, 'a')], open: [open(name, ['a'])] });
      const unsealed = unseal(
        bytes(seal(odd, binding({ line: `branch:${name}` }), KEY)),
        { ...PLACE, line: `branch:${name}` },
        KEY,
      );
      expect(unsealed).toMatchObject({ document: odd });
      expect('isPresent' in {}).toBe(false);
    },
  );

  it('is refused with any one byte changed', () => {
    // U+FFFD is what a lenient reader makes of wrong bytes: a change there must not be mended.
    const sealed = bytes(seal(document({ paths: [knownPath('größe\uFFFD\u0007.png', 'a')] }), binding(), KEY));
    fc.assert(
      fc.property(fc.nat({ max: sealed.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = sealed.slice();
        changed[at] = ((changed[at] ?? 0) + by) % 256;
        expect(unseal(changed, PLACE, KEY)).toBeTypeOf('string');
      }),
      { numRuns: 3_000 },
    );
  });

  it('is refused with a byte more or less, and with a byte order mark', () => {
    const sealed = seal(DOCUMENT, binding(), KEY);
    for (const changed of [sealed.slice(1), sealed.slice(0, -1), `${sealed}}`, `\uFEFF${sealed}`])
      expect(unseal(bytes(changed), PLACE, KEY)).toBe('unreadable');
  });

  const OTHERS: readonly (readonly [string, Partial<Binding>])[] = [
    ['other-repository', { repositoryId: '4712' }],
    ['other-gate', { gate: 'beef' }],
    ['other-mode', { mode: 'sandbox' }],
    ['other-run', { runId: '43' }],
    ['other-line', { line: 'pull:main' }],
    ['other-kind', { kind: 'open' }],
  ];
  it.each(OTHERS)('from another place is refused: %s', (refusal, change) => {
    expect(unseal(bytes(seal(DOCUMENT, binding(change), KEY)), PLACE, KEY)).toBe(refusal);
  });

  it('is taken from any run and line where the reader knows neither', () => {
    const { repositoryId, gate, mode } = PLACE;
    const moved = seal(DOCUMENT, binding({ runId: '43', line: 'pull:x' }), KEY);
    expect(unseal(bytes(moved), { repositoryId, gate, mode }, KEY)).toMatchObject({ document: DOCUMENT });
  });

  it('tells a key that was changed from a signature that is wrong', () => {
    const sealed = seal(DOCUMENT, binding(), signingKey('sk_live_1'));
    expect(unseal(bytes(sealed), PLACE, KEY)).toBe('other-key');
    const forged = JSON.stringify({ ...JSON.parse(sealed), keyId: KEY.id });
    expect(unseal(bytes(forged), PLACE, KEY)).toBe('forged');
  });

  it('tells nothing about the secret', () => {
    const secret = 'sk_live_0123456789';
    const sealed = seal(DOCUMENT, binding(), signingKey(secret));
    expect(sealed).not.toContain(secret);
    expect(signingKey(secret).bytes.toString('hex')).not.toBe(signingKey(secret).id);
    expect(sealed).not.toContain(signingKey(secret).bytes.toString('hex'));
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
    expect(unseal(bytes(text), PLACE, KEY)).toBe('unreadable');
  });

  it('is unreadable where the document is not of our form, even signed', () => {
    const broken = document({ paths: [knownPath('a.png', 'a', { sha256: 'no hash' })] });
    expect(unseal(bytes(seal(broken, binding(), KEY)), PLACE, KEY)).toBe('unreadable');
  });
});
