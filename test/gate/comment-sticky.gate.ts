import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { SERVER_KINDS } from '../harness/github-model.ts';
import type { GitHubServer } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { HEAD, PAGE_AT, payload, pullRequestAt } from '../harness/payloads.ts';

const PULLS = { 2: { headSha: HEAD, files: [{ filename: 'media/a.png', status: 'added' }] } };
const FORK = payload('pull_request', { 'pull_request.head.repo.id': 99 });
const NO_KEY = { 'api-key': '', 'if-no-api-key': 'skip' };

const it = base.extend(
  'run',
  ({ gate }) =>
    async (
      github: GitHubServer,
      inputs: Record<string, string> = {},
      event: unknown = payload('pull_request'),
      scenario: Scenario = {},
    ) =>
      await gate({
        files: { '.git/HEAD': HEAD, 'media/a.png': png('a') },
        event: { name: 'pull_request', payload: event },
        github,
        inputs: { comment: 'on-failure', ...inputs },
        scenario,
      }),
);

/** Texts that no run at the server may show. */
const WRONG_AT = { GitHub: /\/pulls\/2/, Gitea: /github\.com|\/pull\/2|permission|Enterprise/i };

const writes = (github: GitHubServer): string[] =>
  github.asked.filter((line) => !line.startsWith('GET') && !line.includes('graphql'));

describe.concurrent.for(SERVER_KINDS)('the comment of a pull request at %s', (kind) => {
  it('is created on a failure and updated by a pass; another gate has its own', async ({ startGitHub, run }) => {
    const github = await startGitHub({ kind, pulls: PULLS });
    const event = pullRequestAt(kind);
    const inputs = { 'state-file': '${{ runner.temp }}/state.json' };
    const failing = await run(github, inputs, event, CRITICAL);
    expect(failing.summary).toContain(`<a href="${PAGE_AT[kind]}">pull request`);
    expect(failing.text.match(WRONG_AT[kind])).toBeNull();
    expect(github.comments, failing.text).toHaveLength(1);
    const [comment] = github.comments;
    expect(comment?.body).toContain('AD-17');
    expect(comment?.body).toContain(new URL('/acme/campaigns/actions/runs/42', github.serverUrl).href);

    const passing = await run(github, inputs, event);
    expect(passing.text.match(WRONG_AT[kind])).toBeNull();
    expect(github.comments, passing.text).toHaveLength(1);
    expect(github.comments[0]?.body, passing.text).not.toContain('AD-17');
    expect(writes(github)).toEqual([
      'POST /repos/acme/campaigns/issues/2/comments',
      `PATCH /repos/acme/campaigns/issues/comments/${comment?.id}`,
    ]);
    expect(failing.warnings + passing.warnings).not.toContain('comment');

    const other = await run(github, { comment: 'always', matrix: '{"market":"DE"}' }, event);
    expect(github.comments, other.text).toHaveLength(2);
  });
});

it('every run updates the comment, whatever its verdict', async ({ startGitHub, run }) => {
  const github = await startGitHub({ pulls: PULLS });
  const first = await run(github, { comment: 'always' });
  expect(github.comments[0]?.body, first.text).toContain('PASS:');
  for (const [inputs, expected, event] of [
    [{ 'max-files': 'many' }, 'ERROR: Input <code>max-files</code> is'],
    [NO_KEY, 'NOT CHECKED: ', FORK],
    // The input is not valid, so nothing is written.
    [{ comment: 'sometimes' }, 'NOT CHECKED: '],
  ] as const) {
    const { text } = await run(github, inputs, event);
    const bodies = github.comments.map(({ body }) => body);
    expect(bodies, text).toEqual([expect.stringContaining(expected)]);
    expect(bodies[0]).not.toContain('PASS');
  }
});
