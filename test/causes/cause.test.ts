import { expect, it } from 'vitest';
import { GateError } from '../../src/causes/cause.ts';

it('an error has the text of all its causes, each with its file', () => {
  const cause = { reason: 'pre-flight', message: 'It is empty.', steps: [] } as const;
  const error = new GateError([{ ...cause, path: 'a.png' }, cause]);
  expect(error.message).toBe('a.png: It is empty.\nIt is empty.');
  expect(error.causes).toHaveLength(2);
});
