import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { listen } from '../../emulator/server.ts';
import { analyse, GATE } from '../harness/earlier-run.ts';
import { it as base } from '../harness/fixtures.ts';
import type { Fault } from '../harness/github-model.ts';
import { png } from '../harness/media.ts';

const [BASE, HEAD] = ['b'.repeat(40), '8'.repeat(40)];
const WAIVERS = '- { rule: AD-17, path: media/a.png, owner: legal, reason: agreed, expires: 2999-01-01 }\n';
const FILES = { 'media/a.png': png('a'), 'media/b.png': png('b') };
const PULL = { headSha: HEAD, headRef: 'changes', baseRef: 'main' };
/** The comment of the run before. */
const EARLIER = {
  id: 1001,
  body: `<!-- media-compliance-gate ${GATE} -->\nof the run before`,
  user: { login: 'github-actions[bot]', type: 'Bot' },
};
const INPUTS = { comment: 'always', 'only-changed': 'true', 'waivers-file': 'waivers.yml' };

/** The outputs of a run, and whether the comment is about this run. */
type Outcome = Readonly<Record<string, string | boolean>>;

/** Without a fault: one of two files is changed, was analysed before and has a waived CRITICAL issue. */
const UNDISTURBED: Outcome = {
  verdict: 'pass',
  reason: '',
  'files-matched': '1',
  'files-reused': '1',
  'files-submitted': '0',
  hasComment: true,
};
/** Somebody has deleted the artifact: its files are sent again, and the verdict is the same. */
const PAID_AGAIN: Outcome = { ...UNDISTURBED, 'files-reused': '0', 'files-submitted': '1' };
const ALL_CHECKED: Outcome = { ...UNDISTURBED, 'files-matched': '2', 'files-reused': '2' };
/** Without the earlier results, sending could bill files again. */
const STOPPED: Outcome = { ...UNDISTURBED, verdict: 'error', reason: 'github', 'files-reused': '0' };

const NO_STATE = /results of earlier runs could not be read|was deleted or has expired/;
const NOT_WRITTEN = { refused: { ...UNDISTURBED, hasComment: false }, says: /The verdict stands/ };

/** A request to GitHub, and how a run ends if the request fails. No failure may turn the run into a pass. */
interface Request {
  readonly name: string;
  /** Matches `METHOD /path`. */
  readonly on: RegExp;
  /** The gate has written no comment yet. */
  readonly isFirst?: true;
  /** The gate reads only the status of the response, and the work is done whatever its body is. */
  readonly isWrite?: true;
  /** The outcome if GitHub refuses the request or does not respond. */
  readonly refused: Outcome;
  /** The outcome if GitHub does not respond. Default: that of a refusal. */
  readonly outage?: Outcome;
  /** The outcome of a 404. Default: that of a refusal. */
  readonly missing?: Outcome;
  readonly says: RegExp;
}

const REQUESTS: readonly Request[] = [
  { name: 'the list of artifacts', on: /^GET .*\/actions\/artifacts$/, refused: STOPPED, says: NO_STATE },
  { name: 'the archive of an artifact', on: /\/zip$/, refused: STOPPED, missing: PAID_AGAIN, says: NO_STATE },
  { name: 'the storage of artifacts', on: /^GET \/storage\//, refused: STOPPED, says: NO_STATE },
  {
    name: 'the changed files',
    on: /\/pulls\/2\/files$/,
    refused: ALL_CHECKED,
    says: /`only-changed` was not applied and all 2 matched files are checked/,
  },
  {
    name: 'the pull request',
    on: /\/pulls\/2$/,
    refused: { ...ALL_CHECKED, hasComment: false },
    outage: { ...STOPPED, 'files-matched': '2', hasComment: false },
    says: /all 2 matched files are checked|Could not read the pull request/,
  },
  {
    name: 'the waivers of the base',
    on: /\/contents\//,
    refused: { ...UNDISTURBED, verdict: 'fail', reason: 'issues' },
    says: /No waiver counts in this run|A waiver is proposed here/,
  },
  {
    name: 'the merge commit',
    on: /\/git\/commits\//,
    refused: { ...STOPPED, 'files-matched': '0' },
    missing: UNDISTURBED,
    says: /Could not read the commit/,
  },
  { name: 'the comments', on: /^GET .*\/issues\/2\/comments$/, ...NOT_WRITTEN },
  { name: 'whose token it is', on: /graphql$/, ...NOT_WRITTEN },
  { name: 'a changed comment', on: /^PATCH /, isWrite: true, ...NOT_WRITTEN },
  { name: 'a new comment', on: /^POST .*\/issues\/2\/comments$/, isFirst: true, isWrite: true, ...NOT_WRITTEN },
];

const NESTED = `{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

/** One fault of each kind; test/github/api-refusals.test.ts has the others. */
const FAULTS: Readonly<Record<string, Omit<Fault, 'on'>>> = {
  403: { status: 403, body: { message: 'Resource not accessible by integration' } },
  404: { status: 404, body: { message: 'Not Found' } },
  '500, nested 100,000 deep': { status: 500, body: NESTED },
  silence: { status: 'never' },
  'a web page': { status: 200, body: '<!doctype html>', headers: { 'content-type': 'text/html' } },
  'a redirect': { status: 307 },
};

const it = base
  /** A server that is not GitHub's, and the headers that were sent to it. */
  .extend('elsewhere', async ({ end }) => {
    const stolen: string[] = [];
    const server = createServer(({ headers }, response) => {
      stolen.push(JSON.stringify(headers));
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
    });
    const { url, close } = await listen(server);
    await end(Promise.resolve({ [Symbol.asyncDispose]: close }));
    return { location: `${url}/stolen`, stolen };
  })
  /** A run after one that has left a state of both files and, by default, a comment. */
  .extend('runWith', ({ startRepository, makeFolder }) => async (faults: readonly Fault[], comments = [EARLIER]) => {
    const world = await startRepository({
      scenario: { files: [{ match: 'media-a', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] },
      model: {
        pulls: { 2: { ...PULL, files: [{ filename: 'media/a.png', status: 'added' }] } },
        contents: { [`${BASE}:waivers.yml`]: WAIVERS },
        comments,
        faults,
      },
    });
    const document = await analyse(world.service, FILES);
    world.plantState({ branch: 'changes', runId: 30, slot: 'pull', document });
    const workspace = await makeFolder({ ...FILES, 'waivers.yml': WAIVERS });
    const run = await world.pull({ branch: 'changes', commit: HEAD, base: BASE, workspace, inputs: INPUTS });
    const bodies = world.github.comments.map(({ body }) => body);
    const hasComment = bodies.some((body) => body.startsWith('<!-- ') && body !== EARLIER.body);
    return { ...run, outcome: { ...run.outputs, hasComment }, comments: bodies.length };
  });

it('without a fault a pull request uses its state, changed files, waivers and comment', async ({ runWith }) => {
  const { outcome, text } = await runWith([]);
  expect(outcome, text).toMatchObject(UNDISTURBED);
});

describe.concurrent.for(REQUESTS)('without $name', ({ on, isFirst, isWrite, refused, says, ...others }) => {
  const faults = Object.keys(FAULTS).filter((name) => !isWrite || name !== 'a web page');
  it.for(faults)('%s', async (name, { runWith, elsewhere: { location, stolen } }) => {
    const fault = { on, headers: { location }, ...FAULTS[name] };
    const { outcome, comments, text } = await runWith([fault], isFirst ? [] : undefined);
    // Any other fault than a refusal is an outage, also a 404 of the server that a redirect leads to.
    const { missing = refused, outage = refused } = others;
    const expected = { 403: refused, 404: missing }[name] ?? outage;
    expect(outcome, text).toMatchObject(expected);
    if (expected !== UNDISTURBED) expect(text.replaceAll(/<\/?code>/g, '`')).toMatch(says);
    expect(comments).toBeLessThanOrEqual(1);
    // After a redirect to another host, the token is not sent there.
    expect(stolen.filter((headers) => /authorization|ghs_/i.test(headers))).toEqual([]);
  });
});
