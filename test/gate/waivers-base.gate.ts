import { describe, expect } from 'vitest';
import { CRITICAL, ONE_FILE, it as test } from '../harness/fixtures.ts';
import { type GitHubModel, SERVER_KINDS } from '../harness/github-model.ts';
import { images, png } from '../harness/media.ts';
import { HEAD, payload, pullRequest } from '../harness/payloads.ts';

const BASE = 'b'.repeat(40);
const PULL = pullRequest({ 'pull_request.base.sha': BASE });

function waiver(path: string, expires = '2999-12-31'): string {
  const approval = 'owner: legal@example.com\n  reason: Agreed with the regulator';
  return `- rule: AD-17\n  path: '${path}'\n  ${approval}\n  expires: ${expires}\n`;
}

/** The commit of the run. Under `deployment_status` and `workflow_run` it is that of the default branch. */
const SHA = '0123456789abcdef0123456789abcdef01234567';
const PULLED = '8'.repeat(40);
const QUEUED = { 'workflow_run.event': 'merge_group', 'workflow_run.head_sha': PULLED };

interface Place {
  /** The commit that is checked out. */
  readonly head?: string;
  readonly event?: typeof PULL;
  readonly model?: GitHubModel;
}

/** A run on a.png, whose CRITICAL issue is waived here, and on b.png, whose issue is waived at the base or on main. */
const it = test.extend('run', ({ gate, startGitHub }) => async ({ head = SHA, event, model }: Place) => {
  const contents = { [`${BASE}:waivers.yml`]: waiver('b.png'), ':waivers.yml': waiver('b.png') };
  const run = await gate({
    files: { ...images('a', 'b'), '.git/HEAD': head, 'waivers.yml': waiver('a.png') },
    scenario: CRITICAL,
    github: await startGitHub({ contents, ...model }),
    inputs: { 'waivers-file': 'waivers.yml' },
    event,
  });
  const failing = run.annotations.filter(({ file, level }) => file !== undefined && level === 'error');
  return { ...run, failing: failing.map(({ file }) => file) };
});

const PROPOSED = 'Waivers proposed here, which count once they are merged (1): AD-17 for a.png';

describe.concurrent.for(SERVER_KINDS)('waivers in a pull request at %s', (kind) => {
  it('of the base count and are listed with their owner; added ones are only proposed', async ({ run }) => {
    const done = await run({ event: PULL, model: { kind } });
    const { outputs, failing, log, summary } = done;
    expect(outputs, log).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(failing).toEqual(['a.png']);
    expect(done.file('report.json')).toMatch(/legal@example\.com.*Agreed with the regulator.*2999-12-31/s);
    expect(log).toContain(PROPOSED);
    expect(summary).toMatch(/Waiver:<\/b> not applied\. A waiver is proposed here \(owner legal/);
  });
});

describe.concurrent('the comment says in the issue and in its step', () => {
  const EXPIRED = waiver('a.png', '2026-01-31');
  const READ = { pulls: { 2: { headSha: HEAD } } };

  const UNREAD = { ...READ, permissions: { contents: 'none' } };

  it.for<[string, RegExp, GitHubModel, Record<string, string>]>([
    ['whose waiver expired, and when', /The waiver of legal\S+example\.com expired on 2026-01-31\./g, READ, {}],
    ['that no waiver could be read', /No waiver counts .* base commit could not be read\./g, UNREAD, {}],
    ['that there was no baseline', /no analysis of [^,]+, the base branch/g, READ, { 'fail-on-issues': 'new' }],
  ])('%s', async ([, reason, model, inputs], { gate, startGitHub }) => {
    const github = await startGitHub({ contents: { [`${BASE}:waivers.yml`]: EXPIRED }, ...model });
    const run = await gate({
      files: { ...ONE_FILE, 'waivers.yml': EXPIRED },
      scenario: CRITICAL,
      github,
      inputs: { 'waivers-file': 'waivers.yml', comment: 'on-failure', ...inputs },
      event: PULL,
    });
    const [comment] = github.comments;
    expect(comment?.body.match(reason), run.text).toHaveLength(2);
  });
});

describe.concurrent('waivers-file with working-directory', () => {
  it.for(['pull_request', 'push'])('is in that folder under %s', async (name, { gate, startGitHub }) => {
    const [file, other] = [waiver('a.png'), waiver('other.png')];
    const contents = { [`${BASE}:site/waivers.yml`]: file, [`${BASE}:waivers.yml`]: other };
    const { outputs, log } = await gate({
      files: { 'site/a.png': png('a'), '.git/HEAD': SHA, 'site/waivers.yml': file, 'waivers.yml': other },
      scenario: CRITICAL,
      github: await startGitHub({ contents }),
      inputs: { 'working-directory': 'site', 'waivers-file': 'waivers.yml' },
      event: name === 'push' ? undefined : PULL,
    });
    expect(outputs, log).toMatchObject({ verdict: 'pass' });
  });
});

describe.concurrent('waivers of a checkout that is not the commit of the run, or not of a branch run', () => {
  it.for([
    ['deployment_status', SHA, payload('deployment_status', {}, 1)],
    ['workflow_dispatch', PULLED, payload('workflow_dispatch')],
    ['workflow_run', PULLED, payload('workflow_run', QUEUED)],
  ] as const)('do not count under %s at %s: those of the default branch do', async ([name, head, about], { run }) => {
    const { failing, log } = await run({ head, event: { name, payload: about } });
    expect(failing, log).toEqual(['a.png']);
    expect(log).toContain(PROPOSED);
  });
});

it('waivers on a branch count if they are in the workspace', async ({ run }) => {
  expect((await run({})).failing).toEqual(['b.png']);
});
