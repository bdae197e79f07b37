import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';

const MERGE = '9'.repeat(40);
const HEAD = '8'.repeat(40);

const FILES = { '.git/HEAD': HEAD, 'media/a.png': png('a'), 'media/b.png': png('b') };

describe.concurrent('the submission names the commit and ref of the run', () => {
  it.for([
    { event: 'pull_request', payload: payload('pull_request'), ref: 'refs/pull/2/merge' },
    { event: 'merge_group', payload: payload('merge_group'), ref: 'refs/heads/gh-readonly-queue/main/pr-104-929f8209' },
  ] as const)('$event on $ref', async ({ event, payload, ref }, { gate }) => {
    const run = await gate({
      files: FILES,
      event: { name: event, payload },
      env: { GITHUB_REF: ref, GITHUB_SHA: MERGE },
    });
    expect(run.outputs).toMatchObject({ verdict: 'pass', reason: '' });
    expect(run.exitCode).toBe(0);
    expect(run.sent).toEqual(['media-a.png', 'media-b.png']);
    const creation = run.requests.find(({ endpoint }) => endpoint === 'submissions/create');
    expect(creation?.json).toMatchObject({
      metadata: {
        repository: 'acme/campaigns',
        commit: MERGE,
        ref,
        runUrl: 'https://github.com/acme/campaigns/actions/runs/42',
      },
    });
  });
});

it('an event whose payload does not say what it is about is an error, and nothing is sent', async ({ gate }) => {
  const run = await gate({ files: FILES, event: { name: 'pull_request', payload: '{"pull_request": {' } });
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
  expect(run.readableSummary).toContain(
    'The payload of this `pull_request` event does not say what the event is about',
  );
  expect(run.requests).toEqual([]);
});

describe.concurrent('with state in artifacts', () => {
  it.for([
    ['an empty event file', 'push', '', ''],
    ['an address of the API that ends in a slash', 'push', {}, '/'],
  ] as const)('%s changes nothing', async ([, name, about, end], { gate, startGitHub, startArtifacts }) => {
    const github = await startGitHub();
    const run = await gate({
      files: FILES,
      event: { name, payload: about },
      github: { ...github, url: github.url + end },
      artifacts: await startArtifacts(),
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', reason: '' });
    expect(github.asked).toContain('GET /repos/acme/campaigns/actions/artifacts');
  });
});

const FORK = payload('pull_request', { 'pull_request.head.repo.id': 99, 'pull_request.head.label': 'mallory:changes' });
/** `fork` says that the repository is a fork of something, not that the pull request comes from one. */
const INSIDE_A_FORK = payload('pull_request', { 'pull_request.head.repo.fork': true, 'repository.fork': true });

describe.concurrent('without the key', () => {
  it.for([
    ['error', INSIDE_A_FORK, { verdict: 'error' }, '`api-key` is empty'],
    ['skip', FORK, { verdict: 'skipped' }, 'NOT CHECKED: There is no API key: GitHub gives no secrets to'],
  ] as const)('if-no-api-key: %s', async ([choice, about, outputs, message], { gate }) => {
    const run = await gate({
      files: FILES,
      event: { name: 'pull_request', payload: about },
      inputs: { 'api-key': '', 'if-no-api-key': choice },
    });
    expect(run.outputs).toMatchObject({ ...outputs, reason: 'no-key' });
    expect(run.exitCode).toBe(choice === 'skip' ? 0 : 1);
    expect(run.readableSummary).toContain(message);
    expect(run.annotations.map(({ level }) => level)).toContain(choice === 'skip' ? 'warning' : 'error');
    expect(run.requests).toEqual([]);
  });
});
