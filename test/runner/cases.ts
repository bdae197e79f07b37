import { dispatchEvent, mergeGroupEvent, pullRequestEvent, scheduleEvent, workflowRunEvent } from './events.ts';
import type { Files } from './hosted-repository.ts';
import {
  documents,
  latest,
  mergePullRequest,
  openWith,
  pushMain,
  type Start,
  samePullRequest,
  TWO_FILES,
} from './starts.ts';

/** A workflow, and what happens in a repository that uses it. */
export interface WorkflowCase {
  /** The workflow, as README.md names it. */
  readonly title: string;
  readonly files: Files;
  /** More options for act. */
  readonly args?: readonly string[];
  readonly runs: readonly ExpectedRun[];
}

/** One run and its expected result, as README.md shows them. */
export interface ExpectedRun {
  readonly event: string;
  readonly start: Start;
  /** Every job that ran, with its result. */
  readonly jobs: string;
  /** Verdict, reason and number of files of every gate. */
  readonly gates: string;
  /** What the stand-ins of other people's actions were given. */
  readonly otherActions?: string;
}

export const CASES: readonly WorkflowCase[] = [
  {
    title: 'pull-request.yml',
    files: TWO_FILES,
    runs: [
      { event: 'push', start: pushMain, jobs: 'media success', gates: 'pass, 2 sent' },
      {
        event: 'pull request with a CRITICAL issue',
        start: openWith('media/campaign/claim.pdf'),
        jobs: 'media failure',
        gates: 'fail (issues), 1 sent, 2 reused',
      },
      {
        event: 'the same again',
        start: samePullRequest,
        jobs: 'media failure',
        gates: 'fail (issues), 3 reused',
      },
      {
        event: 'the same, after the issue was dismissed in the service',
        start: async (repository) => {
          repository.live.setIssueStatus({ ruleCode: 'HEALTH-02' }, 'DISMISSED');
          return pullRequestEvent(latest(repository));
        },
        jobs: 'media success',
        gates: 'pass, 3 reused',
      },
      { event: 'push of its merge', start: mergePullRequest, jobs: 'media success', gates: 'pass, 3 reused' },
      {
        event: 'pull request from a fork, without secrets',
        start: openWith('media/campaign/spot.pdf', 'fork'),
        jobs: 'media success',
        gates: 'skipped (no-key)',
      },
      {
        event: 'pull request of Dependabot, without secrets',
        start: openWith('media/campaign/jingle.pdf', 'dependabot'),
        jobs: 'media failure',
        gates: 'error (no-key)',
      },
    ],
  },
  {
    title: 'pull-request.yml, merge-queue',
    files: TWO_FILES,
    runs: [
      {
        event: 'pull request',
        start: openWith('media/campaign/spot.pdf'),
        jobs: 'media success',
        gates: 'pass, 3 sent',
      },
      {
        event: 'merge queue',
        start: async (repository) => mergeGroupEvent(latest(repository)),
        jobs: 'media success',
        gates: 'pass, 3 reused',
      },
      { event: 'push of the merge', start: mergePullRequest, jobs: 'media success', gates: 'pass, 3 reused' },
    ],
  },
  {
    title: 'pull-request.yml, nightly',
    files: TWO_FILES,
    runs: [
      { event: 'push', start: pushMain, jobs: 'media success', gates: 'pass, 2 sent' },
      {
        event: 'schedule',
        start: async (repository) => scheduleEvent(await repository.head(), '23 2 * * *'),
        jobs: 'media success',
        gates: 'pass, 2 reused',
      },
      {
        event: 'by hand, with `reuse-days: 0`',
        start: async (repository) => dispatchEvent(await repository.head(), { 'reuse-days': '0' }),
        jobs: 'media success',
        gates: 'pass, 2 sent',
      },
    ],
  },
  {
    title: 'pull-request.yml, code-scanning',
    files: TWO_FILES,
    runs: [
      {
        event: 'pull request with a CRITICAL issue',
        start: openWith('media/campaign/claim.pdf'),
        jobs: 'media failure',
        gates: 'fail (issues), 3 sent',
        otherActions: 'SARIF with 1 result',
      },
    ],
  },
  {
    title: 'monorepo-matrix.yml',
    files: {
      ...documents('packages/shop/slip.pdf', 'packages/blog/slip.pdf'),
      '.github/media-waivers.yml': '[]\n',
    },
    runs: [
      {
        event: 'push with a MAJOR issue in each package',
        start: pushMain,
        jobs: 'media failure; package app success; package blog success; package shop failure',
        gates: 'app: skipped (no-files); blog: pass, 1 sent; shop: fail (issues), 1 sent',
      },
      {
        event: 'push again',
        start: pushMain,
        jobs: 'media failure; package app success; package blog success; package shop failure',
        gates: 'app: skipped (no-files); blog: pass, 1 reused; shop: fail (issues), 1 reused',
      },
    ],
  },
  {
    title: 'large-library.yml',
    files: documents('brand/logo.pdf', 'media/spring/a.pdf', 'media/summer/b.pdf'),
    runs: [
      {
        event: 'push',
        start: pushMain,
        jobs: 'folder . success; folder spring success; folder summer success; list success; media success',
        gates: '.: pass, 1 sent; spring: pass, 1 sent; summer: pass, 1 sent',
      },
      {
        event: 'pull request with a CRITICAL issue in one folder',
        start: openWith('media/summer/claim.pdf'),
        jobs: 'folder . success; folder spring success; folder summer failure; list success; media failure',
        gates: '.: pass, 1 reused; spring: pass, 1 reused; summer: fail (issues), 1 sent, 1 reused',
      },
    ],
  },
  {
    title: 'organisation-caller.yml',
    files: TWO_FILES,
    runs: [
      { event: 'push', start: pushMain, jobs: 'gate success', gates: 'pass, 2 sent' },
      {
        event: 'pull request with a CRITICAL issue',
        start: openWith('media/campaign/claim.pdf'),
        jobs: 'gate failure',
        gates: 'fail (issues), 1 sent, 2 reused',
      },
    ],
  },
  {
    title: 'sandbox-test.yml',
    files: TWO_FILES,
    runs: [
      {
        event: 'by hand',
        start: async (repository) => dispatchEvent(await repository.head()),
        jobs: 'sandbox success',
        gates: 'pass, 2 sent',
      },
      {
        event: 'pull request from a fork, without secrets',
        start: openWith('media/campaign/spot.pdf', 'fork'),
        jobs: '',
        gates: '',
      },
    ],
  },
  {
    title: 'attest-and-deploy.yml',
    files: documents('public/media/a b.pdf', 'public/media/deep/c.pdf'),
    runs: [
      {
        event: 'push',
        start: pushMain,
        jobs: 'deploy success; media success',
        gates: 'pass, 2 sent',
        otherActions: 'attested so far: 2 files',
      },
      {
        event: 'push with a CRITICAL issue',
        start: async (repository) => await repository.push(documents('public/media/claim.pdf')),
        jobs: 'media failure',
        gates: 'fail (issues), 1 sent, 2 reused',
        otherActions: 'attested so far: 2 files',
      },
    ],
  },
  {
    title: 'ghes.yml',
    files: TWO_FILES,
    args: ['--github-instance', 'ghes.example.com'],
    runs: [
      { event: 'push', start: pushMain, jobs: 'media success', gates: 'pass, 2 sent' },
      { event: 'push again', start: pushMain, jobs: 'media success', gates: 'pass, 2 reused' },
    ],
  },
  {
    title: 'fork-safe-trigger.yml',
    files: TWO_FILES,
    runs: [
      {
        event: 'pull request from a fork, without secrets',
        start: openWith('media/campaign/spot.pdf', 'fork'),
        jobs: 'request success',
        gates: '',
      },
    ],
  },
  {
    title: 'fork-safe-gate.yml',
    files: TWO_FILES,
    runs: [
      { event: 'push', start: pushMain, jobs: 'gate success', gates: 'pass, 2 sent' },
      {
        event: "after the trigger's run for a fork, with a CRITICAL issue",
        start: async (repository) => {
          const pull = await repository.openPullRequest(documents('media/campaign/claim.pdf'), 'fork');
          return workflowRunEvent(await repository.head(), pull);
        },
        jobs: 'gate failure',
        gates: 'fail (issues), 1 sent, 2 reused',
        otherActions: 'status pending, then failure',
      },
    ],
  },
  {
    title: 'recheck-open-pull-requests.yml',
    files: TWO_FILES,
    runs: [
      {
        event: 'by hand, with a failed run of an open pull request',
        start: async (repository) => {
          await repository.openPullRequest(documents('media/campaign/claim.pdf'));
          return dispatchEvent(await repository.head());
        },
        jobs: 'recheck success',
        gates: '',
        otherActions: 're-run of 7',
      },
    ],
  },
];

/** Expected of day-one.yml, which starts its second run itself. */
export const DAY_ONE: readonly Omit<ExpectedRun, 'start'>[] = [
  {
    event: 'push',
    jobs: 'annotations success; limits success; other-runs success; state success; verify success',
    gates: 'fail (issues), 40 sent; pass, 1 sent',
  },
  { event: 'the second run, without a service', jobs: 'state success', gates: 'pass, 1 reused' },
];

/** Expected if the main step is killed after the submission was created. */
export const KILLED: readonly Omit<ExpectedRun, 'start'>[] = [
  { event: 'push, killed while it saves its state', jobs: 'media failure', gates: '' },
  {
    event: 'push again, which waits for the submission',
    jobs: 'media success',
    gates: 'pass',
  },
];
