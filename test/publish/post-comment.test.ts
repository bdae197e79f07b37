import { describe, expect, it } from 'vitest';
import type { PullRequest } from '../../src/github/context.ts';
import { Interruption } from '../../src/lib/cause.ts';
import type { Log } from '../../src/lib/log.ts';
import { writeComment } from '../../src/publish/post-comment.ts';
import type { Report } from '../../src/report/report.ts';
import { connect } from '../harness/connect.ts';
import { type GitHubModel, type GitHubServer, type StoredComment, startGitHub } from '../harness/github-server.ts';
import { aReport } from '../report/fixtures.ts';

const HEAD = 'a'.repeat(40);
const BOT = { login: 'github-actions[bot]', type: 'Bot' };
const PULL: PullRequest = { number: 7, headSha: HEAD, isFork: false, isDependabot: false };
const PASSED = report('pass', true);
const FAILED = report('fail', false);
const ERROR = report('error', false);

function report(verdict: Report['verdict'], isPassing: boolean): Report {
  return aReport({ verdict, isPassing });
}

interface Options {
  readonly comment?: 'never' | 'on-failure' | 'always';
  readonly dryRun?: boolean;
  readonly job?: string;
  readonly event?: string;
  readonly pullRequest?: PullRequest | undefined;
  readonly signal?: AbortSignal;
}

async function write(github: GitHubServer, report: Report, options: Options = {}): Promise<string[]> {
  const warnings: string[] = [];
  const log: Log = {
    info: () => {},
    notice: (text) => warnings.push(text),
    warning: (text) => warnings.push(text),
    group: async (_, work) => await work(),
  };
  const api = connect(github, options.signal && { signal: options.signal });
  const { comment = 'on-failure', dryRun = false, event = 'pull_request', job = 'gate' } = options;
  await writeComment(report, {
    inputs: { comment, dryRun, name: 'media-compliance', matrix: '' },
    context: {
      event,
      job,
      workflow: '.github/workflows/media.yml',
      pullRequest: 'pullRequest' in options ? options.pullRequest : PULL,
    },
    api,
    log,
  });
  return warnings;
}

async function start(model: GitHubModel = {}): Promise<GitHubServer> {
  return await startGitHub({ pulls: { 7: { headSha: HEAD } }, ...model });
}

/** The comment that a run of this gate leaves. */
async function writtenBy(report: Report, options: Options = {}): Promise<StoredComment> {
  await using github = await start();
  await write(github, report, { comment: 'always', ...options });
  const [comment] = github.comments;
  if (!comment) throw new Error('No comment was written.');
  return comment;
}

const writes = (github: GitHubServer): string[] =>
  github.requests.filter(({ method, path }) => method !== 'GET' && path !== '/graphql').map(({ method }) => method);

describe('when a comment is written', () => {
  it.each([
    ['never', FAILED, false, []],
    ['on-failure', PASSED, false, []],
    ['on-failure', FAILED, false, ['POST']],
    ['on-failure', ERROR, false, ['POST']],
    ['on-failure', FAILED, true, ['PATCH']],
    ['on-failure', PASSED, true, ['PATCH']],
    ['always', PASSED, false, ['POST']],
    ['always', FAILED, false, ['POST']],
    ['always', PASSED, true, ['PATCH']],
  ] as const)('%s, %o, one already there: %s', async (comment, report, exists, expected) => {
    await using github = await start({ comments: exists ? [await writtenBy(FAILED)] : [] });
    expect(await write(github, report, { comment })).toEqual([]);
    expect(writes(github)).toEqual(expected);
    expect(github.comments).toHaveLength(exists || expected.length > 0 ? 1 : 0);
  });

  it('makes no request if there is nothing to write', async () => {
    await using github = await start();
    await write(github, FAILED, { comment: 'never' });
    await write(github, FAILED, { comment: 'always', dryRun: true });
    await write(github, FAILED, { comment: 'always', pullRequest: undefined, event: 'push' });
    expect(github.requests).toEqual([]);
  });

  it('not over the verdict on a newer commit', async () => {
    const comments = [await writtenBy(PASSED)];
    await using github = await start({ comments, pulls: { 7: { headSha: 'f'.repeat(40) } } });
    expect(await write(github, FAILED)).toEqual([]);
    expect(github.comments).toEqual(comments);
  });

  it('not after the run was stopped', async () => {
    await using github = await start();
    expect(await write(github, FAILED, { signal: AbortSignal.abort(new Interruption('SIGINT')) })).toEqual([]);
    expect(github.requests).toEqual([]);
  });

  it('not if the event does not name the pull request of a fork, with a notice', async () => {
    await using github = await start();
    const options = { event: 'workflow_run', pullRequest: { ...PULL, number: undefined } };
    expect(await write(github, FAILED, options)).toEqual([expect.stringContaining('No comment was written')]);
  });
});

describe('which comment is ours', () => {
  it.each([
    ['a person', { login: 'mallory', type: 'User' }],
    ['a person with the name of our bot', { login: 'github-actions', type: 'User' }],
    ['another bot', { login: 'quoter[bot]', type: 'Bot' }],
    ['an account that is gone', null],
  ])('not one in which %s copied the marker', async (_, user) => {
    const forged = { ...(await writtenBy(FAILED)), user };
    await using github = await start({ comments: [forged] });
    await write(github, FAILED);
    expect(github.comments).toEqual([forged, expect.objectContaining({ user: BOT })]);
    await write(github, PASSED);
    expect(github.comments).toHaveLength(2);
    expect(github.comments[0]).toEqual(forged);
  });

  it('not one of ours that quotes it further down', async () => {
    const quote = { ...(await writtenBy(FAILED)), id: 1, user: BOT };
    quote.body = `Somebody wrote:\n${quote.body}`;
    await using github = await start({ comments: [quote] });
    await write(github, FAILED);
    expect(github.comments).toHaveLength(2);
  });

  it('is also found on the second page', async () => {
    const chatter = Array.from({ length: 120 }, (_, id) => ({
      id,
      body: 'hello',
      user: { login: 'ann', type: 'User' },
    }));
    await using github = await start({ comments: [...chatter, await writtenBy(FAILED)] });
    await write(github, PASSED);
    expect(github.comments).toHaveLength(121);
    expect(writes(github)).toEqual(['PATCH']);
  });
});

it('a lost response is a warning, and the next run makes no second comment', async () => {
  await using github = await start({ faults: [{ on: 'POST /repos', status: 502, times: 1, afterwards: true }] });
  expect(await write(github, FAILED)).toEqual([expect.stringContaining('GitHub answered 502')]);
  expect(await write(github, FAILED)).toEqual([]);
  expect(github.comments).toHaveLength(1);
  expect(writes(github)).toEqual(['POST', 'PATCH']);
});
