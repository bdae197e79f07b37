import { describe, expect, it } from 'vitest';
import { MAX_STATE_BYTES, stateIn } from '../../src/state/archive.ts';
import { zip } from './zip.ts';

function textIn(archive: Uint8Array): string | undefined {
  const state = stateIn(archive);
  return state && new TextDecoder().decode(state);
}

describe('stateIn', () => {
  it.each([
    ['deflated', zip([{ name: 'state.json', data: 'hello' }])],
    ['stored', zip([{ name: 'state.json', data: 'hello', stored: true }])],
    [
      'beside others',
      zip([
        { name: 'a', data: 'x' },
        { name: 'state.json', data: 'hello' },
        { name: 'b', data: 'y' },
      ]),
    ],
    ['with a comment', zip([{ name: 'state.json', data: 'hello' }], 'a comment')],
    ['with the longest comment', zip([{ name: 'state.json', data: 'hello' }], 'x'.repeat(0xffff))],
    [
      'behind unknown extra fields',
      zip([
        { name: 'a', data: 'x', extra: 5 },
        { name: 'state.json', data: 'hello', extra: 9 },
      ]),
    ],
    ['whatever size it claims', zip([{ name: 'state.json', data: 'hello', claimedSize: 1 }])],
  ])('finds the state: %s', (_, archive) => {
    expect(textIn(archive)).toBe('hello');
  });

  it.each([
    ['a path upwards', '../state.json'],
    ['an absolute path', '/state.json'],
    ['a drive', 'C:\\state.json'],
    ['a folder', 'state/state.json'],
    ['another case', 'STATE.JSON'],
    ['a name that is cut', 'state.json\0.png'],
  ])('ignores other names: %s', (_, name) => {
    expect(stateIn(zip([{ name, data: 'hello' }]))).toBeUndefined();
  });

  it('is undefined if two entries have the name', () => {
    const entry = { name: 'state.json', data: 'hello' };
    expect(stateIn(zip([entry, entry]))).toBeUndefined();
  });

  it('stops unpacking at the maximum size of a state, whatever size the archive claims', () => {
    const data = Buffer.alloc(MAX_STATE_BYTES + 1);
    const bomb = zip([{ name: 'state.json', data, claimedSize: 10 }]);
    expect(bomb.length).toBeLessThan(100_000);
    expect(stateIn(bomb)).toBeUndefined();
    expect(stateIn(zip([{ name: 'state.json', data, stored: true }]))).toBeUndefined();
    expect(stateIn(zip([{ name: 'state.json', data: data.subarray(1) }]))?.length).toBe(MAX_STATE_BYTES);
  });

  const whole = zip([{ name: 'state.json', data: 'hello'.repeat(100) }]);
  it.each([
    ['nothing', new Uint8Array()],
    ['no archive', Buffer.from('{"contents":[]}')],
    ['another method', zip([{ name: 'state.json', data: 'hello', method: 99 }])],
    ['damaged data', whole.map((byte, index) => (index >= 40 && index < 48 ? 0xff : byte))],
    ['an empty archive', zip([])],
  ])('is undefined for %s', (_, archive) => {
    expect(stateIn(archive)).toBeUndefined();
  });

  it.each([
    ['of the entry', 'PK\x03\x04'],
    ['of the directory', 'PK\x01\x02'],
    ['of the end', 'PK\x05\x06'],
  ])('is undefined if the signature %s is wrong', (_, mark) => {
    const archive = Buffer.from(zip([{ name: 'state.json', data: 'hello', stored: true }]));
    expect(textIn(archive)).toBe('hello');
    archive[archive.indexOf(mark, 0, 'latin1')] = 0;
    expect(stateIn(archive)).toBeUndefined();
  });

  it('is undefined if the data would be longer than the archive', () => {
    const archive = Buffer.from(zip([{ name: 'state.json', data: 'hello', stored: true }]));
    const size = archive.indexOf('PK\x01\x02', 0, 'latin1') + 20;
    const [start, end] = [archive.indexOf('hello'), archive.length];
    archive.writeUInt32LE(end - start, size);
    expect(stateIn(archive)).toHaveLength(end - start);
    archive.writeUInt32LE(end - start + 1, size);
    expect(stateIn(archive)).toBeUndefined();
  });

  it('never throws on an archive that ends early or begins late', () => {
    for (let cut = 1; cut < whole.length; cut += 1) {
      expect(stateIn(whole.subarray(0, whole.length - cut))).toBeUndefined();
      expect(textIn(whole.subarray(cut))).not.toBe('hello'.repeat(100));
    }
  });
});
