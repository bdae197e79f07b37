import { expect, it } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { nextToRead, readingOrder, type SearchRecord } from '../../src/state/reading-order.ts';
import { StateProblem } from '../../src/state/seal.ts';
import { listed, pull } from '../builders/github.ts';
import { binding, document } from '../builders/states.ts';

const CONTEXT = { ...readContext({}), eventCommit: 'c'.repeat(40), branch: 'near', defaultBranch: 'trunk' };
const UNUSABLE = new StateProblem('unreadable', 'x');

/** The ids of artifacts that were read. */
interface Read {
  readonly usable?: readonly number[];
  readonly unusable?: readonly number[];
}

/** A search that has listed artifacts, each given as its branch and run. The first one was saved first, with id 1. */
function searched(artifacts: readonly string[], { usable = [], unusable = [] }: Read = {}): SearchRecord {
  const entries = artifacts.map((text, index) => {
    const [branch, runId] = text.split(' ');
    return [index + 1, listed(Number(runId), { id: index + 1, branch })] as const;
  });
  const runOf = (id: number): string => artifacts[id - 1]?.split(' ')[1] ?? '';
  const stateOf = (id: number) => ({ binding: binding({ runId: runOf(id) }), document: document() });
  const read: SearchRecord['read'] = new Map(usable.map((id) => [id, stateOf(id)]));
  for (const id of unusable) read.set(id, UNUSABLE);
  const search = {
    context: CONTEXT,
    base: undefined,
    merged: pull({ branch: 'merged' }),
    pages: new Map(),
    notices: [],
  };
  return { ...search, listed: new Map(entries), read };
}

it.each<[string, readonly string[], readonly number[], Read?]>([
  ['the nearest place first', ['near 1', 'merged 2', 'trunk 3', 'other 4'], [1, 2, 3, 4]],
  [
    'in a place, the newest run, what was saved last, the rest by run',
    ['near 9', 'near 2', 'near 3', 'near 1'],
    [1, 4, 3, 2],
  ],
  ['each other branch by itself, the one that saved last first', ['x 1', 'x 2', 'y 3', 'z 4', 'y 5'], [5, 4, 2, 3, 1]],
  [
    'two of each named place before one of any other, then all in turns',
    ['near 1', 'near 2', 'near 3', 'near 4', 'trunk 5', 'trunk 6', 'trunk 7', 'x 8', 'x 9'],
    [4, 7, 3, 6, 9, 2, 5, 8, 1],
  ],
  ['of each run what it saved last, whatever its name', ['near 1', 'near 2', 'near 1'], [2, 3, 1]],
  ['what runs saved before after all other places', ['near 1', 'near 1', 'x 2', 'x 2'], [2, 4, 1, 3]],
  ['what a run saved before, if the last cannot be used', ['near 1', 'near 1', 'x 2'], [1, 3], { unusable: [2] }],
  ['that takes up no place', ['near 1', 'near 2', 'near 3', 'x 4'], [2, 1, 4], { unusable: [3] }],
  ['what was read keeps its place', ['near 1', 'near 2', 'near 3', 'x 4'], [3, 2, 4, 1], { usable: [3, 2] }],
])('the reading order is: %s', (_, artifacts, ids, read) => {
  expect(readingOrder(searched(artifacts, read)).map(({ id }) => id)).toEqual(ids);
});

/** Artifacts of this branch, each of its own run. */
const many = (length: number): readonly string[] => Array.from({ length }, (_, index) => `near ${index + 1}`);
const ids = (length: number): readonly number[] => Array.from({ length }, (_, index) => index + 1);

it.each<[string, number, Read, number]>([
  ['as many as asked for', 30, {}, 4],
  ['those that are left', 5, { usable: [1, 2, 3] }, 2],
  ['none after 12 that can be used', 30, { usable: ids(12) }, 0],
  ['one after 11', 30, { usable: ids(11) }, 1],
  ['none after 20 that cannot be used', 30, { unusable: ids(20) }, 0],
  ['two after 18, of which some can be used', 30, { usable: ids(5), unusable: ids(18).slice(5) }, 2],
])('the next to read are %s', (_, length, read, count) => {
  expect(nextToRead(searched(many(length), read), 4)).toHaveLength(count);
});

it('several states of one run take up one place', () => {
  const artifacts = [...many(12), 'near 12', 'near 12'];
  expect(nextToRead(searched(artifacts, { usable: [14, 13, ...ids(10)] }), 4)).toHaveLength(1);
});
