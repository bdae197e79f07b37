import { expect, it } from 'vitest';
import { author, FILE, GateError, withFiles } from '../../src/lib/cause.ts';

// biome-ignore format: a table
it.each<[string, readonly string[]]>([
  ['Replace the file.',                   []],
  ['Replace `a.png`.',                    ['a.png']],
  ['Replace each of these files.',        ['a.png', 'b.png']],
  ['Replace `$&.png`.',                   ['$&.png']],
])('a step names its file: %s', (text, paths) => {
  expect(withFiles([author(`Replace ${FILE}.`)], paths)).toEqual([{ actor: 'author', text }]);
});

it('an error has the text of all its causes, each with its file', () => {
  const cause = { reason: 'pre-flight', message: 'It is empty.', steps: [] } as const;
  expect(new GateError([{ ...cause, path: 'a.png' }, cause]).message).toBe('a.png: It is empty.\nIt is empty.');
});
