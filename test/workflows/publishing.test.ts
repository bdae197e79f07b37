import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTION_NAME, readWorkflow } from './files.ts';
import { type JobEnd, runJob } from './job.ts';
import { makeRepository, type Repository } from './repository.ts';

// Their jobs run on Linux.
const isElsewhere = process.platform !== 'linux';

describe.skipIf(isElsewhere)('release.yml', async () => {
  const file = await readWorkflow('.github/workflows/release.yml');
  const FILES = {
    'action.yml': 'name: x',
    'dist/index.js': '',
    LICENSE: '',
    'README.md': '',
    'package.json': '{"version": "1.2.3"}',
    '.ci/run': '#!/bin/sh\nexit 0\n',
  };
  const IMMUTABLE = '*releases/tags/*) echo true ;;\n*"release view"*) exit 1 ;;';
  const run = async (repository: Repository, job: string): Promise<JobEnd> =>
    await runJob(file, job, {
      workspace: repository.path,
      bin: repository.bin,
      contexts: { github: { token: 'a-token' } },
      env: { GITHUB_REF_NAME: 'v1.2.3', GITHUB_REPOSITORY: 'acme/gate' },
    });

  it('checks that the tag is the version and that its commit is on main', async () => {
    await using repository = await makeRepository(FILES);
    repository.git('update-index', '--chmod=+x', '.ci/run');
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const { log } = await run(repository, 'check');
    expect(log).toContain('[The tag is the version, and the commit was reviewed: success]');
  });

  it.each([
    ['the version is another one', { ...FILES, 'package.json': '{"version": "1.2.4"}' }, 'HEAD'],
    ['its commit is not on main', FILES, 'HEAD~1'],
  ])('stops if %s', async (_why, files, main) => {
    await using repository = await makeRepository(files);
    repository.git('commit', '--quiet', '--allow-empty', '--message', 'more');
    repository.git('update-ref', 'refs/remotes/origin/main', main);
    const { result, log } = await run(repository, 'check');
    expect(log).toContain('[The tag is the version, and the commit was reviewed: failure]');
    expect(result).toBe('failure');
  });

  it('makes a draft, moves the major tag, and then publishes', async () => {
    await using repository = await makeRepository(FILES, IMMUTABLE);
    repository.git('tag', 'v1');
    repository.git('commit', '--quiet', '--allow-empty', '--message', 'more');
    for (const tag of ['v0.9.0', 'v1.2.3', 'v1.2.2', 'v1.1.9', 'v10.0.0']) repository.git('tag', tag);
    expect((await run(repository, 'publish')).result).toBe('success');
    expect(await repository.gh()).toEqual([
      'release view v1.2.3',
      'release create v1.2.3 --draft --verify-tag --generate-notes media-compliance-gate.tar.gz',
      `api --method PATCH repos/acme/gate/git/refs/tags/v1 -f sha=${repository.git('rev-parse', 'HEAD')} -F force=true`,
      'release edit v1.2.3 --draft=false',
      'api repos/acme/gate/releases/tags/v1.2.3 --jq .immutable',
    ]);
  });

  it('creates the major tag if there is none yet', async () => {
    await using repository = await makeRepository(FILES, `${IMMUTABLE}\n*PATCH*) exit 1 ;;`);
    repository.git('tag', 'v1.2.3');
    expect((await run(repository, 'publish')).result).toBe('success');
    const posted = (await repository.gh()).filter((command) => command.includes('POST'));
    expect(posted).toEqual([expect.stringMatching(/^api --method POST .*git\/refs -f ref=refs\/tags\/v1 -f sha=/)]);
  });

  it('publishes nothing if GitHub refuses to move the major tag, and says how to move it by hand', async () => {
    await using repository = await makeRepository(FILES, `${IMMUTABLE}\n*PATCH*|*POST*) exit 1 ;;`);
    repository.git('tag', 'v1.2.3');
    const refused = await run(repository, 'publish');
    expect(refused.result).toBe('failure');
    expect(refused.log).toMatch(/::error::v1 could not be moved.*git push --force origin refs\/tags\/v1/);
    expect((await repository.gh()).filter((command) => command.includes('--draft=false'))).toEqual([]);

    repository.git('tag', 'v1');
    expect((await run(repository, 'publish')).result).toBe('success');
    expect((await repository.gh()).filter((command) => command.includes('--draft=false'))).toHaveLength(1);
  });

  it('leaves the major tag with a newer version', async () => {
    await using repository = await makeRepository(FILES, IMMUTABLE);
    for (const tag of ['v1.2.3', 'v1.10.0']) repository.git('tag', tag);
    const { result, log } = await run(repository, 'publish');
    expect(result).toBe('success');
    expect(log).toContain('::notice::v1 stays where it is: v1.10.0 is newer.');
    expect((await repository.gh()).filter((command) => /PATCH|POST/.test(command))).toEqual([]);
  });

  it('fails if the release can still be changed', async () => {
    await using repository = await makeRepository(FILES, '*releases/tags/*) echo false ;;');
    repository.git('tag', 'v1.2.3');
    const { result, log } = await run(repository, 'publish');
    expect(result).toBe('failure');
    expect(log).toContain('Turn on immutable releases');
  });
});

describe.skipIf(isElsewhere)('dependency-commit.yml', async () => {
  const file = await readWorkflow('.github/workflows/dependency-commit.yml');
  const BRANCH = 'dependabot/npm_and_yarn/undici-9';

  async function commit(built: Readonly<Record<string, string>> | undefined) {
    const origin = await makeRepository({ 'dist/index.js': 'old', 'dist/1.index.js': 'old', 'src/a.ts': 'a' });
    origin.git('checkout', '--quiet', '-b', 'elsewhere');
    origin.git('branch', '--force', BRANCH, 'main');
    origin.git('remote', 'add', 'origin', origin.path);
    const workflow_run = { head_branch: BRANCH, head_sha: origin.git('rev-parse', 'HEAD'), id: 1 };
    const job = await runJob(file, 'commit', {
      workspace: origin.path,
      bin: origin.bin,
      contexts: { github: { event: { workflow_run }, token: 'a-token' } },
      actions: {
        'actions/download-artifact': async ({ path: folder = '' }) => {
          for (const [name, text] of Object.entries(built ?? {})) {
            await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
            await writeFile(path.join(folder, name), text);
          }
          return { outcome: 'success', outputs: {} };
        },
      },
    });
    const files = origin.git('ls-tree', '-r', '--name-only', BRANCH).split('\n');
    const message = origin.git('log', '-1', '--format=%s', BRANCH);
    return { origin, job, files, message, gh: await origin.gh() };
  }

  it('commits what was built, and starts CI for it', async () => {
    const { origin, job, files, message, gh } = await commit({
      'index.js': 'new',
      '22.index.js': 'new',
      'licenses.txt': '',
      'package.json': '{}',
    });
    await using _ = origin;
    expect(job.log).toContain('[Commit: success]');
    expect(files).toEqual(['dist/22.index.js', 'dist/index.js', 'dist/licenses.txt', 'dist/package.json', 'src/a.ts']);
    expect(message).toBe('Build dist [dependabot skip]');
    expect(gh).toEqual([`workflow run ci.yml --ref ${BRANCH}`]);
  });

  it('does nothing if dist/ did not change', async () => {
    const { origin, job, message, gh } = await commit(undefined);
    await using _ = origin;
    expect(job.result).toBe('success');
    expect([message, gh]).toEqual(['all', []]);
  });

  it.each(['evil.sh', 'index.js.map', 'sub/index.js', '.gitattributes'])(
    'takes nothing but files of dist/: %s',
    async (name) => {
      const { origin, job, message, gh } = await commit({ 'index.js': 'new', [name]: 'x' });
      await using _ = origin;
      expect(job.result).toBe('failure');
      expect([message, gh]).toEqual(['all', []]);
    },
  );
});

describe.skipIf(isElsewhere)('attest-and-deploy.yml', async () => {
  const file = await readWorkflow('examples/workflows/attest-and-deploy.yml');
  const deploy = async (repository: Repository): Promise<JobEnd> =>
    await runJob(file, 'deploy', {
      workspace: repository.path,
      bin: repository.bin,
      contexts: { github: { token: 'a-token' } },
      env: { GITHUB_REPOSITORY: 'acme/campaigns' },
    });
  const attest = async (repository: Repository, outputs: Readonly<Record<string, string>>): Promise<JobEnd> =>
    await runJob(file, 'media', {
      workspace: repository.path,
      actions: {
        [ACTION_NAME]: {
          outcome: 'success',
          outputs: { ...outputs, 'report-dir': repository.path },
        },
        'actions/attest': { outcome: 'success', outputs: {} },
      },
    });
  const MEDIA = { 'public/media/a b.mp4': 'a', 'public/media/deep/"c".pdf': 'c' };

  it.each([
    ['a pass of today', { verdict: 'pass', mode: 'live' }, 'read', true],
    ['no last known verdict', { verdict: 'pass', mode: 'live' }, 'last known', false],
    ['no forgiven outage', { verdict: 'error', mode: 'live' }, 'read', false],
    ['no pass of a sandbox', { verdict: 'pass', mode: 'sandbox' }, 'read', false],
  ])('attests %s', async (_, outputs, statuses, isAttested) => {
    await using repository = await makeRepository({ 'predicate.json': JSON.stringify({ statuses }) });
    const { given, result } = await attest(repository, outputs);
    expect(result).toBe('success');
    expect('actions/attest' in given).toBe(isAttested);
  });

  it('publishes if each file is attested', async () => {
    await using repository = await makeRepository(MEDIA);
    const { log, result } = await deploy(repository);
    expect(result).toBe('success');
    expect(log).toContain('[Publish: success]');
    expect((await repository.gh()).toSorted()).toEqual([
      expect.stringMatching(
        /^attestation verify public\/media\/a b\.mp4 --repo acme\/campaigns --signer-workflow acme\/campaigns\/\.github\/workflows\/publish\.yml --source-ref refs\/heads\/main --predicate-type https:\/\/\S+$/,
      ),
      expect.stringContaining('attestation verify public/media/deep/"c".pdf --repo'),
    ]);
  });

  it('publishes nothing if one is not', async () => {
    await using repository = await makeRepository(MEDIA, '*"a b.mp4"*) exit 1 ;;');
    const { log, result } = await deploy(repository);
    expect(result).toBe('failure');
    expect(log).toContain('[Publish: skipped]');
  });
});
