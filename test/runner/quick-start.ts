import { readdir, readFile } from 'node:fs/promises';
import { ROOT } from './act.ts';
import type { WorkflowCase } from './cases.ts';
import { type PullRequestFacts, pullRequestEvent } from './events.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { pushMain, TWO_FILES } from './starts.ts';

const WORKFLOW = '.github/workflows/media.yml';
const WAIVERS = '.github/media-waivers.yml';

/** The workflow of README and the waivers of the docs: blocks that begin with the path to save them at. */
export async function readQuickStart(): Promise<{ readonly workflow: string; readonly waivers: string }> {
  const names = [
    'README.md',
    ...(await readdir(`${ROOT}/docs`)).filter((each) => each.endsWith('.md')).map((each) => `docs/${each}`),
  ];
  const pages = await Promise.all(names.map(async (name) => await readFile(`${ROOT}/${name}`, 'utf8')));
  const blocks = pages.flatMap((page) => [...page.matchAll(/^```yaml\n(# (\S+)\n[\s\S]*?)^```$/gm)]);
  const blockOf = (file: string): string => {
    const block = blocks.find(([, , name]) => name === file)?.[1];
    if (!block) throw new Error(`No page shows ${file}.`);
    return block;
  };
  return { workflow: blockOf(WORKFLOW), waivers: blockOf(WAIVERS) };
}

/** README from the first screen to an accepted issue. */
export async function quickStart(): Promise<WorkflowCase> {
  const { workflow, waivers } = await readQuickStart();
  const film = await readFile(`${ROOT}/examples/media/campaign/hero.mp4`);
  return {
    title: 'README, quick start',
    files: TWO_FILES,
    runs: [
      { event: 'push', start: pushMain, jobs: 'media success', gates: 'pass, 2 sent' },
      {
        event: 'pull request with a CRITICAL issue',
        start: async (repository) =>
          pullRequestEvent(await repository.openPullRequest({ 'media/campaign/hero.mp4': film })),
        jobs: 'media failure',
        gates: 'fail (issues), 1 sent, 2 reused',
      },
      {
        event: 'push of the merge of a pull request with the waiver',
        start: async (repository) => {
          const named = workflow.replace(/^( +)base-url: .*$/m, `$&\n$1waivers-file: ${WAIVERS}`);
          const inTime = waivers.replace(/expires: \S+/, `expires: ${new Date().getFullYear() + 1}-01-31`);
          return await repository.merge(await repository.openPullRequest({ [WORKFLOW]: named, [WAIVERS]: inTime }));
        },
        jobs: 'media success',
        gates: 'pass, 2 reused',
      },
      {
        event: 'the first pull request, updated with the base branch',
        start: async (repository) => pullRequestEvent(await repository.update(first(repository))),
        jobs: 'media success',
        gates: 'pass, 3 reused',
      },
      {
        event: 'the same again',
        start: async (repository) => pullRequestEvent(first(repository)),
        jobs: 'media success',
        gates: 'pass, 3 reused',
      },
    ],
  };
}

function first({ pullRequests: [pull] }: HostedRepository): PullRequestFacts {
  if (!pull) throw new Error('No pull request was opened.');
  return pull;
}
