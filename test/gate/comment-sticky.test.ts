import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { SERVER_KINDS } from '../harness/github-model.ts';
import { type GitHubServer } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { PAGE_AT, payload, pullRequestAt } from '../harness/payloads.ts';

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const PULLS = { 2: { headSha: HEAD } };
const CRITICAL: Scenario = {
  files: [{ match: '*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17', summary: 'Claims a cure' }] }],
};

interface Options {
  readonly scenario?: Scenario;
  readonly comment?: string;
  readonly event?: unknown;
  readonly env?: Record<string, string>;
  readonly inputs?: Record<string, string>;
}

const it = base.extend(
  'run',
  ({ gate }) =>
    async (
      github: GitHubServer,
      { comment = 'on-failure', event = payload('pull_request'), inputs, ...rest }: Options = {},
    ) =>
      await gate({
        files: { 'media/a.png': png('a') },
        event: { name: 'pull_request', payload: event },
        github,
        inputs: { comment, ...inputs },
        ...rest,
      }),
);

/** What no run at that server may say. */
const WRONG_AT = { GitHub: /\/pulls\/2/, Gitea: /github\.com|\/pull\/2|permission|Enterprise/i };

const writes = (github: GitHubServer): string[] =>
  github.asked.filter((line) => !line.startsWith('GET') && !line.includes('graphql'));

describe.concurrent.for(SERVER_KINDS)('the comment of a pull request at %s', (kind) => {
  it('is created when the gate fails, and updated when it passes; another gate has its own', async ({
    startGitHub,
    run,
  }) => {
    const github = await startGitHub({ kind, pulls: PULLS });
    const event = pullRequestAt(kind);
    const inputs = { 'state-file': '${{ runner.temp }}/state.json' };
    const failing = await run(github, { scenario: CRITICAL, event, inputs });
    expect(failing.exitCode, failing.text).toBe(1);
    expect(failing.summary).toContain(`<a href="${PAGE_AT[kind]}/files#diff-`);
    expect(failing.text.match(WRONG_AT[kind])).toBeNull();
    expect(github.comments, failing.text).toHaveLength(1);
    const [comment] = github.comments;
    expect(comment?.body).toContain('AD-17');
    expect(comment?.body).toContain(new URL('/acme/campaigns/actions/runs/42', github.serverUrl).href);

    const passing = await run(github, { event, inputs });
    expect(passing.text.match(WRONG_AT[kind])).toBeNull();
    expect(passing.exitCode, passing.text).toBe(0);
    expect(github.comments, passing.text).toHaveLength(1);
    expect(github.comments[0]?.body, passing.text).not.toContain('AD-17');
    expect(writes(github)).toEqual([
      'POST /repos/acme/campaigns/issues/2/comments',
      `PATCH /repos/acme/campaigns/issues/comments/${comment?.id}`,
    ]);
    expect(failing.warnings + passing.warnings).not.toContain('comment');
    expect(failing.log).toContain('Wrote a comment');
    expect(passing.log).toContain('Updated the comment');

    const other = await run(github, { comment: 'always', event, inputs: { matrix: '{"market":"DE"}' } });
    expect(github.comments, other.text).toHaveLength(2);
  });

  it('is brought up to date by every run, whatever its verdict', async ({ startGitHub, run }) => {
    const github = await startGitHub({ kind, pulls: PULLS });
    const event = pullRequestAt(kind);
    const first = await run(github, { comment: 'always', event });
    expect(github.comments[0]?.body, first.text).toContain('PASS:');
    for (const [inputs, expected] of [
      [{ 'max-files': 'many' }, 'ERROR: Input <code>max-files</code> is'],
      [{ 'api-key': '' }, 'ERROR: '],
      [{ 'dry-run': 'true' }, 'NOT CHECKED: This was a dry run.'],
      [{ files: 'none/**' }, 'NOT CHECKED: '],
    ] as const) {
      const { text } = await run(github, { event, inputs });
      expect(
        github.comments.map(({ body }) => body),
        text,
      ).toEqual([expect.stringContaining(expected)]);
      expect(github.comments[0]?.body).not.toContain('PASS');
    }
    const [{ body } = { body: '' }] = github.comments;
    await run(github, { comment: 'sometimes', event });
    await run(github, { comment: 'never', event });
    expect(github.comments.map((comment) => comment.body)).toEqual([body]);
  });

  it('says that nothing was checked if a fork has no key', async ({ startGitHub, run }) => {
    const github = await startGitHub({ kind, pulls: PULLS });
    const event = pullRequestAt(kind, { 'pull_request.head.repo.id': 99 });
    const inputs = { 'api-key': '', 'if-no-api-key': 'skip' };
    const skipped = await run(github, { comment: 'always', event, inputs });
    expect(skipped.exitCode, skipped.text).toBe(0);
    expect(github.comments[0]?.body, skipped.text).toMatch(/not checked/i);
  });
});

it('a comment that cannot be written is only a warning, and the token is written nowhere', async ({
  startGitHub,
  run,
}) => {
  const github = await startGitHub({ pulls: PULLS, permissions: { 'pull-requests': 'read' } });
  const result = await run(github, { comment: 'always', scenario: CRITICAL });
  expect(result.outputs, result.text).toMatchObject({ verdict: 'fail', reason: 'issues' });
  expect(result.warnings).toContain('`permissions: pull-requests: write`');
  expect(result.log.replace(`::add-mask::${github.token}`, '')).not.toContain(github.token);
});
