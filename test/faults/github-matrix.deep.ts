import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator, type Workspace } from '../../emulator/emulator.ts';
import { listen } from '../../emulator/server.ts';
import { startArtifacts } from '../harness/artifact-service.ts';
import { type FrontFault, startFront } from '../harness/front.ts';
import { git, makePullRequest, type PullRequestCommits } from '../harness/git.ts';
import { type GitHubModel, type StoredComment, startGitHub } from '../harness/github-server.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { workOn } from '../harness/pool.ts';
import type { ActionOptions, ServiceRun } from '../harness/run-action.ts';
import { GITHUB_CASES, GITHUB_REQUESTS, type GitHubCase, type GitHubRequest, UNDISTURBED } from './github-cases.ts';

const AT_ONCE = 5;
/** GitHub is given 20 seconds a try: two of ours, or ten. */
const CLOCK_FACTOR = 10;
const WAIVERS = '- { rule: AD-17, path: media/a.png, owner: legal, reason: agreed, expires: 2999-01-01 }\n';
const WAIVERS_FILE = '.github/waivers.yml';
const COMMENT_BEFORE = 'of the run before';

let emulator: Emulator;
let service: Workspace;
let root: string;
let commits: PullRequestCommits;
let known: Pick<GitHubModel, 'artifacts' | 'archives'>;
let ownComment: StoredComment;
let elsewhere: { readonly url: string; readonly close: () => Promise<void> };
const stolen: string[] = [];
let runOf: (each: GitHubCase) => Promise<GitHubRun>;

interface GitHubRun extends ServiceRun {
  readonly comments: readonly StoredComment[];
}

beforeAll(async () => {
  emulator = await startEmulator();
  const scenario = { files: [{ match: 'media-a', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
  service = emulator.workspace({ scenario });
  root = await mkdtemp(path.join(tmpdir(), 'gate-github-'));
  commits = await makePullRequest(
    root,
    { 'media/b.png': png('b'), [WAIVERS_FILE]: WAIVERS },
    { 'media/a.png': png('a') },
  );
  await git(root, 'checkout', '--quiet', commits.merge);
  const server = createServer((request, response) => {
    stolen.push(JSON.stringify(request.headers));
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
  });
  elsewhere = await listen(server);
  await prepare();
  runOf = workOn(
    GITHUB_CASES,
    AT_ONCE,
    async ({ request, fault }) => await runCase(request, fault.make(elsewhere.url)),
  );
}, 120_000);
afterAll(async () => {
  await Promise.all([emulator.close(), elsewhere.close(), rm(root, { recursive: true })]);
});

/** The run before: it leaves a state of both files, and a comment. */
async function prepare(): Promise<void> {
  await using artifacts = await startArtifacts();
  await using github = await startGitHub({ ...model(), artifacts: artifacts.artifacts, archives: artifacts.archives });
  const run = await start('pull_request', github, { runId: 41, artifacts, inputs: { 'only-changed': 'false' } });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '2' });
  known = { artifacts: [...artifacts.artifacts], archives: { ...artifacts.archives } };
  const [written] = github.comments;
  if (!written) throw new Error('There is no comment.');
  ownComment = { ...written, body: `${written.body.split('\n')[0]}\n${COMMENT_BEFORE}` };
}

function model(): GitHubModel {
  return {
    pulls: {
      2: {
        headSha: commits.head,
        files: [{ filename: 'media/a.png', status: 'added' }],
      },
    },
    contents: { [`${commits.base}:${WAIVERS_FILE}`]: WAIVERS },
    commits: { [commits.merge]: [commits.base, commits.head] },
  };
}

async function runCase({ line, event, isFirst }: GitHubRequest, trouble: FrontFault | undefined): Promise<GitHubRun> {
  await using artifacts = await startArtifacts();
  const comments = isFirst ? [] : [ownComment];
  await using github = await startGitHub({ ...model(), ...known, comments });
  await using front = await startFront(github.url, { fault: (asked) => (line.test(asked) ? trouble : undefined) });
  const run = await start(event, { url: front.url, token: github.token }, { runId: 42, artifacts });
  return { ...run, comments: github.comments };
}

async function start(
  event: GitHubRequest['event'],
  github: NonNullable<ActionOptions['github']>,
  { inputs, ...run }: Pick<ActionOptions, 'runId' | 'artifacts' | 'inputs'>,
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
  const updated = comments.filter(({ body }) => body.includes('media-compliance') && !body.includes(COMMENT_BEFORE));
  const { verdict, reason, 'files-matched': matched, 'files-reused': reused, 'files-submitted': submitted } = outputs;
  return {
    verdict,
    reason,
    'files-matched': matched,
    'files-reused': reused,
    'files-submitted': submitted,
    hasComment: updated.length > 0,
  };
}

describe('without a fault', () => {
  it('a pull request uses its state, changed files, waivers and comment', async () => {
    const [first] = GITHUB_REQUESTS;
    if (!first) throw new Error('There are no requests.');
    const run = await runCase(first, undefined);
    expect(outcomeOf(run), run.text).toEqual(UNDISTURBED);
    expectInvariants(run);
  });
});

describe.each(GITHUB_REQUESTS)('without $name', (request) => {
  const cases = GITHUB_CASES.filter((each) => each.request === request);
  it.each(cases.map((each) => [each.fault.name, each] as const))('%s', async (_, each) => {
    const run = await runOf(each);
    expect(outcomeOf(run), run.text).toEqual(each.outcome);
    expectInvariants(run);
    if (each.outcome !== UNDISTURBED) expect(run.text.replaceAll(/<\/?code>/g, '`')).toMatch(request.says);
    expect(run.comments.length).toBeLessThanOrEqual(1);
    // Wherever GitHub redirects to, its token goes only to GitHub.
    expect(stolen.filter((headers) => /authorization|ghs_/i.test(headers))).toEqual([]);
  });
});
