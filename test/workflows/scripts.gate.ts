import { spawn } from 'node:child_process';
import { chmod, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { git } from '../harness/git.ts';
import { type Files, makeWorkspace } from '../harness/workspace.ts';
import { readWorkflow, type Step } from './files.ts';

const attest = await scriptsOf('examples/workflows/attest-and-deploy.yml');
const release = await scriptsOf('.github/workflows/release.yml');
const dependencies = await scriptsOf('.github/workflows/dependency-commit.yml');

/** Reads the steps of a workflow that run a script, except the step that runs all tests. */
async function scriptsOf(file: string) {
  const { workflow } = await readWorkflow(file);
  const steps = (job: string): readonly Step[] => {
    const scripts = workflow.jobs[job]?.steps?.filter(({ run }) => run !== undefined && run !== '.ci/run') ?? [];
    expect(scripts).not.toEqual([]);
    return scripts;
  };
  return { steps };
}

interface Place {
  readonly files?: Files;
  readonly env?: Readonly<Record<string, string>>;
  /** The behaviour of a fake `gh`, as lines of a shell `case` over its arguments. */
  readonly gh?: string;
  readonly prepare?: (folder: string) => Promise<unknown>;
}

/** Runs the scripts in a repository with one commit. Stops after the first one that fails. */
async function runSteps(steps: readonly Step[], { files = {}, env = {}, gh = '', prepare }: Place) {
  await using repository = await makeWorkspace({ '.github/x': '', ...files });
  await using tools = await makeWorkspace({
    calls: '',
    output: '',
    gh: `#!/bin/sh\necho "$*" >> "$HOME/calls"\ncase "$*" in\n${gh}\n*) ;;\nesac\n`,
  });
  await chmod(path.join(tools.path, 'gh'), 0o755);
  await git(repository.path, 'init', '--quiet', '--initial-branch=main');
  await git(repository.path, 'add', '--all');
  await git(repository.path, 'commit', '--quiet', '--message', 'all');
  const commit = await git(repository.path, 'rev-parse', 'HEAD');
  await prepare?.(repository.path);
  const environment = {
    PATH: [tools.path, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
    HOME: tools.path,
    RUNNER_TEMP: tools.path,
    GITHUB_OUTPUT: path.join(tools.path, 'output'),
    GITHUB_REPOSITORY: 'acme/gate',
    ...env,
  };
  let log = '';
  let isOk = true;
  for (const { run = '', shell } of steps) {
    const flags = shell === 'bash' ? ['-eo', 'pipefail'] : ['-e'];
    const child = spawn('bash', [...flags, '-c', run], { cwd: repository.path, env: environment });
    const ended = new Promise((resolve) => child.on('close', resolve));
    log += (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
    isOk = (await ended) === 0;
    if (!isOk) break;
  }
  const [output = '', calls = ''] = await Promise.all(
    ['output', 'calls'].map(async (name) => await readFile(path.join(tools.path, name), 'utf8')),
  );
  return { isOk, log, commit, output, gh: calls.split('\n').filter(Boolean) };
}

describe.skipIf(process.platform !== 'linux').concurrent('the scripts of', () => {
  describe('attest-and-deploy.yml', () => {
    it.each([
      [2, 'true'],
      [1, 'false'],
    ])('attest only if every file was cleared today: %i of 2', async (filesCleared, all) => {
      const files = { 'predicate.json': JSON.stringify({ counts: { filesMatched: 2, filesCleared } }) };
      const { output } = await runSteps(attest.steps('media'), { files, env: { PREDICATE: 'predicate.json' } });
      expect(output).toBe(`all=${all}\n`);
    });

    it('publish nothing if one file is not attested', async () => {
      const files = { 'public/media/a b.mp4': 'a', 'public/media/deep/"c".pdf': 'c', 'public/media/two\nlines': 'd' };
      const env = { PREDICATE_TYPE: 'https://a.example/v1' };
      const whole = await runSteps(attest.steps('deploy'), { files, env });
      expect(whole).toMatchObject({ isOk: true, log: expect.stringContaining('your own command') });
      expect(whole.gh.toSorted()).toEqual([
        expect.stringMatching(/^attestation verify public\/media\/a b\.mp4 .*--source-ref refs\/heads\/main/),
        expect.stringContaining('attestation verify public/media/deep/"c".pdf --repo acme/gate'),
        'attestation verify public/media/two',
        expect.stringMatching(/^lines --repo acme/),
      ]);
      const refused = await runSteps(attest.steps('deploy'), { files, env, gh: '*"a b.mp4"*) exit 1 ;;' });
      expect(refused).toMatchObject({ isOk: false, log: expect.not.stringContaining('your own command') });
    });

    it.each<[string, (media: string) => Promise<unknown>]>([
      ['holds a link', async (media) => await symlink('a.mp4', path.join(media, 'b.mp4'))],
      ['is empty', async (media) => await rm(path.join(media, 'a.mp4'))],
    ])('publish nothing if the folder %s', async (_, change) => {
      const prepare = async (folder: string): Promise<unknown> => await change(path.join(folder, 'public/media'));
      const env = { PREDICATE_TYPE: 'https://a.example/v1' };
      const run = await runSteps(attest.steps('deploy'), { files: { 'public/media/a.mp4': 'a' }, env, prepare });
      expect(run).toMatchObject({ isOk: false, gh: [] });
    });
  });

  describe('release.yml', () => {
    const env = { GITHUB_REF_NAME: 'v1.2.3' };
    const released = ['action.yml', 'dist/index.js', 'emulator/action.yml', 'emulator/dist/index.js', 'LICENSE'];
    const files = {
      ...Object.fromEntries([...released, 'README.md'].map((name) => [name, ''])),
      'package.json': '{"version": "1.2.3"}',
      'package-lock.json': '{"version": "1.2.3", "lockfileVersion": 3, "packages": {}}',
    };
    const FIRST = '*releases/tags/*) echo true ;;\n*"release view"*) exit 1 ;;';

    async function publish(gh: string, tags: readonly string[]) {
      const prepare = async (folder: string): Promise<void> => {
        for (const tag of ['v1.2.3', ...tags]) await git(folder, 'tag', tag);
      };
      return await runSteps(release.steps('publish'), { files, env, gh, prepare });
    }

    it.each([
      ['1.2.3', 'HEAD', true],
      ['1.2.4', 'HEAD', false],
      ['1.2.3', 'HEAD~1', false],
    ])('check a tag v1.2.3 of version %s if main is at %s: %s', async (version, main, passes) => {
      const { isOk } = await runSteps(release.steps('check'), {
        env,
        files: { 'package.json': JSON.stringify({ version }) },
        prepare: async (folder) => {
          await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'more');
          await git(folder, 'update-ref', 'refs/remotes/origin/main', main);
        },
      });
      expect(isOk).toBe(passes);
    });

    it.each([
      ['move the major tag, and then publish', FIRST, ['v0.9.0', 'v10.0.0'], true, ['PATCH', '--draft=false']],
      [
        'create the major tag if there is none',
        `${FIRST}\n*PATCH*) exit 1 ;;`,
        [],
        true,
        ['PATCH', 'POST', '--draft=false'],
      ],
      [
        'publish nothing if the major tag cannot be moved',
        `${FIRST}\n*PATCH*|*POST*) exit 1 ;;`,
        [],
        false,
        ['PATCH', 'POST'],
      ],
      ['leave the major tag with a newer version', FIRST, ['v1.10.0'], true, ['--draft=false']],
      [
        'fail if the release can still be changed',
        '*releases/tags/*) echo false ;;',
        [],
        false,
        ['PATCH', '--draft=false'],
      ],
    ] as const)('%s', async (_, gh, tags, passes, expected) => {
      const run = await publish(gh, tags);
      expect(run.isOk).toBe(passes);
      expect(run.gh.flatMap((call) => /PATCH|POST|--draft=false/.exec(call) ?? [])).toEqual(expected);
    });
  });

  const BRANCH = 'dependabot/npm_and_yarn/undici-9';

  const PUSHED = 'dist/22.index.js\ndist/index.js\nemulator/dist/licenses.txt\nsrc/a.ts\n';

  it.each<[string, readonly string[], isOk: boolean, pushed?: string]>([
    ['commits what was built', ['dist/index.js', 'dist/22.index.js', 'emulator/dist/licenses.txt'], true, PUSHED],
    ['does nothing if dist/ did not change', [], true],
    ['refuses a file that no build has', ['dist/index.js', 'dist/index.js.map'], false],
    ['refuses a source', ['dist/index.js', 'src/index.js'], false],
  ])('dependency-commit.yml %s', async (_, built, isOk, pushed) => {
    await using temp = await makeWorkspace(Object.fromEntries(built.map((name) => [`built/${name}`, 'new'])));
    const run = await runSteps(dependencies.steps('commit'), {
      files: { 'dist/index.js': 'old', 'dist/1.index.js': 'old', 'emulator/dist/index.js': 'old', 'src/a.ts': 'a' },
      env: { BRANCH, RUNNER_TEMP: temp.path },
      prepare: async (folder) => {
        await git(folder, 'remote', 'add', 'origin', folder);
        await git(folder, 'branch', BRANCH);
      },
      // When the script starts CI, the fake `gh` prints the files that were pushed.
      gh: `*) git ls-tree -r --name-only ${BRANCH} ;;`,
    });
    expect(run).toMatchObject({ isOk, gh: pushed ? [`workflow run ci.yml --ref ${BRANCH}`] : [] });
    expect(run.log).toContain(pushed ?? '');
  });
});
