import { expect } from 'vitest';
import { COMMIT } from '../harness/earlier-run.ts';
import { it as base } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

/** What people see first when a check is not green: who has to do what with which file. */

const PULL = pullRequest({ 'pull_request.base.ref': 'main', 'pull_request.base.sha': COMMIT });
const CRITICAL = {
  severity: 'CRITICAL',
  ruleCode: 'AD-17',
  severityReasoningHeadline: 'Claims a cure',
  summary: 'It cures nothing.',
};

interface PullRequest {
  /** The names of the files in which the service finds a CRITICAL issue. */
  readonly issuesIn?: readonly string[];
  readonly changes: readonly string[];
  /** Files of the pull request beside hero.png, which is on the base branch. */
  readonly files: Readonly<Record<string, Buffer>>;
}

const it = base.extend('pull', ({ startSeries, startGitHub }) => async (pull: PullRequest) => {
  const { issuesIn = [], changes, files } = pull;
  const scenario = { files: issuesIn.map((name) => ({ match: `${name}-*`, issues: [CRITICAL] })) };
  const series = await startSeries({ '.git/HEAD': 'ref: x\n' }, { scenario });
  await series.addAnalysed(images('hero'));
  await series.write(files);
  const changed = changes.map((filename) => ({ status: 'added', filename }));
  const github = await startGitHub({ pulls: { 2: { headSha: HEAD, baseRef: 'main', files: changed } } });
  const run = await series.run({ event: PULL, github, inputs: { comment: 'always' } });
  const listed = github.asked.filter((line) => line.includes('/pulls/2/files')).length;
  return { ...run, listed, comment: github.comments[0]?.body ?? '' };
});

const AUTHOR = '**Author of the change:** ';

it('of an issue on the base branch and one of the author, each person is asked about their own file', async ({
  pull,
}) => {
  const files = { ...images('winter'), 'old/hero.png': png('hero') };
  const issuesIn = ['hero', 'winter'];
  const { summary, comment, log, listed } = await pull({ issuesIn, changes: ['winter.png'], files });
  expect(comment).toMatch(/### Stops the check \(2\)\n\n<details open>[^\n]*winter\.png/);
  for (const text of [summary, comment]) {
    expect(text).toContain('2 CRITICAL issues in 3 of 3 files, 1 of them in files that this pull request changes\n');
    expect(text).toContain(`1. ${AUTHOR}Change or replace <code>winter.png</code>`);
    expect(text).toContain('**Owner of the workflow:** On the base branch: change or replace <code>hero.png</code>, ');
    expect(text).toContain('<code>fail-on-issues: new</code>');
    expect(text).toMatch(/not changed by this pull request, analysed on \d{4}-\d\d-\d\d/);
    expect(text).toContain(`/blob/${HEAD}/hero.png`);
    expect(text).toContain('/pull/2/files#diff-');
    expect(text).not.toMatch(/#diff-[^"]*"><code>hero/);
  }
  expect(log).toContain('not changed by this pull request');
  expect(listed).toBe(1);
});

it('media that nobody checks are named in the headline of a pass, if the pull request changes them', async ({
  pull,
}) => {
  const texts = { 'media/poster.ai': '%PDF-1.7 poster', 'notes.md': 'notes', 'old.indd': '\0' };
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
  const { summary, comment, outputs, listed } = await pull({ changes: ['media/poster.ai'], files });
  expect(outputs).toMatchObject({ verdict: 'pass', 'files-matched': '1' });
  for (const text of [summary, comment]) {
    expect(text).toContain('PASS: 1 file checked, no active issues; 1 not checked: media/poster.ai\n');
    expect(text).toMatch(
      /### Not checked \(1\)\n\nThe workflow does not select .*<code>media\/poster\.ai<\/code><\/a>\n/,
    );
    expect(text).toMatch(/Export <code>media\/poster\.ai<\/code> in a form .* or only exclude it/i);
    expect(text).not.toContain('Nothing has to be done');
    expect(text).not.toMatch(/old\.indd|notes\.md/);
  }
  expect(listed).toBe(1);
});
