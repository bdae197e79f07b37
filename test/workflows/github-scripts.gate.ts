import { getOctokit } from '@actions/github';
import { expect } from 'vitest';
import { annotations } from '../../src/report/annotations.ts';
import { title } from '../../src/report/phrases.ts';
import type { ReportedCause } from '../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';
import { it as base } from '../harness/fixtures.ts';
import { type GitHubModel, TOKEN } from '../harness/github-model.ts';
import { HEAD } from '../harness/payloads.ts';
import { readWorkflow, stepsOf } from './files.ts';

const REPO = { owner: 'acme', repo: 'campaigns' };

interface Place {
  readonly model: GitHubModel;
  readonly env?: Readonly<Record<string, string>>;
  readonly payload?: object;
}

/** Runs a script of an example as `actions/github-script` does, against a model of GitHub's API. */
const it = base.extend(
  'runScript',
  ({ startGitHub }) =>
    async (file: string, number: number, { model, env = {}, payload = {} }: Place) => {
      const github = await startGitHub(model);
      const steps = stepsOf(await readWorkflow(`examples/workflows/${file}`));
      const scripts = steps.flatMap(({ with: given }) => (given?.['script'] ? [String(given['script'])] : []));
      const log: string[] = [];
      const print = (text: unknown): void => void log.push(String(text));
      const parameters = {
        github: getOctokit(TOKEN, { baseUrl: github.url }),
        context: { repo: REPO, issue: { ...REPO, number: 2 }, serverUrl: 'https://github.com', runId: 42, payload },
        core: {
          info: print,
          notice: print,
          warning: print,
          setFailed: print,
          setOutput: (name: string, value: string | number) => print(`${name}=${value}`),
        },
        process: { env },
      };
      const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
      await new AsyncFunction(...Object.keys(parameters), scripts[number])(...Object.values(parameters));
      return { ...github, log: log.join('\n') };
    },
);

const BOT = { login: 'github-actions[bot]', type: 'Bot' };
const MARKER = '<!-- media-compliance-gate 0123456789abcdef -->';
const OURS = `${MARKER}\n\n## ❌ FAIL: a.mp4 · INVENTED-FINDINGS\n\nacme/campaigns`;
const TEXT = 'All findings are INVENTED.';

it.for<[string, { user: typeof BOT; body: string }, boolean]>([
  ['its own comment', { user: BOT, body: OURS }, true],
  ['a real gate', { user: BOT, body: `${MARKER}\n\n## FAIL: INVENTED-FINDINGS ·\n\nmedia · acme/campaigns` }, false],
  ['a person who copies it', { user: { login: 'eve', type: 'User' }, body: OURS }, false],
  ['another bot', { user: { login: 'other[bot]', type: 'Bot' }, body: OURS }, false],
  ['another comment of the bot', { user: BOT, body: 'Hello\n\n## FAIL: a.mp4 · INVENTED-FINDINGS' }, false],
])('try-without-an-account.yml marks only the comment of its own gate: %s', async (row, { runScript }) => {
  const [, { user, body }, isMarked] = row;
  const others = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, body: 'Hello', user: BOT }));
  const comment = { id: 101, body, user };
  const model = { pulls: { 2: { headSha: HEAD } }, comments: [...others, comment] };
  const { comments } = await runScript('try-without-an-account.yml', 0, { model, env: { TEXT } });
  const marked = body.replace('\n', `\n\n> [!CAUTION]\n> **${TEXT}**\n`);
  expect(comments).toEqual([...others, { ...comment, body: isMarked ? marked : body }]);
});

/** The annotations of a gate as GitHub keeps them. The line that fails the step has no title. */
function printedBy(...causes: readonly ReportedCause[]): readonly object[] {
  const report = aReport({ contents: [aContent({ issues: Array.from({ length: 9 }, () => anIssue()) })], causes });
  return [...annotations(report, { error: 0, warning: 0, notice: 0 }), { title: '', message: title(report) }];
}

it.for<[string, readonly object[], boolean]>([
  ['issues alone failed it', printedBy(), true],
  ['a file could not be judged', printedBy(aCause()), false],
  ['its results could not be saved', [...printedBy(), { message: 'The state could not be saved: full.' }], false],
  ['it said nothing', [], false],
])('recheck-open-pull-requests.yml re-runs a failed run only if that is free: %s', async (row, { runScript }) => {
  const [, annotations, isFree] = row;
  const failed = { id: 7, conclusion: 'failure' };
  const faults = [
    { on: '/actions/workflows/media.yml/runs', status: 200, body: { workflow_runs: [failed] } },
    { on: '/actions/runs/7/jobs', status: 200, body: { total_count: 1, jobs: [failed] } },
    { on: '/check-runs/7/annotations', status: 200, body: annotations },
    { on: '/actions/runs/7/rerun-failed-jobs', status: 201, body: {} },
  ];
  const model = { pulls: { 2: { headSha: HEAD } }, faults };
  const { log, asked } = await runScript('recheck-open-pull-requests.yml', 0, {
    model,
    env: { WORKFLOW: 'media.yml' },
  });
  expect(
    asked.some((line) => line.endsWith('rerun-failed-jobs')),
    log,
  ).toBe(isFree);
});

const RUN = { head_sha: HEAD, head_branch: 'a b;$(x)', head_repository: { id: 99, owner: { login: 'fork' } } };
const PULL = { headSha: HEAD, headLabel: 'fork:a b;$(x)', headRepositoryId: 99 };

it.for<[string, NonNullable<GitHubModel['pulls']>, object, RegExp, string[]]>([
  ['the only one', { 7: PULL }, RUN, /^number=7$/, ['pending']],
  ['one that was pushed to', { 7: { ...PULL, headSha: 'd'.repeat(40) } }, RUN, /nothing is checked/, []],
  ['one of another fork', { 7: { ...PULL, headRepositoryId: 98 } }, RUN, /nothing is checked/, []],
  ['several', { 7: PULL, 8: PULL }, RUN, /Close all but one/, ['failure']],
  ['a deleted fork', { 7: PULL }, { ...RUN, head_repository: null }, /nothing is checked/, []],
])('fork-safe-gate.yml finds the pull request: %s', async ([, pulls, run, text, expected], { runScript }) => {
  const model = { pulls, permissions: { statuses: 'write' } };
  const { log, statuses } = await runScript('fork-safe-gate.yml', 0, { model, payload: { workflow_run: run } });
  expect(log).toMatch(text);
  expect(statuses).toEqual(expected);
});

it.for([
  ['success', 'pass', 'success'],
  ['success', 'skipped', 'success'],
  ['failure', 'fail', 'failure'],
  ['failure', 'error', 'error'],
  ['cancelled', '', 'error'],
  ['skipped', '', 'error'],
] as const)('fork-safe-gate.yml: after %s with verdict %j the status is %s', async (row, { runScript }) => {
  const [OUTCOME, VERDICT, status] = row;
  const model = { permissions: { statuses: 'write' } };
  const env = { OUTCOME, VERDICT, REASON: '', CRITICAL: '0' };
  const { statuses } = await runScript('fork-safe-gate.yml', 1, { model, env, payload: { workflow_run: RUN } });
  expect(statuses).toEqual([status]);
});
