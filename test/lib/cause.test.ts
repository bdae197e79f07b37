import { expect, it } from 'vitest';
import { author, FILE, GateError, rerun, stepText, withFiles } from '../../src/lib/cause.ts';

// biome-ignore format: a table
it.each<[string, readonly string[]]>([
  ['Replace the file.',                   []],
  ['Replace `a.png`.',                    ['a.png']],
  ['Replace `a`, `b`, `c` and 1 more.',   ['a', 'b', 'c', 'd']],
  ['Replace `$&.png`.',                   ['$&.png']],
])('a step names its file: %s', (text, paths) => {
  expect(withFiles(author(`Replace ${FILE}.`), paths)).toEqual({ actor: 'author', text });
});

it('an error has the text of all its causes, each with its file', () => {
  const cause = { reason: 'pre-flight', message: 'It is empty.', steps: [] } as const;
  const error = new GateError([{ ...cause, path: 'a.png' }, cause]);
  expect(error.message).toBe('a.png: It is empty.\nIt is empty.');
  expect(error.causes).toHaveLength(2);
});

it('a re-run links to the page of the run, and its note follows the text', () => {
  expect(rerun()).toEqual({ actor: 'anyone', text: 'Re-run this job.', link: 'run' });
  const step = withFiles(rerun(`Replace ${FILE}: ${FILE} is empty.`, 'It is free.'), ['a.png']);
  expect([rerun(), step].map(stepText)).toEqual(['Re-run this job.', 'Replace `a.png`: `a.png` is empty. It is free.']);
});
