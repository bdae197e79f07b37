import { spawn } from 'node:child_process';
import { chmod, cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { git } from '../harness/git.ts';
import { writeFiles } from '../harness/workspace.ts';
import { ACT_BINARY, ROOT } from './act.ts';
import { type ExpectedRun, pdf, pushMain, TWO_FILES } from './cases.ts';
import { type PullRequestFacts, pullRequestEvent } from './events.ts';
import { expectCase } from './expect-case.ts';
import { bundleFolder, type HostedRepository } from './hosted-repository.ts';

const WORKFLOW = '.github/workflows/media.yml';
const WAIVERS = '.github/media-waivers.yml';

it('the quick start of README fails on a CRITICAL issue, passes with a waiver, and pays for no file twice', async ({
  emulator,
}) => {
  const [workflow, waivers] = [await shown(WORKFLOW), await shown(WAIVERS)];
  expect(workflow).toContain('your-org/media-compliance-gate@v0');
  const film = await readFile(`${ROOT}/examples/media/campaign/hero.mp4`);
  const runs: readonly ExpectedRun[] = [
    ['push', pushMain, 'pass, 2 sent'],
    [
      'pull request with an issue',
      async (repository) => pullRequestEvent(await repository.openPullRequest({ 'media/campaign/hero.mp4': film })),
      'fail (issues), 1 sent, 2 reused',
    ],
    [
      'push of the merge of a pull request with the waiver',
      async (repository) => {
        const named = workflow.replace(/^( +)base-url: .*$/m, `$&\n$1waivers-file: ${WAIVERS}`);
        const inTime = waivers.replace(/expires: \S+/, `expires: ${new Date().getFullYear() + 1}-01-31`);
        return await repository.merge(await repository.openPullRequest({ [WORKFLOW]: named, [WAIVERS]: inTime }));
      },
      'pass, 2 reused',
    ],
    [
      'the first pull request, updated with the base branch',
      async (repository) => pullRequestEvent(await repository.update(first(repository))),
      'pass, 3 reused',
    ],
  ];
  await expectCase(emulator, { title: 'quick start', files: TWO_FILES, runs }, { workflow });
});

it('"Try a workflow before pushing" of docs/recipes.md works as it stands, without GitHub and without a bill', async ({
  emulator,
  makeFolder,
}) => {
  const home = await makeFolder();
  const folder = await makeMachine(home, emulator.baseUrl);
  const [, section = ''] = (await readFile(`${ROOT}/docs/recipes.md`, 'utf8')).split(
    '## Try a workflow before pushing\n',
  );
  const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  const sandbox = emulator.workspace({ mode: 'sandbox' });
  const commands = blocks.map(([, block = '']) => block).join('\n');
  const script = commands.replace('sk_test_your_sandbox_key', sandbox.key).replaceAll('/tmp/', `${home}/`);
  const bin = [path.join(home, 'bin'), path.dirname(ACT_BINARY), path.dirname(process.execPath), process.env['PATH']];
  const child = spawn('bash', ['-e', '-c', script], {
    cwd: folder,
    env: { PATH: bin.join(':'), HOME: home, ACT_DISABLE_VERSION_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  expect(log.match(/verdict pass/g), log).toHaveLength(2);
  expect(log.match(/Job succeeded/g), log).toHaveLength(2);
  expect(log).not.toContain(sandbox.key);
  expect(sandbox.submissions.map(({ creditsSpent }) => creditsSpent)).toEqual([0, 0]);
});

function first({ pullRequests: [pull] }: HostedRepository): PullRequestFacts {
  if (!pull) throw new Error('No pull request was opened.');
  return pull;
}

/** A block of README or docs that begins with the path to save it at. */
async function shown(file: string): Promise<string> {
  const docs = (await readdir(`${ROOT}/docs`)).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const pages = await Promise.all(
    ['README.md', ...docs].map(async (name) => await readFile(`${ROOT}/${name}`, 'utf8')),
  );
  const blocks = pages.flatMap((page) => [...page.matchAll(/^```yaml\n(# (\S+)\n[\s\S]*?)^```$/gm)]);
  const block = blocks.find(([, , name]) => name === file)?.[1];
  if (!block) throw new Error(`No page shows ${file}.`);
  return block;
}

/** A repository on a branch, with the workflow of README, and what the machine of a user has. */
async function makeMachine(home: string, baseUrl: string): Promise<string> {
  const action = path.join(home, 'action');
  await cp(await bundleFolder(), path.join(action, 'dist'), { recursive: true });
  // act reads more options from `.actrc`.
  const options = [`--local-repository your-org/media-compliance-gate@v0=${action}`, '--no-cache-server', '--rm'];
  await writeFiles(home, {
    [`campaigns/${WORKFLOW}`]: (await shown(WORKFLOW)).replace('https://compliance.example.com', baseUrl),
    'campaigns/media/logo.pdf': pdf('logo'),
    'action/action.yml': await readFile(`${ROOT}/action.yml`),
    '.actrc': `${options.join('\n')}\n`,
    // There is no GitHub login.
    'bin/gh': '#!/bin/sh\nexit 1\n',
  });
  await chmod(path.join(home, 'bin/gh'), 0o755);
  const folder = path.join(home, 'campaigns');
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'all');
  await git(folder, 'checkout', '--quiet', '-b', 'changes');
  return folder;
}
