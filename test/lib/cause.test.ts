import { expect, it } from 'vitest';
import { actorOf, GateError } from '../../src/lib/cause.ts';

it('a cause says who can act: as usual for its reason, or as it says itself', () => {
  expect(actorOf({ reason: 'pre-flight' })).toBe('author');
  expect(actorOf({ reason: 'auth' })).toBe('workflow owner');
  expect(actorOf({ reason: 'plan' })).toBe('account owner');
  expect(actorOf({ reason: 'pre-flight', actor: 'workflow owner' })).toBe('workflow owner');
});

it('an error has the text of all its causes, each with its file', () => {
  const cause = { reason: 'pre-flight', message: 'It is empty.', fix: '' } as const;
  expect(new GateError([{ ...cause, path: 'a.png' }, cause]).message).toBe('a.png: It is empty.\nIt is empty.');
});
