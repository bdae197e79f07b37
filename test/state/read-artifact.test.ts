import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { MAX_STATE_BYTES } from '../../src/state/seal.ts';
import { stateIn } from '../../src/state/state-artifact.ts';
import { sharedEntries } from '../harness/zip-bomb.ts';

const HELLO = Buffer.from('hello');

it.each(['../state.json', '/state.json', 'C:\\state.json', 'state/state.json', 'STATE.JSON', 'state.json\0.png'])(
  'no state is called %j',
  (name) => {
    expect(stateIn(zipSync({ [name]: HELLO }))).toBeUndefined();
  },
);

it('an archive with any other entry has no state, and nothing is unpacked', () => {
  expect(stateIn(zipSync({ 'state.json': HELLO, other: HELLO }))).toBeUndefined();
  expect(stateIn(zipSync({ other: HELLO, 'state.json': HELLO }))).toBeUndefined();
  expect(stateIn(sharedEntries(300, new Uint8Array(MAX_STATE_BYTES)))).toBeUndefined();
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
