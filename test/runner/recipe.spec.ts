import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { git } from '../harness/git.ts';
import { ACT_BINARY, ROOT } from './act.ts';
import { bundleFolder } from './hosted-repository.ts';
import { readQuickStart } from './quick-start.ts';
import { pdf } from './starts.ts';

const HEADING = '## Try a workflow before pushing';

it('the commands of docs/recipes.md work as they stand, without GitHub and without a bill', async () => {
  const emulator = await startEmulator();
  const home = await mkdtemp(path.join(tmpdir(), 'gate-recipe-'));
  try {
    const folder = await makeRepository(home, emulator);
    const sandbox = emulator.workspace({ mode: 'sandbox' });
    const script = (await readRecipe()).replace('sk_test_your_sandbox_key', sandbox.key);
    const log = await runScript(script.replaceAll('/tmp/', `${home}/`), home, folder);
    expect(log.match(/verdict pass/g), log).toHaveLength(2);
    expect(log.match(/Job succeeded/g), log).toHaveLength(2);
    expect(log).not.toContain(sandbox.key);
    expect(sandbox.submissions.map(({ assets }) => assets.length)).toEqual([1, 1]);
    expect(sandbox.submissions.map(({ creditsSpent }) => creditsSpent)).toEqual([0, 0]);
  } finally {
    await emulator.close();
    await rm(home, { recursive: true, force: true });
  }
});

/** The commands of the recipe, one after the other. */
async function readRecipe(): Promise<string> {
  const page = await readFile(path.join(ROOT, 'docs/recipes.md'), 'utf8');
  const [, section = ''] = page.split(`${HEADING}\n`);
  const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, commands]) => commands).join('\n');
}

/** A repository on a branch, with the workflow of README, and what the machine of a user has. */
async function makeRepository(home: string, emulator: Emulator): Promise<string> {
  const { workflow } = await readQuickStart();
  const folder = path.join(home, 'campaigns');
  await mkdir(path.join(folder, '.github/workflows'), { recursive: true });
  await writeFile(
    path.join(folder, '.github/workflows/media.yml'),
    workflow.replace('https://compliance.example.com', emulator.baseUrl),
  );
  await mkdir(path.join(folder, 'media'));
  await writeFile(path.join(folder, 'media/logo.pdf'), pdf('logo'));
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'all');
  await git(folder, 'checkout', '--quiet', '-b', 'changes');
  const action = path.join(home, 'action');
  await cp(bundleFolder(), path.join(action, 'dist'), { recursive: true });
  await cp(path.join(ROOT, 'action.yml'), path.join(action, 'action.yml'));
  // act reads more options from here.
  const options = [`--local-repository your-org/media-compliance-gate@v0=${action}`, '--no-cache-server', '--rm'];
  await writeFile(path.join(home, '.actrc'), `${options.join('\n')}\n`);
  // There is no GitHub login.
  await mkdir(path.join(home, 'bin'));
  await writeFile(path.join(home, 'bin/gh'), '#!/bin/sh\nexit 1\n');
  await chmod(path.join(home, 'bin/gh'), 0o755);
  return folder;
}

async function runScript(script: string, home: string, cwd: string): Promise<string> {
  const bin = [path.join(home, 'bin'), path.dirname(ACT_BINARY), path.dirname(process.execPath), process.env['PATH']];
  const child = spawn('bash', ['-e', '-c', script], {
    cwd,
    env: { PATH: bin.join(':'), HOME: home, ACT_DISABLE_VERSION_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + err;
}
