import { expect, it } from 'vitest';
import { GitHubError } from '../../src/github/github-error.ts';
import { type Cause, GateError, Interruption } from '../../src/lib/cause.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { causesOf, nothingFound } from '../../src/verdict/findings.ts';
import { content, result, sent } from '../report/runs.ts';
import { refusal } from '../service/things.ts';

const GITHUB_ERROR = new GitHubError('list the artifacts', {
  trouble: 'refused',
  problem: 'there is no token',
  fix: 'Give one.',
});
const CAUSES: readonly Cause[] = [
  { reason: 'pre-flight', message: 'm', fix: 'f' },
  { reason: 'internal', message: 'm', fix: 'f' },
];

// biome-ignore format: a table
it.each<[string, unknown, readonly Partial<Cause>[]]>([
  ['what a step reports', new GateError(CAUSES),                                      CAUSES],
  ['the service',         new ServiceError('reading the submission', refusal(401)),   [{ reason: 'auth' }]],
  ['GitHub',              GITHUB_ERROR,                                               [{ reason: 'github', message: GITHUB_ERROR.message, fix: GITHUB_ERROR.fix }]],
  ['any other error',     new TypeError('x'),                                         [{ reason: 'internal', message: 'The action itself failed: x' }]],
  ['a signal',            new Interruption('SIGINT'),                                 [{ reason: 'cancelled', fix: expect.stringContaining('Nothing was billed') }]],
])('why a run ended early: %s', (_, error, expected) => {
  expect(causesOf(error, nothingFound())).toMatchObject(expected);
});

it('a cancelled run names the submission that is still open', () => {
  const { found } = sent([result(content('a'))]);
  expect(causesOf(new Interruption('SIGINT'), found)).toMatchObject([
    { reason: 'cancelled', message: expect.stringContaining('submission s1.'), submission: 'open' },
  ]);
});
