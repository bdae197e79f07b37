import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import type { WorkflowEvent } from '../harness/events.ts';
import { it } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';
import { type ActRun, ROOT } from './act.ts';
import { type HostedRepository, startHostedRepository } from './hosted-repository.ts';

/** A workflow, and the runs that follow each other in a repository that uses it. */
interface Example {
  /** The file, and after a comma the optional block that is turned on. */
  readonly title: string;
  readonly files: Files;
  readonly args?: readonly string[];
  /** An event, and what is seen: each job, each gate, what other actions got. */
  readonly runs: readonly (readonly [event: string, cause: Cause, seen: string])[];
}

/** Changes the repository. Returns the event that follows. */
type Cause = (repository: HostedRepository) => Promise<WorkflowEvent>;

const SCENARIO: Scenario = {
  files: [
    { match: 'claim', issues: [{ severity: 'CRITICAL', ruleCode: 'HEALTH-02' }] },
    { match: 'slip', issues: [{ severity: 'MAJOR', ruleCode: 'PRICE-01' }] },
  ],
};

/** Each name is a different document. */
function documents(...paths: readonly string[]): Files {
  return Object.fromEntries(paths.map((name) => [name, `%PDF-1.7\n% ${name}\n`]));
}

const TWO_FILES = documents('media/brand/logo.pdf', 'media/legal/terms.pdf');
const CLAIM = documents('media/claim.pdf');
const SPOT = documents('media/spot.pdf');
const push: Cause = async (repository) => await repository.push();
const byHand: Cause = async (repository) => await repository.dispatch();

const EXAMPLES: readonly Example[] = [
  {
    title: 'pull-request.yml',
    files: TWO_FILES,
    runs: [
      ['push', push, 'media success; pass, 2 sent'],
      ['pull request', async (at) => await at.open(CLAIM), 'media failure; fail (issues), 1 sent, 2 reused'],
      [
        'again, after its issue was dismissed in the service',
        async (at) => {
          at.live.changeIssues({ ruleCode: 'HEALTH-02' }, { status: 'DISMISSED' });
          return at.again();
        },
        'media success; pass, 3 reused',
      ],
      ['push of its merge', async (at) => await at.merge(), 'media success; pass, 3 reused'],
      ['fork, without secrets', async (at) => await at.open(SPOT, 'fork'), 'media success; skipped (no-key)'],
      ['Dependabot, without secrets', async (at) => await at.open(SPOT, 'dependabot'), 'media failure; error (no-key)'],
    ],
  },
  {
    title: 'pull-request.yml, merge-queue',
    files: TWO_FILES,
    runs: [
      ['pull request', async (at) => await at.open(SPOT), 'media success; pass, 3 sent'],
      ['merge queue', async (at) => at.queue(), 'media success; pass, 3 reused'],
    ],
  },
  {
    title: 'pull-request.yml, nightly',
    files: TWO_FILES,
    runs: [
      ['push', push, 'media success; pass, 2 sent'],
      ['schedule', async (at) => await at.schedule('23 2 * * *'), 'media success; pass, 2 reused'],
      ['by hand', async (at) => await at.dispatch({ 'reuse-days': '0' }), 'media success; pass, 2 sent'],
    ],
  },
  {
    title: 'pull-request.yml, code-scanning',
    files: { ...TWO_FILES, ...CLAIM },
    runs: [['push', push, 'media failure; fail (issues), 3 sent; SARIF with 1 result']],
  },
  {
    title: 'monorepo-matrix.yml',
    files: documents('packages/shop/slip.pdf', 'packages/blog/slip.pdf', 'elsewhere.pdf'),
    runs: [
      [
        'push with a MAJOR issue in each package',
        push,
        'media failure; package failure; fail (issues), 1 sent; pass, 1 sent; skipped (no-files)',
      ],
    ],
  },
  {
    title: 'organisation-caller.yml',
    files: TWO_FILES,
    runs: [['pull request', async (at) => await at.open(CLAIM), 'gate failure; fail (issues), 3 sent']],
  },
  {
    title: 'sandbox-test.yml',
    files: TWO_FILES,
    runs: [
      ['by hand', byHand, 'sandbox success; pass, 1 sent; pass, 3 sent'],
      ['fork, without secrets', async (at) => await at.open(SPOT, 'fork'), ''],
    ],
  },
  {
    title: 'attest-and-deploy.yml',
    files: documents('public/media/a b.pdf', 'public/media/deep/c.pdf'),
    runs: [
      ['push', push, 'deploy success; media success; pass, 2 sent; attested so far: 2 files'],
      [
        'push with an issue',
        async (at) => await at.push(documents('public/media/claim.pdf')),
        'media failure; fail (issues), 1 sent, 2 reused; attested so far: 2 files',
      ],
    ],
  },
  {
    title: 'ghes.yml',
    files: TWO_FILES,
    args: ['--github-instance', 'ghes.example.com'],
    runs: [
      ['push', push, 'media success; pass, 2 sent'],
      ['pull request', async (at) => await at.open(SPOT), 'media success; pass, 1 sent, 2 reused'],
    ],
  },
  {
    title: 'fork-safe-gate.yml',
    files: TWO_FILES,
    runs: [
      ['push', push, 'gate success; pass, 2 sent'],
      [
        "after the trigger's run for a fork",
        async (at) => await at.follow(CLAIM),
        'gate failure; fail (issues), 1 sent, 2 reused; status pending, then failure',
      ],
    ],
  },
  {
    title: 'recheck-open-pull-requests.yml',
    files: TWO_FILES,
    runs: [['by hand', byHand, 'recheck success']],
  },
];

// They run concurrently, because a run mostly waits for the service.
describe.concurrent('examples/workflows', () => {
  it.for(EXAMPLES)('$title', async ({ title, files, args, runs }, { emulator, end }) => {
    const [name = '', block] = title.split(', ');
    const workflow = example(name).replaceAll(`#${block} `, '');
    const reusable = example('organisation-gate.yml');
    const repository = await end(startHostedRepository(emulator, { workflow, reusable, files, scenario: SCENARIO }));
    for (const [event, cause, seen] of runs) {
      const run = await repository.run(await cause(repository), args);
      const observed = [...run.jobs, ...gatesIn(run), ...receivedBy(repository)].join('; ');
      expect({ event, seen: observed }, run.log).toEqual({ event, seen });
      expect(run.exitCode).toBe(run.jobs.some((job) => job.endsWith('failure')) ? 1 : 0);
      expect(run.annotations.filter(({ message }) => /could not be saved|does not link/.test(message))).toEqual([]);
    }
  });
});

it('try-without-an-account.yml: red with invented findings, then green, without a secret', async ({
  emulator,
  end,
}) => {
  const film = readFileSync(path.join(ROOT, 'examples/media/campaign/hero.mp4'));
  const workflow = example('try-without-an-account.yml');
  const repository = await end(startHostedRepository(emulator, { workflow, files: { 'media/old.mp4': film } }));
  const { comments, artifacts } = repository.github;
  const first = await repository.open({ 'media/film.mp4': film, ...documents('media/poster.pdf') }, 'dependabot');
  const red = await repository.run(first);
  expect([...red.jobs, ...gatesIn(red)], red.log).toEqual(['media failure', 'fail (issues), 2 sent']);
  expect(red.summaries).toEqual([
    expect.stringMatching(/^> \[!CAUTION\]\n.* INVENTED /),
    expect.stringMatching(/FAIL: /),
  ]);
  const titles = red.annotations.flatMap(({ title = [] }) => title);
  expect(titles).toHaveLength(5);
  expect(titles.filter((title) => !title.includes('INVENTED'))).toEqual([]);
  const names = artifacts.artifacts.map(({ name }) => name);
  expect(names).toContainEqual(expect.stringMatching(/^INVENTED-FINDINGS-report-.*\.html$/));
  expect(comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- .* -->\n\n> \[!CAUTION\]\n.* INVENTED .*\n\n## .*FAIL/),
  ]);
  const green = await repository.run(await repository.change({ 'media/film-approved.mp4': film }));
  expect([...green.jobs, ...gatesIn(green)], green.log).toEqual(['media success', 'pass, 1 sent']);
  expect(comments.map(({ body }) => body)).toEqual([expect.stringMatching(/ INVENTED .*\n\n## .*PASS/)]);
});

function example(name: string): string {
  return readFileSync(`${ROOT}/examples/workflows/${name}`, 'utf8');
}

/** `fail (issues), 1 sent, 2 reused` for each step that ran the gate. */
function gatesIn({ outputs }: ActRun): readonly string[] {
  const gates = outputs.filter((values) => values['verdict'] !== undefined && values['files-submitted'] !== undefined);
  return gates
    .map(({ verdict, reason, 'files-submitted': sent, 'files-reused': reused }) => {
      const counts = [`${sent} sent`, `${reused} reused`].filter((count) => !count.startsWith('0 '));
      return [`${verdict}${reason && ` (${reason})`}`, ...counts].join(', ');
    })
    .toSorted();
}

/** What other actions and GitHub's API received. */
function receivedBy({ records, github: { statuses } }: HostedRepository): readonly string[] {
  const [sarif, attested] = [path.join(records, 'uploaded.sarif'), path.join(records, 'attested')];
  const parts: string[] = [];
  if (existsSync(sarif)) {
    const { runs }: { runs: { results: unknown[] }[] } = JSON.parse(readFileSync(sarif, 'utf8'));
    parts.push(`SARIF with ${runs.flatMap(({ results }) => results).length} result`);
  }
  if (existsSync(attested))
    parts.push(`attested so far: ${readFileSync(attested, 'utf8').trim().split('\n').length} files`);
  if (statuses.length > 0) parts.push(`status ${statuses.join(', then ')}`);
  return parts;
}
