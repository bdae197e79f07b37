import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { COMMIT } from '../harness/earlier-run.ts';
import { it as base } from '../harness/fixtures.ts';
import type { GitHubModel } from '../harness/github-model.ts';
import { images, mp4, png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import type { ActionOptions } from '../harness/run-action.ts';

/** What people see first if a check is not simply green: who has to do what, with which file. */

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const about = { 'pull_request.base.ref': 'main', 'pull_request.base.sha': COMMIT };
const PULL = { name: 'pull_request', payload: payload('pull_request', about) };
const CRITICAL = {
  severity: 'CRITICAL',
  ruleCode: 'AD-17',
  severityReasoningHeadline: 'Claims a cure',
  summary: 'It cures nothing.',
};

/** By the beginning of the file's name. */
const finding = (...names: readonly string[]): Scenario => ({
  files: names.map((name) => ({ match: `${name}-*`, issues: [CRITICAL] })),
});

interface PullRequest extends Pick<ActionOptions, 'inputs'> {
  readonly issuesIn?: readonly string[];
  /** Instead of `issuesIn`. */
  readonly scenario?: Scenario;
  readonly changes: readonly string[];
  /** What the pull request has beside hero.png, which the base branch has. */
  readonly files?: Readonly<Record<string, Buffer>>;
  readonly model?: GitHubModel;
}

const it = base.extend(
  'pull',
  ({ startSeries, startGitHub }) =>
    async ({
      issuesIn = [],
      scenario = finding(...issuesIn),
      changes,
      files = images('winter'),
      model,
      inputs,
    }: PullRequest) => {
      const series = await startSeries({ '.git/HEAD': 'ref: x\n' }, { scenario });
      await series.addAnalysed(images('hero'));
      await series.write(files);
      const changed = changes.map((filename) => ({ status: 'added', filename }));
      const github = await startGitHub({ pulls: { 2: { headSha: HEAD, baseRef: 'main', files: changed } }, ...model });
      const run = await series.run({ event: PULL, github, inputs: { comment: 'always', ...inputs } });
      const listed = github.asked.filter((line) => line.includes('/pulls/2/files')).length;
      return { ...run, listed, comment: github.comments[0]?.body ?? '' };
    },
);

const OWNER = '**Owner of the workflow:** ';
const AUTHOR = '**Author of the change:** ';
const AT_COMMIT = `/blob/${HEAD}/hero.png`;
const AMONG_CHANGES = '/pull/2/files#diff-';

describe.concurrent('nobody is blamed for a file that the pull request does not change', () => {
  it('an issue on the base branch: the owner of the workflow is asked', async ({ pull }) => {
    const files = { ...images('winter'), 'old/hero.png': png('hero') };
    const { summary, comment, log, listed } = await pull({ issuesIn: ['hero'], changes: ['winter.png'], files });
    for (const text of [summary, comment]) {
      expect(text).toContain('FAIL: hero.png and 1 more (not changed by this pull request): Claims a cure\n');
      expect(text).toContain(`1. ${OWNER}On the base branch, fix <code>hero.png</code>, <code>old/hero.png</code>`);
      expect(text).toContain('<code>fail-on-issues: new</code>');
      expect(text).toMatch(/not changed by this pull request, analysed on \d{4}-\d\d-\d\d/);
      expect(text).toContain(AT_COMMIT);
      expect(text).not.toMatch(/#diff-[^"]*"><code>hero/);
      expect(text).not.toContain(AUTHOR);
    }
    expect(log).toContain('not changed by this pull request');
    expect(listed).toBe(1);
  });

  it('both: each is asked about their file, the author first', async ({ pull }) => {
    const { summary, comment } = await pull({ issuesIn: ['hero', 'winter'], changes: ['winter.png'] });
    expect(comment).toMatch(/### Stops the check \(2\)\n\n<details open>[^\n]*winter\.png/);
    expect(summary).toContain('2 CRITICAL issues in 2 of 2 files, 1 of them in files that this pull request changes\n');
    expect(summary).toContain(`1. ${AUTHOR}Change or replace <code>winter.png</code>`);
    expect(summary).toMatch(/^\d\. \*\*Owner of the workflow:\*\* On the base branch, fix <code>hero.png<\/code>/m);
    expect(summary).toContain(AT_COMMIT);
    expect(summary).toContain(AMONG_CHANGES);
  });

  it('a file that cannot be judged: it is fixed on the base branch, or excluded', async ({ pull }) => {
    const files = { 'empty.png': Buffer.of(), ...images('winter') };
    const { summary, annotations } = await pull({ changes: ['winter.png'], files });
    expect(summary).toContain('ERROR: empty.png (not changed by this pull request): The file is empty.');
    expect(summary).toMatch(/^1\. \*\*Owner of the workflow:\*\* On the base branch, fix <code>empty.png<\/code>/m);
    expect(summary).not.toContain(AUTHOR);
    const title = 'Not judged: a file cannot be sent';
    expect(annotations).toContainEqual(expect.objectContaining({ file: 'empty.png', title }));
  });

  it.for<[string, GitHubModel, PullRequest['inputs'], number]>([
    ['without permission', { permissions: { 'pull-requests': 'none' } }, {}, 1],
    [
      'if the pull request was pushed to since',
      { pulls: { 2: { headSha: COMMIT, baseRef: 'main', files: [] } } },
      {},
      1,
    ],
  ])('%s, nothing is said', async ([, model, inputs, lists], { pull }) => {
    const { summary, listed } = await pull({ issuesIn: ['hero'], changes: [], model, inputs: { ...inputs } });
    expect(summary).toContain('FAIL: hero.png: Claims a cure\n');
    expect(summary).toContain(`1. ${AUTHOR}Change or replace <code>hero.png</code>`);
    expect(listed).toBe(lists);
  });

  it('a check that passes, or that had the list already, asks GitHub for nothing more', async ({ pull }) => {
    expect((await pull({ changes: [] })).listed).toBe(0);
    const inputs = { 'only-changed': 'true' };
    expect((await pull({ issuesIn: ['winter'], changes: ['winter.png'], inputs })).listed).toBe(1);
  });
});

describe.concurrent('the first screen', () => {
  it('one issue that stops the check is open, four that do not are folded, in the comment too', async ({
    gate,
    startGitHub,
  }) => {
    const others = ['MAJOR', 'MINOR', 'MINOR', 'INFO'].map((severity) => ({ ...CRITICAL, severity }));
    const github = await startGitHub({ pulls: { 2: { headSha: HEAD } } });
    const { summary } = await gate({
      scenario: { default: { issues: [...others, CRITICAL] } },
      event: PULL,
      github,
      inputs: { comment: 'always' },
    });
    for (const text of [summary, github.comments[0]?.body ?? '']) {
      expect(text).toContain('### Stops the check (1)\n\n<details open><summary>🔴');
      expect(text).toContain('### Does not stop it (4)\n\n<details><summary>🟠');
      expect(text.match(/<details open>/g)).toHaveLength(1);
    }
  });

  it('a failed asset: the step names the file, and leads to the run', async ({ gate }) => {
    const files = { 'hero.mp4': mp4('hero'), 'a.png': png('a') };
    const run = await gate({ files, scenario: { files: [{ match: 'hero', fails: { isRetryable: false } }] } });
    expect(run.summary).toContain(`- ${AUTHOR}Check that <code>hero.mp4</code> opens.`);
    expect(run.summary).toContain('/actions/runs/42">If <code>hero.mp4</code> is intact, re-run this job.</a>');
    const title = 'Not judged: the analysis failed';
    expect(run.annotations).toContainEqual(expect.objectContaining({ file: 'hero.mp4', title }));
    expect(run.outputs).toMatchObject({ 'assets-submitted': '2', 'assets-failed': '1' });
    expect(run.log.trimEnd().split('\n').at(-1)).toBe('2 billed, 0 reused, verdict error');
  });

  it('an outage under on-service-error: warn says how many files were not checked, never ERROR', async ({ pull }) => {
    const scenario: Scenario = { faults: [{ on: 'submissions/create', status: 503 }] };
    const run = await pull({ scenario, changes: ['winter.png'], inputs: { 'on-service-error': 'warn' } });
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.summary.split('\n')[0]).toMatch(/^## ⚠️ NOT CHECKED: 1 of 2 files: /);
    expect(run.comment).toContain('NOT CHECKED: 1 of 2 files');
    expect(run.summary + run.comment).not.toContain('ERROR');
  });

  it('a sandbox says nothing about money', async ({ gate }) => {
    const run = await gate({ mode: 'sandbox', inputs: { 'state-file': '${{ runner.temp }}/state.json' } });
    expect(run.summary).not.toMatch(/bill|paid|cost/i);
    expect(run.log.trimEnd().split('\n').at(-1)).toBe('1 sent, 0 reused, verdict pass');
  });
});

describe.concurrent('a dry run', () => {
  const DRY = { 'dry-run': 'true' };
  it('says what would be billed, and lists what would be sent and reused', async ({ startSeries }) => {
    const series = await startSeries({});
    await series.addAnalysed(images('hero'));
    await series.write({ 'winter.png': png('winter'), 'copy.png': png('winter') });
    const run = await series.run({ inputs: DRY });
    const billed = 'A real run would send 1 asset (billed) and reuse 1.';
    expect(run.summary.split('\n')[0]).toBe(`## ⏭️ NOT CHECKED: This was a dry run. ${billed}`);
    expect(run.summary).toMatch(/winter\.png.*\| would be sent: new \|/);
    expect(run.summary).toMatch(/hero\.png.*\| would be reused: unchanged since/);
    expect(run.outputs).toMatchObject({ verdict: 'skipped', reason: 'dry-run', 'assets-submitted': '0' });
  });

  it('with a problem says first what would stop a real run, at its file', async ({ gate }) => {
    const files = { 'empty.png': '', 'a.png': png('a') };
    const run = await gate({ files, inputs: DRY });
    expect(run.exitCode).toBe(0);
    expect(run.summary.split('\n')[0]).toBe(
      '## ⏭️ NOT CHECKED: This was a dry run. A real run would stop: empty.png: The file is empty.',
    );
    expect(run.summary).toContain('A real run would send 1 asset (billed).');
    expect(run.summary).toContain(`1. ${AUTHOR}Add the content of <code>empty.png</code>`);
    expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'warning', file: 'empty.png' }));
  });
});
