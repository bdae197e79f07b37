import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { Emulator, Scenario } from '../../emulator/emulator.ts';
import { EMULATOR, freshBuild } from '../../scripts/build.ts';
import { bundleFile } from '../harness/action-process.ts';
import { listedRun } from '../harness/artifact-service.ts';
import {
  dispatchEvent,
  FORK_ID,
  mergeGroupEvent,
  type PullRequestFacts,
  pullRequestEvent,
  pushEvent,
  REPOSITORY,
  REPOSITORY_ID,
  scheduleEvent,
  type WorkflowEvent,
  workflowRunEvent,
} from '../harness/events.ts';
import { git } from '../harness/git.ts';
import type { ModelPull } from '../harness/github-model.ts';
import { startGitHub } from '../harness/github-server.ts';
import { type Files, makeWorkspace, writeFiles } from '../harness/workspace.ts';
import type { Workflow } from '../workflows/files.ts';
import { type ActRun, ROOT, runAct } from './act.ts';

interface HostedRepositoryOptions {
  /** Text of the workflow. */
  readonly workflow: string;
  readonly files: Files;
  readonly scenario?: Scenario;
  /** Text of a workflow in acme/.github, for others to call. */
  readonly reusable?: string;
}

export type HostedRepository = Awaited<ReturnType<typeof startHostedRepository>>;

/** The input of the service's address in README and examples. */
const SERVICE = 'base-url: https://compliance.example.com';
const WORKFLOW_PATH = '.github/workflows/media.yml';
const GATE = 'your-org/media-compliance-gate';

/** A repository on GitHub with a workflow, its account at the service, and a runner. */
export async function startHostedRepository(emulator: Emulator, options: HostedRepositoryOptions) {
  const { path: home, remove } = await makeWorkspace({
    // The folder has only the files of a release, because the runner copies it for each job.
    'action/action.yml': await readFile(path.join(ROOT, 'action.yml')),
    'action/emulator/action.yml': await readFile(path.join(ROOT, 'emulator/action.yml')),
    'shared/.github/workflows/media.yml': (options.reusable ?? '').replaceAll(SERVICE, `base-url: ${emulator.baseUrl}`),
  });
  const [folder, records] = [path.join(home, 'repository'), path.join(home, 'records')];
  const action = path.join(home, 'action');
  await Promise.all([
    mkdir(folder),
    mkdir(records),
    cp(path.dirname(await bundleFile()), path.join(action, 'dist'), { recursive: true }),
    cp(await freshBuild(EMULATOR), path.join(action, 'emulator/dist'), { recursive: true }),
  ]);
  // These parts of the model of GitHub change from run to run.
  const pulls: Record<number, ModelPull> = {};
  const pullsOf: Record<string, readonly number[]> = {};
  const contents: Record<string, unknown> = {};
  const commits: Record<string, readonly string[]> = {};
  const permissions: Record<string, string> = {};
  const github = await startGitHub({ pulls, pullsOf, contents, commits, permissions });
  const { artifacts } = github;
  const live = emulator.workspace({ scenario: options.scenario ?? {} });
  const sandbox = emulator.workspace({ mode: 'sandbox' });
  let runs = 100;
  let latest: PullRequestFacts | undefined;

  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await commit({ ...options.files, [WORKFLOW_PATH]: options.workflow });

  return {
    live,
    github,
    /** What the stand-ins of other actions have kept. */
    records,
    push: async (files: Files = {}) => {
      await git(folder, 'checkout', '--quiet', 'main');
      return pushEvent(Object.keys(files).length > 0 ? await commit(files) : await head());
    },
    dispatch: async (inputs: Readonly<Record<string, string>> = {}) => dispatchEvent(await head(), inputs),
    schedule: async (cron: string) => scheduleEvent(await head(), cron),
    /** A pull request that adds these files. */
    open: async (files: Files, from: PullRequestFacts['from'] = 'branch') =>
      pullRequestEvent(await propose(files, from, (latest?.number ?? 6) + 1)),
    /** The latest pull request, which now adds these files. */
    change: async (files: Files) => {
      const { from, number } = opened();
      return pullRequestEvent(await propose(files, from, number));
    },
    again: () => pullRequestEvent(opened()),
    queue: () => mergeGroupEvent(opened()),
    merge: async () => {
      const { number, headSha } = opened();
      const sha = await mergeInto('main', headSha);
      pulls[number] = { ...pulls[number], headSha, mergedAt: '2026-01-02T03:04:05Z' };
      pullsOf[sha] = [number];
      return pushEvent(sha);
    },
    /** The run that follows another workflow's run for a pull request from a fork. */
    follow: async (files: Files) => workflowRunEvent(await head(), await propose(files, 'fork', 7)),
    run,
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await remove();
    },
  };

  async function head(): Promise<string> {
    return await git(folder, 'rev-parse', 'main');
  }

  function opened(): PullRequestFacts {
    if (!latest) throw new Error('No pull request was opened.');
    return latest;
  }

  async function propose(files: Files, from: PullRequestFacts['from'], number: number): Promise<PullRequestFacts> {
    const headRef = `changes-${number}`;
    await git(folder, 'checkout', '--quiet', '-B', headRef, 'main');
    const headSha = await commit(files);
    // GitHub makes a test merge.
    const mergeSha = await mergeInto('--detach main', headSha);
    await git(folder, 'update-ref', `refs/pull/${number}/merge`, mergeSha);
    const fork = from === 'fork' && { headLabel: `mallory:${headRef}`, headRepositoryId: FORK_ID };
    const changed = Object.keys(files).map((filename) => ({ filename, status: 'added' }));
    pulls[number] = { headSha, headRef, baseRef: 'main', ...fork, files: changed };
    latest = { number, headRef, headSha, baseSha: await head(), mergeSha, from };
    return latest;
  }

  async function mergeInto(target: string, headSha: string): Promise<string> {
    await git(folder, 'checkout', '--quiet', ...target.split(' '));
    await git(folder, 'merge', '--quiet', '--no-ff', '--message', 'Merge', headSha);
    return await register();
  }

  async function commit(files: Files): Promise<string> {
    const workflow = files[WORKFLOW_PATH];
    await writeFiles(folder, {
      ...files,
      ...(typeof workflow === 'string' && {
        [WORKFLOW_PATH]: workflow.replaceAll(SERVICE, `base-url: ${emulator.baseUrl}`),
      }),
    });
    await git(folder, 'add', '--all');
    await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Change');
    return await register();
  }

  /** Registers the current commit with the REST API. */
  async function register(): Promise<string> {
    const [sha = '', ...parents] = (await git(folder, 'log', '-1', '--format=%H %P')).split(' ');
    commits[sha] = parents;
    const names = (await git(folder, 'ls-tree', '-r', '--name-only', sha, '.github/')).split('\n');
    for (const name of names.filter((each) => each.endsWith('.yml'))) {
      contents[`${sha}:${name}`] = await git(folder, 'show', `${sha}:${name}`);
    }
    return sha;
  }

  async function run(event: WorkflowEvent, args: readonly string[] = []): Promise<ActRun> {
    runs += 1;
    await git(folder, 'checkout', '--quiet', event.commit);
    const eventPath = path.join(home, `event-${runs}.json`);
    await writeFile(eventPath, JSON.stringify(event.payload));
    const text = await readFile(path.join(folder, WORKFLOW_PATH), 'utf8');
    const about = { GITHUB_EVENT_NAME: event.name, GITHUB_REF: event.ref, GITHUB_SHA: event.commit };
    const listed = listedRun({ ...about, GITHUB_REPOSITORY_ID: String(REPOSITORY_ID) }, event.payload);
    artifacts.beginRun(String(runs), listed);
    const none = { contents: 'none', actions: 'none', 'pull-requests': 'none' };
    Object.assign(permissions, none, permissionsIn(parse(text)));
    const env = {
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_REF: event.ref,
      ...artifacts.envOf(String(runs)),
      GITHUB_API_URL: github.url,
      // GitHub sets this variable, act does not: pkg/runner/run_context.go, withGithubEnv.
      GITHUB_WORKFLOW_REF: `${REPOSITORY}/${WORKFLOW_PATH}@${event.ref}`,
      STAND_IN_ORIGIN: folder,
      STAND_IN_RECORDS: records,
      STAND_IN_ROOT: ROOT,
    };
    const secrets = {
      GITHUB_TOKEN: github.token,
      ...(event.hasSecrets && {
        COMPLIANCE_API_KEY: live.key,
        COMPLIANCE_SANDBOX_KEY: sandbox.key,
        COMPLIANCE_STATE_KEY: 'a long secret that signs the state',
      }),
    };
    const flags = [
      ['--workflows', path.join(folder, WORKFLOW_PATH)],
      ['--eventpath', eventPath],
      ['--actor', event.actor],
      ['--platform', 'ubuntu-latest=-self-hosted'],
      ['--platform', 'self-hosted=-self-hosted'],
      ['--action-cache-path', path.join(home, 'cache')],
      // `--rm` removes what a failed job leaves behind.
      ['--rm', '--no-cache-server', '--no-skip-checkout'],
      pairs('--env', env),
      pairs('--secret', secrets),
      ...localRepositories(`${text}\n${options.reusable ?? ''}`, {
        [GATE]: action,
        'acme/.github': path.join(home, 'shared'),
      }),
    ];
    return await runAct([event.name, ...flags.flat(), ...args], {
      cwd: folder,
      env: {
        PATH: [path.join(ROOT, 'test/runner/bin'), path.dirname(process.execPath), process.env['PATH']].join(':'),
        HOME: home,
        NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/gate'),
        // act stops reading a step's terminal when the step fails, and loses what was printed last:
        // pkg/container/host_environment.go, exec.
        NODE_OPTIONS: `--import=${path.join(ROOT, 'test/runner/exit-later.mjs')}`,
        // act would otherwise send a request to its own site.
        ACT_DISABLE_VERSION_CHECK: '1',
      },
    });
  }
}

function pairs(option: string, values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);
}

/** Maps each action of a workflow to a folder: this action, a folder of the test, or a stand-in. */
function localRepositories(
  workflow: string,
  folders: Readonly<Record<string, string>>,
): readonly (readonly string[])[] {
  const uses = workflow.matchAll(/^\s*(?:- )?uses: ([\w.-]+\/[\w.-]+)[^@\s]*@(\S+)/gm);
  return [...uses].map(([, name = '', ref = '']) => [
    '--local-repository',
    `${name}@${ref}=${folders[name] ?? path.join(ROOT, 'test/runner/actions', name)}`,
  ]);
}

/** act has one token for all jobs, so the token gets the permissions of every job. */
function permissionsIn({ permissions, jobs }: Workflow): Readonly<Record<string, string>> {
  const all = Object.values(jobs).flatMap((job) => Object.entries(job.permissions ?? permissions ?? {}));
  return Object.fromEntries(all.toSorted(([, a], [, b]) => String(a).localeCompare(String(b))));
}
