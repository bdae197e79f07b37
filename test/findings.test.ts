import { expect, it } from 'vitest';
import { causesOf, type Findings } from '../src/findings.ts';
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

interface Ending {
  readonly title: string;
  readonly error: unknown;
  /** Default: no submission. */
  readonly open?: Findings['open'];
  readonly causes: readonly Partial<Cause>[];
}

it.each<Ending>([
  { title: 'what a step reports', error: new GateError(CAUSES), causes: CAUSES },
  {
    title: 'the service',
    error: new ServiceError('reading the submission', refusal(401)),
    causes: [{ reason: 'auth' }],
  },
  {
    title: 'GitHub',
    error: GITHUB_ERROR,
    causes: [{ reason: 'github', message: GITHUB_ERROR.message, steps: [workflowOwner('Give one.')] }],
  },
  { title: 'an outage of GitHub', error: GITHUB_DOWN, causes: [{ reason: 'github', steps: [rerun('Wait.')] }] },
  {
    title: 'any other error',
    error: new TypeError('x'),
    causes: [
      {
        reason: 'internal',
        message: 'The action itself failed: x',
        steps: [workflowOwner(expect.stringContaining('report it'))],
      },
    ],
  },
  {
    title: 'a signal',
    error: new Interruption('SIGINT'),
    causes: [{ reason: 'cancelled', message: expect.stringContaining('Nothing was billed') }],
  },
  {
    title: 'a signal, after creation',
    error: new Interruption('SIGINT'),
    open: [...OPEN, ...OPEN.map((each) => ({ ...each, submissionId: 's2' }))],
    causes: [
      {
        reason: 'cancelled',
        message: expect.stringContaining('The analysis goes on there'),
        submissionId: 's1',
        submission: 'open',
        steps: [rerun()],
      },
    ],
  },
])('why a run ended early: $title', ({ error, open = [], causes }) => {
  expect(causesOf(error, { open })).toMatchObject(causes);
});
