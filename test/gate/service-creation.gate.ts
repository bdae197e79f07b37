import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

it('a creation that may have succeeded is reported if its repeat succeeds', async ({ gate }) => {
  const run = await gate({
    scenario: { faults: [{ on: 'submissions/create', when: 'after-work', nth: 1, status: 502 }] },
  });
  expect(run.service.submissions).toHaveLength(2);
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'submission-id': run.service.submissions[1]?.submissionId });
  expect(run.warnings).toMatch(/responded with 502.*Two submissions may exist and be billed/);
  expect(run.log).toMatch(/1 billed.*two submissions may exist.*, verdict pass/);
});

it('in a sandbox, neither log, summary, comment nor a report file speaks of bills', async ({ gate, startGitHub }) => {
  const github = await startGitHub({ pulls: { 2: { headSha: HEAD } } });
  const run = await gate({
    mode: 'sandbox',
    scenario: { faults: [{ on: 'submissions/create', status: 500 }] },
    github,
    event: pullRequest(),
    inputs: { comment: 'always', 'state-file': '${{ runner.temp }}/state.json' },
  });
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service', mode: 'sandbox' });
  expect(run.log).toMatch(/unknown: a submission may exist, verdict error/);
  const texts = [...run.written, ['comment', github.comments[0]?.body ?? ''] as const];
  const speaking = texts.filter(([, text]) => text.includes('Two submissions may exist')).map(([name]) => name);
  expect(speaking).toEqual(expect.arrayContaining(['log', 'summary', 'comment']));
  // The app in report.html is the same for every run. test/report/page opens it with a sandbox.
  const others = texts.filter(([name]) => !name.endsWith('.html'));
  expect(others.filter(([, text]) => /\bbill/i.test(text)).map(([name]) => name)).toEqual([]);
});
