import { type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { MAX_STATE_BYTES, readArtifact, stateIn } from '../../src/state/archive.ts';
import { seal, signingKey } from '../../src/state/seal.ts';
import { binding, document } from './samples.ts';

const HELLO = Buffer.from('hello');

function textIn(archive: Uint8Array): string | undefined {
  const state = stateIn(archive);
  return state && new TextDecoder().decode(state);
}

describe('the state in an archive', () => {
  it.each<[string, Zippable]>([
    ['deflated', { 'state.json': HELLO }],
    ['stored', { 'state.json': [HELLO, { level: 0 }] }],
    ['beside others', { a: HELLO, 'state.json': HELLO, b: HELLO }],
    ['with a comment', { 'state.json': [HELLO, { comment: 'a comment' }] }],
  ])('is found: %s', (_, entries) => {
    expect(textIn(zipSync(entries))).toBe('hello');
  });

  it.each(['../state.json', '/state.json', 'C:\\state.json', 'state/state.json', 'STATE.JSON', 'state.json\0.png'])(
    'is not an entry of another name: %j',
    (name) => {
      expect(stateIn(zipSync({ [name]: HELLO }))).toBeUndefined();
    },
  );

  it('is not unpacked beyond its maximum size, nor beyond the size that the archive claims', () => {
    const archive = zipSync({ 'state.json': new Uint8Array(MAX_STATE_BYTES + 1) });
    expect(stateIn(archive)).toBeUndefined();
    const lie = Buffer.from(archive);
    lie.writeUInt32LE(10, lie.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
    expect(stateIn(lie)?.length ?? 0).toBeLessThanOrEqual(10);
  });

  it('is undefined in anything that is no whole archive, and nothing is thrown', () => {
    const whole = zipSync({ 'state.json': Buffer.from('hello'.repeat(100)) });
    for (const other of [new Uint8Array(), Buffer.from('{"contents":[]}'), zipSync({})])
      expect(stateIn(other)).toBeUndefined();
    for (let cut = 1; cut < whole.length; cut += 1) {
      expect(stateIn(whole.subarray(0, whole.length - cut))).toBeUndefined();
      expect(textIn(whole.subarray(cut))).not.toBe('hello'.repeat(100));
    }
  });
});

describe('the state in an artifact', () => {
  const key = signingKey('sk_live_0');
  const origin = binding();
  const archive = zipSync({ 'state.json': Buffer.from(seal(document(), binding(), key)) });
  const read = async (artifact: { size?: number; runId?: string }, stored: Uint8Array) => {
    let downloads = 0;
    const artifactArchive = async (): Promise<Uint8Array> => {
      downloads += 1;
      return stored;
    };
    const options = { api: { artifactArchive }, origin, key };
    return { found: await readArtifact({ id: 1, size: 1, runId: '42', ...artifact }, options), downloads };
  };

  it.each([
    ['ours', {}, archive, { document: document() }],
    ['of the largest size', { size: 32 * 1024 * 1024 }, archive, { document: document() }],
  ])('%s is read', async (_, artifact, stored, expected) => {
    expect((await read(artifact, stored)).found).toMatchObject(expected);
  });

  it.each([
    ['of another run, by the list', { runId: '43' }, archive, 'not-ours', 1],
    ['no archive', {}, Buffer.from('PK'), 'unreadable', 1],
    ['too large: it is not downloaded', { size: 32 * 1024 * 1024 + 1 }, archive, 'unreadable', 0],
  ])('%s', async (_, artifact, stored, found, downloads) => {
    expect(await read(artifact, stored)).toEqual({ found, downloads });
  });
});
