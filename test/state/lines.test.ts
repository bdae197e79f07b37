import { expect, it } from 'vitest';
import { lineInWords, lineOf } from '../../src/state/lines.ts';

it.each([
  ['of the branch main', lineOf({ branch: 'main', pullRequest: undefined })],
  [
    'of the pull request from feature',
    lineOf({
      branch: 'feature',
      pullRequest: { number: 7, headSha: 'a'.repeat(40), isFork: false, isDependabot: false },
    }),
  ],
])('a line in words: %s', (words, line) => {
  expect(lineInWords(line)).toBe(words);
});
