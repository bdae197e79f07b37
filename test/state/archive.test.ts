import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createGitHubApi } from '../../src/github/api.ts';
import { readArtifact, stateIn } from '../../src/state/archive.ts';
import { MAX_STATE_BYTES, signingKey } from '../../src/state/seal.ts';
import { binding, listed } from './samples.ts';

const HELLO = Buffer.from('hello');

function textIn(archive: Uint8Array): string | undefined {
  const state = stateIn(archive);
  return state && new TextDecoder().decode(state);
}

describe('the state in an archive', () => {
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

it('an archive that is too large is not downloaded', async () => {
  const signal = AbortSignal.abort(new Error('a request'));
  const api = createGitHubApi({ repository: 'acme/media', apiUrl: 'http://127.0.0.1:9', token: 'x', signal });
  const options = { api, origin: binding(), key: signingKey('sk_live_0') };
  const [largest, larger] = [32 * 1024 * 1024, 32 * 1024 * 1024 + 1].map((size) => listed(42, { size }));
  expect(larger && (await readArtifact(larger, options))).toBe('unreadable');
  await expect(largest && readArtifact(largest, options)).rejects.toThrow('a request');
});
