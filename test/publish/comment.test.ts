import { expect } from 'vitest';
import { Interruption } from '../../src/causes/cause.ts';
import { writeComment } from '../../src/publish/comment.ts';
import type { Report } from '../../src/report/report.ts';
import { aReport } from '../builders/reports.ts';
import { connect } from '../harness/connect.ts';
import { it as base } from '../harness/fixtures.ts';
import type { GitHubModel, ModelPull, StoredComment } from '../harness/github-model.ts';
import type { GitHubServer } from '../harness/github-server.ts';

const HEAD = 'a'.repeat(40);
const BOT = { login: 'github-actions[bot]', type: 'Bot' };
const PULL = { number: 7, isFork: false };
const PASSED = aReport({ verdict: 'pass' });
const FAILED = aReport({ verdict: 'fail' });

const PLACE = { job: 'gate', workflow: 'media.yml', baseBranch: 'master' };
const CONTEXT = { event: 'pull_request', eventCommit: HEAD, pullRequest: PULL, ...PLACE };

type Options = Parameters<typeof writeComment>[1];

/** Writes the comment and returns the warnings. `infos` gets the other lines of the log. */
async function write(
  github: GitHubServer,
  report: Report,
  { inputs, context, signal }: { [Key in keyof Options]?: Partial<Options[Key]> } & { signal?: AbortSignal } = {},
  infos: string[] = [],
): Promise<string[]> {
  const warnings: string[] = [];
  const warn = (text: string): number => warnings.push(text);
  await writeComment(report, {
    inputs: { comment: 'on-failure', dryRun: false, name: 'media-compliance', matrix: '', ...inputs },
    context: { ...CONTEXT, ...context },
    api: connect(github, signal && { signal }),
    log: { info: (text) => infos.push(text), warning: warn, group: async (_, work) => await work() },
  });
  return warnings;
}

const it = base
  .extend(
    'start',
    ({ startGitHub }) =>
      async (model: GitHubModel = {}) =>
        await startGitHub({ pulls: { 7: { headSha: HEAD } }, ...model }),
  )
  /** A comment that an earlier, failing run of this gate wrote. */
  .extend('earlier', async ({ start }): Promise<StoredComment> => {
    const github = await start();
    await write(github, FAILED);
    const [comment] = github.comments;
    if (!comment) throw new Error('No comment was written.');
    return comment;
  });

const writes = (github: GitHubServer): string[] =>
  github.requests.filter(({ method, path }) => method !== 'GET' && path !== '/graphql').map(({ method }) => method);

const REPORTS: Readonly<Record<string, Report>> = {
  pass: PASSED,
  fail: FAILED,
  'dry run': aReport({ verdict: 'skipped' }),
  outage: aReport({ verdict: 'error', reason: 'service', isPassing: true }),
  'no key': aReport({ verdict: 'skipped', reason: 'no-key' }),
  'no media': aReport({ verdict: 'skipped', reason: 'no-files' }),
};

type Row = [comment: 'on-failure' | 'always', what: string, there: number, written: string[], pull?: ModelPull];

// biome-ignore format: a table
const ROWS: readonly Row[] = [
  ['on-failure', 'pass', 0, []],
  ['on-failure', 'fail', 0, ['POST']],
  ['on-failure', 'outage', 0, ['POST']],
  ['on-failure', 'no key', 0, ['POST']],
  ['on-failure', 'no media', 0, []],
  ['on-failure', 'pass', 1, ['PATCH']],
  ['on-failure', 'pass', 2, ['PATCH', 'PATCH']],
  ['always', 'pass', 0, ['POST']],
  ['always', 'dry run', 0, []],
  ['always', 'dry run', 1, ['PATCH']],
  // No comment is written over the verdict on a newer commit, and no pass of another base branch.
  ['always', 'fail', 0, [], { headSha: 'f'.repeat(40) }],
  ['always', 'fail', 1, [], { headSha: 'f'.repeat(40) }],
  ['always', 'pass', 1, [], { headSha: HEAD, baseRef: 'release' }],
  ['always', 'fail', 1, ['PATCH'], { headSha: HEAD, baseRef: 'release' }],
  ['always', 'outage', 1, ['PATCH'], { headSha: HEAD, baseRef: 'release' }],
];
it.for(ROWS)(
  '%s, %s, comments before: %i',
  async ([comment, what, there, written, pull = { headSha: HEAD }], { start, earlier }) => {
    const github = await start({ comments: [earlier, { ...earlier, id: 2 }].slice(0, there), pulls: { 7: pull } });
    const inputs = { comment, dryRun: what === 'dry run' };
    expect(await write(github, REPORTS[what] ?? PASSED, { inputs })).toEqual([]);
    expect(writes(github)).toEqual(written);
    // The account of the token is requested only if there is a comment to compare it with.
    expect(github.asked.some((line) => line.endsWith('/graphql'))).toBe(there > 0);
    // No comment is left with an earlier verdict.
    if (written.includes('PATCH'))
      expect(github.comments.every(({ body }) => body === earlier.body)).toBe(what === 'fail');
    expect(new Set(github.comments.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
  },
);

it('no request is made if there is nothing to write, or the run was stopped', async ({ start }) => {
  const github = await start();
  for (const options of [
    { inputs: { comment: 'never' } },
    { context: { pullRequest: undefined, event: 'push' } },
    { signal: AbortSignal.abort(new Interruption('SIGINT')) },
  ] as const)
    expect(await write(github, FAILED, options)).toEqual([]);
  expect(github.requests).toEqual([]);
});

it('if the event does not name the pull request, a warning says that no comment was written', async ({ start }) => {
  const context = { event: 'workflow_run', pullRequest: { isFork: true } };
  const warnings = await write(await start(), FAILED, { context });
  expect(warnings).toEqual([expect.stringContaining('which pull request a `workflow_run` belongs to')]);
});

it.for<[string, StoredComment['user'], string?]>([
  ['by a person', { login: 'mallory', type: 'User' }],
  ['by a person with the name of our bot', { login: 'github-actions', type: 'User' }],
  ['by a deleted account', null],
  ['of ours that quotes it further down', BOT, 'Somebody wrote:\n'],
])('a copy of our marker is not our comment: %s', async ([, user, before = ''], { start, earlier }) => {
  const copy = { id: 1, user, body: before + earlier.body };
  const github = await start({ comments: [copy] });
  for (const report of [FAILED, PASSED]) await write(github, report);
  expect(github.comments).toEqual([copy, expect.objectContaining({ user: BOT })]);
});

it('the comment of another gate, job, workflow or leg of a matrix is not ours', async ({ start, earlier }) => {
  const github = await start({ comments: [earlier] });
  for (const inputs of [{ name: 'other' }, { matrix: '{"market":"DE"}' }]) await write(github, FAILED, { inputs });
  for (const context of [{ job: 'other' }, { workflow: 'b.yml' }]) await write(github, FAILED, { context });
  expect(writes(github)).toEqual(['POST', 'POST', 'POST', 'POST']);
});

it('our comment is found by the short name of the app, beside a similar name', async ({ start, earlier }) => {
  const copy = { id: 1, user: { login: 'github-actions-2[bot]', type: 'Bot' }, body: earlier.body };
  const github = await start({ comments: [copy, earlier], login: 'github-actions' });
  await write(github, PASSED);
  expect(writes(github)).toEqual(['PATCH']);
  expect(github.comments[0]).toEqual(copy);
});

it('after a lost response there may be two comments, and the next run updates both', async ({ start }) => {
  const github = await start({ faults: [{ on: 'POST /repos', status: 502, times: 1, afterwards: true }] });
  expect(await write(github, FAILED)).toEqual([]);
  expect(await write(github, PASSED)).toEqual([]);
  expect(writes(github)).toEqual(['POST', 'POST', 'PATCH', 'PATCH']);
});

it.for([
  ['pull_request', undefined],
  ['pull_request_target', /`permissions: pull-requests: write`/],
] as const)(
  'a token that cannot write on the pull request of a fork, under %s',
  async ([event, warning], { start }) => {
    const infos: string[] = [];
    const github = await start({ permissions: { 'pull-requests': 'read' } });
    const warnings = await write(github, FAILED, { context: { pullRequest: { ...PULL, isFork: true }, event } }, infos);
    expect(warnings).toEqual(warning ? [expect.stringMatching(warning)] : []);
    expect(infos).toEqual(warning ? [] : [expect.stringContaining('forks a token that cannot write')]);
  },
);
