import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { HEAD, payload } from '../harness/payloads.ts';

const TARGET = { name: 'pull_request_target', payload: payload('pull_request') };
const PUSH = { name: 'push', payload: payload('push') };
/** The files that Git writes in the format `reftable`, the default of Git 3. They do not tell the commit. */
const REFTABLE = { '.git/HEAD': 'ref: refs/heads/.invalid\n', '.git/refs/heads': 'this repository uses the reftable' };
const WAIVER = { rule: 'AD-17', path: 'a.png', owner: 'legal', reason: 'agreed', expires: '2999-12-31' };
const FILES = { ...REFTABLE, 'a.png': png('a'), 'waivers.yml': JSON.stringify([WAIVER]) };

const it = base.extend(
  'runWith',
  ({ gate, makeFolder, startGitHub } /** A run on a machine whose git is this script. */) =>
    async (script: string | undefined, event: typeof TARGET) => {
      const folder = await makeFolder(script === undefined ? {} : { git: `#!/bin/sh\ncd "\${0%/*}"\n${script}\n` });
      if (script !== undefined) await chmod(path.join(folder, 'git'), 0o755);
      const run = await gate({
        files: FILES,
        event,
        github: await startGitHub({ pulls: { 2: { headSha: HEAD } } }),
        scenario: CRITICAL,
        inputs: { 'waivers-file': 'waivers.yml', 'fail-on-severity': event === PUSH ? 'CRITICAL' : 'never' },
        env: { PATH: folder, GITHUB_SHA: HEAD, GITHUB_REF: 'refs/heads/main' },
      });
      return { run, read: async (name: string) => await readFile(path.join(folder, name), 'utf8') };
    },
);

const RESPONDS = `echo "$@" >> calls; /usr/bin/env > variables; echo ${HEAD}`;

const UNKNOWN = { verdict: 'error', reason: 'checkout', 'files-submitted': '0' };

describe.concurrent('a repository in the format reftable', () => {
  it('git is asked once for the commit, and gets no secret', async ({ runWith }) => {
    const { run, read } = await runWith(RESPONDS, TARGET);
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
    expect(await read('calls')).toMatch(/^--git-dir=\S+\/\.git -c core\.hooksPath=\S+ .*rev-parse --verify HEAD\n$/);
    expect(await read('variables')).toContain('GIT_CONFIG_NOSYSTEM=1');
    expect(await read('variables')).not.toMatch(/INPUT_|sk_live|TOKEN/);
  });

  it.for<[string, string | undefined, typeof TARGET, object]>([
    ['the waivers of the checkout count in a push', RESPONDS, PUSH, { verdict: 'pass' }],
    ['no waiver of the checkout counts in a push without git', undefined, PUSH, { verdict: 'fail' }],
    [
      'the commit is unknown if git fails',
      'echo fatal: unknown repository extension found >&2; exit 128',
      TARGET,
      UNKNOWN,
    ],
    ['the commit is unknown if git says something else', 'echo HEAD', TARGET, UNKNOWN],
    ['the commit is unknown if git does not end', 'exec /bin/sleep 600', TARGET, UNKNOWN],
  ])('%s', async ([, script, event, expected], { runWith }) => {
    const { run } = await runWith(script, event);
    expect(run.outputs, run.log).toMatchObject(expected);
  });
});
