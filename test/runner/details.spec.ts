import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { ROOT } from './act.ts';
import { pdf } from './cases.ts';
import { pullRequestEvent } from './events.ts';
import { gatesOf } from './expect-case.ts';
import { startHostedRepository } from './hosted-repository.ts';

it('the runner reads what the gate writes: outputs, annotations, summary, masks and comment', async () => {
  const emulator = await startEmulator();
  const workflow = await readFile(`${ROOT}/examples/workflows/pull-request.yml`, 'utf8');
  const file = 'media/campaign/50% off, new: claim.pdf';
  const issue = { severity: 'CRITICAL', ruleCode: 'PRICE, 07', summary: '100% sure,\nsay: "never"' };
  try {
    await using repository = await startHostedRepository(emulator, {
      workflow,
      files: { 'media/brand/logo.pdf': pdf('logo') },
      scenario: { files: [{ match: 'claim', issues: [issue] }] },
    });
    const pull = await repository.openPullRequest({ [file]: pdf('claim') });
    const run = await repository.run(pullRequestEvent(pull));

    const [gate] = gatesOf(run);
    const [submission] = repository.live.submissions;
    expect(gate?.values).toMatchObject({
      verdict: 'fail',
      reason: 'issues',
      mode: 'live',
      'submission-id': submission?.submissionId,
      'submission-status': 'complete',
      'critical-count': '1',
      'highest-severity': 'CRITICAL',
      'files-matched': '2',
    });
    expect(run.annotations.map(({ level, title, file: path }) => ({ level, title, path }))).toEqual([
      { level: 'error', title: 'CRITICAL: Central claim without support', path: file },
      { level: 'error', title: undefined, path: undefined },
    ]);
    expect(run.annotations[0]?.message).toContain('100% sure');
    expect(run.annotations[1]?.message).toBe('FAIL: 1 CRITICAL issue in 1 of 2 files');
    expect(run.summaries).toEqual([expect.stringContaining('FAIL: 1 CRITICAL issue in 1 of 2 files')]);
    expect(run.log).not.toContain(repository.live.key);
    expect(repository.github.server.comments.map(({ body }) => body)).toEqual([expect.stringContaining('PRICE, 07')]);
  } finally {
    await emulator.close();
  }
});
