import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { type PullRequestFacts, pullRequestEvent } from '../harness/events.ts';
import { it } from '../harness/fixtures.ts';
import { ROOT } from './act.ts';
import { type ExpectedRun, pushMain, TWO_FILES } from './cases.ts';
import { expectCase } from './expect-case.ts';
import type { HostedRepository } from './hosted-repository.ts';

const WORKFLOW = '.github/workflows/media.yml';
const WAIVERS = '.github/media-waivers.yml';

it('the quick start of README fails on an issue, passes with a waiver, and pays once', async ({ emulator }) => {
  const [workflow, waivers] = [await shown('README.md', WORKFLOW), await shown('docs/guide.md', WAIVERS)];
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

function first({ pullRequests: [pull] }: HostedRepository): PullRequestFacts {
  if (!pull) throw new Error('No pull request was opened.');
  return pull;
}

/** A block of a page that begins with the path to save it at. */
async function shown(page: string, file: string): Promise<string> {
  const blocks = (await readFile(`${ROOT}/${page}`, 'utf8')).matchAll(/^```yaml\n(# (\S+)\n[\s\S]*?)^```$/gm);
  const [, block = ''] = [...blocks].find(([, , name]) => name === file) ?? [];
  return block;
}
