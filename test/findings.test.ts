import { expect, it } from 'vitest';
import { type Cause, GateError, Interruption, rerun, workflowOwner } from '../src/causes/cause.ts';
import { causesOf } from '../src/findings.ts';
import { GitHubError } from '../src/github/connect.ts';
import { ENDPOINTS } from '../src/service/endpoints.ts';
import { ServiceError } from '../src/service/service-error.ts';
import { sent } from './builders/runs.ts';
import { refusal } from './builders/service.ts';

const KEYLESS = new GitHubError('list', { trouble: 'refused', problem: 'there is no token', fix: 'Give one.' });
const DOWN = new GitHubError('list', { trouble: 'outage', problem: 'it is down', fix: 'Wait.' });
const CAUSES: readonly Cause[] = [
  { reason: 'pre-flight', message: 'm', steps: [] },
  { reason: 'internal', message: 'm', steps: [] },
];
const REPORT_IT = workflowOwner(expect.stringContaining('report it'));

it.each<[string, unknown, readonly Partial<Cause>[]]>([
  ['the causes that a step reports', new GateError(CAUSES), CAUSES],
  ['the service', new ServiceError(ENDPOINTS.readSubmission, refusal(401)), [{ reason: 'auth' }]],
  ['GitHub', KEYLESS, [{ reason: 'github', message: KEYLESS.message, steps: [workflowOwner('Give one.')] }]],
  ['an outage of GitHub', DOWN, [{ reason: 'github', steps: [rerun('Wait.')] }]],
  [
    'any other error',
    new TypeError('x'),
    [{ reason: 'internal', message: 'The action itself failed: x', steps: [REPORT_IT] }],
  ],
  [
    'a signal',
    new Interruption('SIGINT'),
    [{ reason: 'cancelled', message: expect.stringContaining('before anything was submitted.') }],
  ],
])('why a run ended early: %s', (_, error, causes) => {
  expect(causesOf(error, { submissionIds: [] })).toMatchObject(causes);
});

it('a signal after the creation names the first submission', () => {
  const submissionIds = [...sent([]).found.submissionIds, 's2'];
  const message = expect.stringContaining('The analysis goes on there');
  expect(causesOf(new Interruption('SIGINT'), { submissionIds })).toMatchObject([
    { reason: 'cancelled', message, submission: 'open', steps: [rerun()] },
  ]);
});
