import { expect, it } from 'vitest';
import { countBranches, type IstanbulFile, notTaken, tableOf } from './branches.ts';

const at = (line?: number) => ({ start: { line } });

function file(path: string, b: IstanbulFile['b']): IstanbulFile {
  return {
    path: `/project/${path}`,
    branchMap: {
      0: { type: 'if', loc: { start: { line: 3 } }, locations: [at(3), at()] },
      1: { type: 'binary-expr', loc: { start: { line: 2 } }, locations: [at(2), at(2), at(4)] },
    },
    b,
  };
}

const FILES = [
  file('src/plan/plan.ts', { 0: [2, 0], 1: [1, 0, 0] }),
  file('src/run.ts', { 0: [1, 1], 1: [1, 1, 1] }),
].map((each) => countBranches(each, '/project'));

it('counts ways through the code by folder, and rounds down', () => {
  expect(
    tableOf(FILES)
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['src/', '5 of 5', '100.0 %'],
    ['src/plan/', '2 of 5', '40.0 %'],
    ['all', '7 of 10', '70.0 %'],
  ]);
});

it('names what was not taken by its line; an else that is not written by the line of its if', () => {
  expect(notTaken(FILES)).toEqual([
    'src/plan/plan.ts:2 && || ??',
    'src/plan/plan.ts:3 else',
    'src/plan/plan.ts:4 && || ??',
  ]);
});
