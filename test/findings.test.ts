import { expect, it } from 'vitest';
import { causesOf, type Findings, nothingFound } from '../src/findings.ts';
import { GitHubError } from '../src/github/github-error.ts';
import { type Cause, GateError, Interruption, rerun, workflowOwner } from '../src/lib/cause.ts';
import { ServiceError } from '../src/service/service-error.ts';
import { sent } from './builders/runs.ts';
import { refusal } from './service/fake-service.ts';

const GITHUB_ERROR = new GitHubError('list the artifacts', {
  trouble: 'refused',
  problem: 'there is no token',
  fix: 'Give one.',
});
const GITHUB_DOWN = new GitHubError('list', { trouble: 'unavailable', problem: 'it is down', fix: 'Wait.' });
const CAUSES: readonly Cause[] = [
  { reason: 'pre-flight', message: 'm', steps: [] },
  { reason: 'internal', message: 'm', steps: [] },
];

const { open: OPEN } = sent([]).found;

// biome-ignore format: a table
it.each<[string, unknown, Pick<Findings, 'open'>, readonly Partial<Cause>[]]>([
  ['what a step reports',      new GateError(CAUSES),                                    nothingFound(), CAUSES],
  ['the service',              new ServiceError('reading the submission', refusal(401)), nothingFound(), [{ reason: 'auth' }]],
  ['GitHub',                   GITHUB_ERROR,                                             nothingFound(), [{ reason: 'github', message: GITHUB_ERROR.message, steps: [workflowOwner('Give one.')] }]],
  ['an outage of GitHub',      GITHUB_DOWN,                                              nothingFound(), [{ reason: 'github', steps: [rerun('Wait.')] }]],
  ['any other error',          new TypeError('x'),                                       nothingFound(), [{ reason: 'internal', message: 'The action itself failed: x', steps: [workflowOwner(expect.stringContaining('report it'))] }]],
  ['a signal',                 new Interruption('SIGINT'),                               nothingFound(), [{ reason: 'cancelled', message: expect.stringContaining('Nothing was billed') }]],
  ['a signal, after creation', new Interruption('SIGINT'),                               { open: [...OPEN, ...OPEN.map((each) => ({ ...each, submissionId: 's2' }))] }, [{ reason: 'cancelled', message: expect.stringContaining('The analysis goes on there'), submissionId: 's1', submission: 'open', steps: [rerun()] }]],
])('why a run ended early: %s', (_, error, found, expected) => {
  expect(causesOf(error, found)).toMatchObject(expected);
});
