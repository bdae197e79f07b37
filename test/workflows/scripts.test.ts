import { spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { git } from '../harness/git.ts';
import { type Files, makeWorkspace } from '../harness/workspace.ts';
import { readText, readWorkflow, type Step, type WorkflowFile } from './files.ts';

const large = await readWorkflow('examples/workflows/large-library.yml');
const monorepo = await readWorkflow('examples/workflows/monorepo-matrix.yml');
const attest = await readWorkflow('examples/workflows/attest-and-deploy.yml');
const release = await readWorkflow('.github/workflows/release.yml');
const dependencies = await readWorkflow('.github/workflows/dependency-commit.yml');

interface Place {
  readonly files?: Files;
  readonly env?: Readonly<Record<string, string>>;
  /** What `gh` does: lines of a shell `case`, matched against its arguments. */
  readonly gh?: string;
  readonly prepare?: (folder: string) => Promise<unknown>;
}

/** Runs the scripts of these steps in a repository with one commit, until one fails. */
async function runSteps(steps: readonly Step[], { files = {}, env = {}, gh = '', prepare }: Place) {
  await using repository = await makeWorkspace({ '.github/x': '', ...files });
  await using tools = await makeWorkspace({ calls: '', output: '' });
  const [calls, output] = [path.join(tools.path, 'calls'), path.join(tools.path, 'output')];
  await writeFile(
    path.join(tools.path, 'gh'),
    `#!/bin/sh\necho "$*" >> '${calls}'\ncase "$*" in\n${gh}\n*) ;;\nesac\n`,
  );
  await chmod(path.join(tools.path, 'gh'), 0o755);
  await git(repository.path, 'init', '--quiet', '--initial-branch=main');
  await git(repository.path, 'add', '--all');
  await git(repository.path, 'commit', '--quiet', '--message', 'all');
  const commit = await git(repository.path, 'rev-parse', 'HEAD');
  await prepare?.(repository.path);
  let log = '';
  let isOk = true;
  for (const { run = '', shell } of steps) {
    const flags = shell === 'bash' ? ['-eo', 'pipefail'] : ['-e'];
    const child = spawn('bash', [...flags, '-c', run], {
      cwd: repository.path,
      env: {
        PATH: [tools.path, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
        HOME: tools.path,
        RUNNER_TEMP: tools.path,
        GITHUB_OUTPUT: output,
        GITHUB_REPOSITORY: 'acme/gate',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    log += (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
    isOk = (await ended) === 0;
    if (!isOk) break;
  }
  return { isOk, log, commit, output: await readFile(output, 'utf8'), gh: linesOf(await readFile(calls, 'utf8')) };
}

function linesOf(printed: string): readonly string[] {
  return printed.split('\n').filter((line) => line !== '');
}

/** The steps of a job that run a script, except the one that checks everything. */
function scriptsIn({ workflow }: WorkflowFile, job: string): readonly Step[] {
  const steps = workflow.jobs[job]?.steps?.filter(({ run }) => run !== undefined && run !== '.ci/run') ?? [];
  expect(steps).not.toEqual([]);
  return steps;
}

// The jobs run on Linux.
describe.skipIf(process.platform !== 'linux')('large-library.yml', () => {
  it.each(['*', 'a\n!**', '-x'])('refuses a folder that would be a pattern: %j', async (folder) => {
    expect(await runSteps(scriptsIn(large, 'list'), { files: { [`media/${folder}/x.mp4`]: '' } })).toMatchObject({
      isOk: false,
      output: '',
    });
  });
});

describe.skipIf(process.platform !== 'linux')('the check to require', () => {
  it.each([
    { file: large, env: { LIST: 'success', FOLDERS: 'success' }, passes: true },
    { file: large, env: { LIST: 'success', FOLDERS: 'skipped' }, passes: false },
    { file: monorepo, env: { RESULT: 'success' }, passes: true },
    { file: monorepo, env: { RESULT: 'cancelled' }, passes: false },
  ])('$file.path: $env passes: $passes', async ({ file, env, passes }) => {
    expect(file.workflow.jobs['media']?.if).toBe('always()');
    expect((await runSteps(scriptsIn(file, 'media'), { env })).isOk).toBe(passes);
  });
});

describe.skipIf(process.platform !== 'linux')('attest-and-deploy.yml', () => {
  it.each([
    ['read', 'true'],
    ['last known', 'false'],
  ])('attests only if the service was asked today: statuses %s, asked %s', async (statuses, asked) => {
    const files = { 'predicate.json': JSON.stringify({ statuses }) };
    const { output } = await runSteps(scriptsIn(attest, 'media'), { files, env: { PREDICATE: 'predicate.json' } });
    expect(output).toBe(`asked=${asked}\n`);
  });

  it('publishes nothing if one file is not attested', async () => {
    const files = { 'public/media/a b.mp4': 'a', 'public/media/deep/"c".pdf': 'c' };
    const env = { PREDICATE_TYPE: 'https://a.example/v1' };
    const whole = await runSteps(scriptsIn(attest, 'deploy'), { files, env });
    expect(whole.isOk).toBe(true);
    expect(whole.gh.toSorted()).toEqual([
      expect.stringMatching(/^attestation verify public\/media\/a b\.mp4 .*--source-ref refs\/heads\/main/),
      expect.stringContaining('attestation verify public/media/deep/"c".pdf --repo acme/gate'),
    ]);
    const refused = await runSteps(scriptsIn(attest, 'deploy'), { files, env, gh: '*"a b.mp4"*) exit 1 ;;' });
    expect(refused).toMatchObject({ isOk: false, log: expect.not.stringContaining('your own command') });
  });
});

function withTags(...tags: readonly string[]) {
  return async (folder: string): Promise<void> => {
    for (const tag of tags) await git(folder, 'tag', tag);
  };
}

describe.skipIf(process.platform !== 'linux')('release.yml', () => {
  const env = { GITHUB_REF_NAME: 'v1.2.3' };
  const files = {
    'action.yml': '',
    'dist/index.js': '',
    'emulator/action.yml': '',
    'emulator/dist/index.js': '',
    LICENSE: '',
    'README.md': '',
    'package.json': '{"version": "1.2.3"}',
    'package-lock.json': '{"version": "1.2.3", "lockfileVersion": 3, "packages": {}}',
  };
  const FIRST = '*releases/tags/*) echo true ;;\n*"release view"*) exit 1 ;;';

  it.each([
    ['1.2.3', 'HEAD', true],
    ['1.2.4', 'HEAD', false],
    ['1.2.3', 'HEAD~1', false],
  ])('checks a tag v1.2.3 of version %s if main is at %s: %s', async (version, main, passes) => {
    const { isOk } = await runSteps(scriptsIn(release, 'check'), {
      env,
      files: { 'package.json': JSON.stringify({ version }) },
      prepare: async (folder) => {
        await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'more');
        await git(folder, 'update-ref', 'refs/remotes/origin/main', main);
      },
    });
    expect(isOk).toBe(passes);
  });

  it('makes a draft, moves the major tag, and then publishes', async () => {
    const { isOk, gh, commit } = await runSteps(scriptsIn(release, 'publish'), {
      files,
      env,
      gh: FIRST,
      prepare: withTags('v0.9.0', 'v1.2.3', 'v1.1.9', 'v10.0.0'),
    });
    expect(isOk).toBe(true);
    expect(gh).toEqual([
      'release view v1.2.3',
      'release create v1.2.3 --draft --verify-tag --generate-notes media-compliance-gate.tar.gz sbom.cdx.json',
      `api --method PATCH repos/acme/gate/git/refs/tags/v1 -f sha=${commit} -F force=true`,
      'release edit v1.2.3 --draft=false',
      'api repos/acme/gate/releases/tags/v1.2.3 --jq .immutable',
    ]);
  });

  it('lists what is in dist/ as CycloneDX, and no tool', async () => {
    const steps = scriptsIn(release, 'publish').filter(({ run }) => run?.startsWith('npm sbom'));
    const manifest = await readText('package.json');
    const lock = await readText('package-lock.json');
    const { output } = await runSteps([...steps, { run: 'cat sbom.cdx.json >> "$GITHUB_OUTPUT"' }], {
      files: { 'package.json': manifest, 'package-lock.json': lock },
    });
    const { bomFormat, components }: { bomFormat: string; components: { name: string }[] } = JSON.parse(output);
    const names = components.map(({ name }) => name);
    expect(bomFormat).toBe('CycloneDX');
    expect(names).toEqual(expect.arrayContaining(Object.keys(JSON.parse(manifest).dependencies)));
    expect(names).not.toContain('vitest');
  });

  it.each([
    ['creates the major tag if there is none', `${FIRST}\n*PATCH*) exit 1 ;;`, [], true, ['POST', '--draft=false']],
    ['publishes nothing if the major tag cannot be moved', `${FIRST}\n*PATCH*|*POST*) exit 1 ;;`, [], false, ['POST']],
    ['leaves the major tag with a newer version', FIRST, ['v1.10.0'], true, ['--draft=false']],
    ['fails if the release can still be changed', '*releases/tags/*) echo false ;;', [], false, ['--draft=false']],
  ] as const)('%s', async (_, gh, tags, passes, expected) => {
    const run = await runSteps(scriptsIn(release, 'publish'), { files, env, gh, prepare: withTags('v1.2.3', ...tags) });
    expect(run.isOk).toBe(passes);
    expect(run.gh.flatMap((call) => /POST|--draft=false/.exec(call) ?? [])).toEqual(expected);
  });
});

describe.skipIf(process.platform !== 'linux')('dependency-commit.yml', () => {
  const BRANCH = 'dependabot/npm_and_yarn/undici-9';

  async function commitBuilt(built: Files) {
    await using temp = await makeWorkspace(built);
    return await runSteps(scriptsIn(dependencies, 'commit'), {
      files: { 'dist/index.js': 'old', 'dist/1.index.js': 'old', 'emulator/dist/index.js': 'old', 'src/a.ts': 'a' },
      env: { BRANCH, RUNNER_TEMP: temp.path },
      prepare: async (folder) => {
        await git(folder, 'remote', 'add', 'origin', folder);
        await git(folder, 'branch', BRANCH);
      },
      // CI is started for what was pushed by then.
      gh: `*) git ls-tree -r --name-only ${BRANCH} ;;`,
    });
  }

  it('commits what was built, and starts CI for it', async () => {
    const { log, gh } = await commitBuilt({
      'built/dist/index.js': 'new',
      'built/dist/22.index.js': 'new',
      'built/emulator/dist/licenses.txt': '',
    });
    expect(gh).toEqual([`workflow run ci.yml --ref ${BRANCH}`]);
    expect(log).toContain('dist/22.index.js\ndist/index.js\nemulator/dist/licenses.txt\nsrc/a.ts\n');
  });

  it('does nothing if dist/ did not change', async () => {
    expect(await commitBuilt({})).toMatchObject({ isOk: true, gh: [] });
  });

  it.each(['dist/index.js.map', 'dist/sub/index.js', 'src/index.js'])(
    'accepts only files of a build: %s',
    async (name) => {
      const run = await commitBuilt({ 'built/dist/index.js': 'new', [`built/${name}`]: 'x' });
      expect(run).toMatchObject({ isOk: false, gh: [] });
    },
  );
});
