import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import type { Workspace } from '../../emulator/emulator.ts';
import { listen } from '../../emulator/server.ts';
import { it as base } from '../harness/fixtures.ts';
import { type FrontFault, startFront } from '../harness/front.ts';
import { git, makePullRequest, type PullRequestCommits } from '../harness/git.ts';
import { type GitHubModel, type StoredComment } from '../harness/github-model.ts';
import { startGitHub } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { type ActionOptions, runWithSecrets, type ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { faultsOf, GITHUB_REQUESTS, type GitHubRequest, UNDISTURBED } from './github-cases.ts';

/** The 20 seconds that GitHub gets for each try take half a second. */
const CLOCK_FACTOR = 40;
const WAIVERS = '- { rule: AD-17, path: media/a.png, owner: legal, reason: agreed, expires: 2999-01-01 }\n';
const WAIVERS_FILE = '.github/waivers.yml';
const COMMENT_BEFORE = 'of the run before';

interface GitHubRun extends ServiceRun {
  readonly comments: readonly StoredComment[];
  /** Headers that were sent to another host. */
  readonly stolen: readonly string[];
}

const it = base
  /** An earlier run, which leaves a state of both files and a comment. */
  .extend('before', { scope: 'file' }, async ({ emulator }, { onCleanup }) => {
    const { path: root, remove } = await makeWorkspace({});
    onCleanup(remove);
    const files = { 'media/b.png': png('b'), [WAIVERS_FILE]: WAIVERS };
    const commits = await makePullRequest(root, files, { 'media/a.png': png('a') });
    await git(root, 'checkout', '--quiet', commits.merge);
    const scenario = { files: [{ match: 'media-a', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
    const setting: Setting = { root, commits, service: emulator.workspace({ scenario }) };
    await using github = await startGitHub(modelOf(commits));
    const { artifacts, archives } = github.artifacts;
    await start(setting, github, { runId: 41, artifacts: github.artifacts, inputs: { 'only-changed': 'false' } });
    const [written] = github.comments;
    if (!written) throw new Error('There is no comment.');
    const comment = { ...written, body: `${written.body.split('\n')[0]}\n${COMMENT_BEFORE}` };
    return { ...setting, comment, model: { ...modelOf(commits), artifacts, archives } };
  })
  .extend(
    'runCase',
    ({ before, end, startGitHub: newGitHub }) =>
      async (
        { line, event, isFirst }: Pick<GitHubRequest, 'line' | 'event' | 'isFirst'>,
        make: (elsewhere: string) => FrontFault,
      ): Promise<GitHubRun> => {
        const stolen: string[] = [];
        const server = createServer(({ headers }, response) => {
          stolen.push(JSON.stringify(headers));
          response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
        });
        const elsewhere = await listen(server);
        await end(Promise.resolve({ [Symbol.asyncDispose]: elsewhere.close }));
        const github = await newGitHub({ ...before.model, comments: isFirst ? [] : [before.comment] });
        const fault = (asked: string): FrontFault | undefined => (line.test(asked) ? make(elsewhere.url) : undefined);
        const front = await end(startFront(github.url, { fault }));
        const { token, artifacts } = github;
        const run = await start(before, { url: front.url, token }, { runId: 42, artifacts, event });
        return { ...run, comments: github.comments, stolen };
      },
  );

interface Setting {
  readonly root: string;
  readonly commits: PullRequestCommits;
  readonly service: Workspace;
}

function modelOf({ base: onBase, head, merge }: PullRequestCommits): GitHubModel {
  return {
    pulls: { 2: { headSha: head, files: [{ filename: 'media/a.png', status: 'added' }] } },
    contents: { [`${onBase}:${WAIVERS_FILE}`]: WAIVERS },
    commits: { [merge]: [onBase, head] },
  };
}

interface Started extends Pick<ActionOptions, 'runId' | 'artifacts' | 'inputs'> {
  readonly event?: string | undefined;
}

async function start(
  { root, commits, service }: Setting,
  github: NonNullable<ActionOptions['github']>,
  { inputs, event = 'pull_request', ...run }: Started,
): Promise<ServiceRun> {
  const about = payload('pull_request', {
    'pull_request.head.sha': commits.head,
    'pull_request.head.repo.id': 4711,
    'pull_request.base.repo.id': 4711,
    'pull_request.base.sha': commits.base,
  });
  return await runWithSecrets({
    ...run,
    workspace: root,
    service,
    github,
    clockFactor: CLOCK_FACTOR,
    event: { name: event, payload: about },
    inputs: {
      comment: 'always',
      'only-changed': 'true',
      'waivers-file': WAIVERS_FILE,
      'report-artifact': 'false',
      ...inputs,
    },
    env: { GITHUB_SHA: commits.merge },
  });
}

function outcomeOf({ outputs, comments }: GitHubRun): Readonly<Record<string, unknown>> {
  const bodies = comments.map(({ body }) => body).filter((body) => !body.includes(COMMENT_BEFORE));
  return { ...outputs, hasComment: bodies.some((body) => body.includes('media-compliance')) };
}

it('without a fault a pull request uses its state, changed files, waivers and comment', async ({ runCase }) => {
  const run = await runCase({ line: /^$/ }, () => 'reset');
  expect(outcomeOf(run), run.text).toMatchObject(UNDISTURBED);
});

describe.concurrent.for(GITHUB_REQUESTS)('without $name', (request) => {
  it.for(faultsOf(request))('$name', async ({ make, outcome }, { runCase }) => {
    const run = await runCase(request, make);
    expect(outcomeOf(run), run.text).toMatchObject(outcome);
    if (outcome !== UNDISTURBED) expect(run.text.replaceAll(/<\/?code>/g, '`')).toMatch(request.says);
    expect(run.comments.length).toBeLessThanOrEqual(1);
    // After a redirect to another host, the token is not sent there.
    expect(run.stolen.filter((headers) => /authorization|ghs_/i.test(headers))).toEqual([]);
  });
});
