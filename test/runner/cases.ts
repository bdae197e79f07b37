import {
  dispatchEvent,
  mergeGroupEvent,
  type PullRequestFacts,
  pullRequestEvent,
  pushEvent,
  scheduleEvent,
  type WorkflowEvent,
  workflowRunEvent,
} from '../harness/events.ts';
import type { Files } from '../harness/workspace.ts';
import type { HostedRepository } from './hosted-repository.ts';

/** A workflow, and the runs that follow each other in a repository that uses it. */
export interface WorkflowCase {
  /** The file, and after a comma the optional block that is turned on. */
  readonly title: string;
  readonly files: Files;
  readonly args?: readonly string[];
  readonly runs: readonly ExpectedRun[];
}

/**
 * An event and what is seen: jobs; verdict, reason and number of files of every gate; what other actions got.
 * A single job is left out if its result is that of its gate.
 */
type ExpectedRun = readonly [event: string, start: Start, seen: string];

/** Prepares the repository for an event, and returns the event. */
type Start = (repository: HostedRepository) => Promise<WorkflowEvent>;

/** A different document for each name. */
export function pdf(name: string): string {
  return `%PDF-1.7\n% ${name}\n`;
}

function documents(...paths: readonly string[]): Files {
  return Object.fromEntries(paths.map((path) => [path, pdf(path)]));
}

const TWO_FILES = documents('media/brand/logo.pdf', 'media/legal/terms.pdf');

const pushMain: Start = async (repository) => pushEvent(await repository.head());
const byHand: Start = async (repository) => dispatchEvent(await repository.head());
const samePullRequest: Start = async (repository) => pullRequestEvent(latest(repository));
const mergeQueue: Start = async (repository) => mergeGroupEvent(latest(repository));
const mergePullRequest: Start = async (repository) => await repository.merge(latest(repository));

/** A pull request that adds a file. The service finds a CRITICAL issue in `claim`, and a MAJOR one in `slip`. */
function openWith(file: string, from: PullRequestFacts['from'] = 'branch'): Start {
  return async (repository) => pullRequestEvent(await repository.openPullRequest(documents(file), from));
}

function latest({ pullRequests }: HostedRepository): PullRequestFacts {
  const pull = pullRequests.at(-1);
  if (!pull) throw new Error('No pull request was opened.');
  return pull;
}

export const CASES: readonly WorkflowCase[] = [
  {
    title: 'pull-request.yml',
    files: TWO_FILES,
    runs: [
      ['push', pushMain, 'pass, 2 sent'],
      ['pull request with an issue', openWith('media/claim.pdf'), 'fail (issues), 1 sent, 2 reused'],
      [
        'again, after the issue was dismissed in the service',
        async (repository) => {
          repository.live.changeIssues({ ruleCode: 'HEALTH-02' }, { status: 'DISMISSED' });
          return await samePullRequest(repository);
        },
        'pass, 3 reused',
      ],
      ['push of its merge', mergePullRequest, 'pass, 3 reused'],
      ['pull request from a fork, without secrets', openWith('media/spot.pdf', 'fork'), 'skipped (no-key)'],
      ['pull request of Dependabot, without secrets', openWith('media/jingle.pdf', 'dependabot'), 'error (no-key)'],
    ],
  },
  {
    title: 'pull-request.yml, merge-queue',
    files: TWO_FILES,
    runs: [
      ['pull request', openWith('media/spot.pdf'), 'pass, 3 sent'],
      ['merge queue', mergeQueue, 'pass, 3 reused'],
    ],
  },
  {
    title: 'pull-request.yml, nightly',
    files: TWO_FILES,
    runs: [
      ['push', pushMain, 'pass, 2 sent'],
      ['schedule', async (repository) => scheduleEvent(await repository.head(), '23 2 * * *'), 'pass, 2 reused'],
      [
        'by hand, with `reuse-days: 0`',
        async (repository) => dispatchEvent(await repository.head(), { 'reuse-days': '0' }),
        'pass, 2 sent',
      ],
    ],
  },
  {
    title: 'pull-request.yml, code-scanning',
    files: TWO_FILES,
    runs: [['pull request with an issue', openWith('media/claim.pdf'), 'fail (issues), 3 sent; SARIF with 1 result']],
  },
  {
    title: 'monorepo-matrix.yml',
    files: documents('packages/shop/slip.pdf', 'packages/blog/slip.pdf', 'elsewhere.pdf'),
    runs: [
      [
        'push with a MAJOR issue in each package',
        pushMain,
        'media failure; package app success; package blog success; package shop failure; ' +
          'app: skipped (no-files); blog: pass, 1 sent; shop: fail (issues), 1 sent',
      ],
    ],
  },
  {
    title: 'organisation-caller.yml',
    files: TWO_FILES,
    runs: [
      ['push', pushMain, 'pass, 2 sent'],
      ['pull request with an issue', openWith('media/claim.pdf'), 'fail (issues), 1 sent, 2 reused'],
    ],
  },
  {
    title: 'sandbox-test.yml',
    files: TWO_FILES,
    runs: [
      ['by hand', byHand, 'sandbox success; pass, 1 sent; pass, 3 sent'],
      ['pull request from a fork, without secrets', openWith('media/spot.pdf', 'fork'), ''],
    ],
  },
  {
    title: 'attest-and-deploy.yml',
    files: documents('public/media/a b.pdf', 'public/media/deep/c.pdf'),
    runs: [
      ['push', pushMain, 'deploy success; media success; pass, 2 sent; attested so far: 2 files'],
      [
        'push with an issue',
        async (repository) => await repository.push(documents('public/media/claim.pdf')),
        'fail (issues), 1 sent, 2 reused; attested so far: 2 files',
      ],
    ],
  },
  {
    title: 'ghes.yml',
    files: TWO_FILES,
    args: ['--github-instance', 'ghes.example.com'],
    runs: [
      ['push', pushMain, 'pass, 2 sent'],
      ['push again', pushMain, 'pass, 2 reused'],
      ['pull request', openWith('media/spot.pdf'), 'pass, 1 sent, 2 reused'],
    ],
  },
  {
    title: 'fork-safe-trigger.yml',
    files: TWO_FILES,
    runs: [['pull request from a fork, without secrets', openWith('media/spot.pdf', 'fork'), 'request success']],
  },
  {
    title: 'fork-safe-gate.yml',
    files: TWO_FILES,
    runs: [
      ['push', pushMain, 'pass, 2 sent'],
      [
        "after the trigger's run for a fork, with an issue",
        async (repository) => {
          const pull = await repository.openPullRequest(documents('media/claim.pdf'), 'fork');
          return workflowRunEvent(await repository.head(), pull);
        },
        'fail (issues), 1 sent, 2 reused; status pending, then failure',
      ],
    ],
  },
  {
    title: 'recheck-open-pull-requests.yml',
    files: TWO_FILES,
    runs: [
      [
        'by hand, with a pull request that failed before the gate',
        async (repository) => {
          await repository.openPullRequest(documents('media/a.pdf'));
          return await byHand(repository);
        },
        'recheck success',
      ],
    ],
  },
];
