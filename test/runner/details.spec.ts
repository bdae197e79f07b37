import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { pullRequestEvent } from '../harness/events.ts';
import { it } from '../harness/fixtures.ts';
import { ROOT } from './act.ts';
import { pdf } from './cases.ts';
import { startHostedRepository } from './hosted-repository.ts';

it('the runner reads annotations with any character, and hides the key', async ({ emulator, end }) => {
  const file = 'media/campaign/50% off, new: claim.pdf';
  const issue = { severity: 'CRITICAL', ruleCode: 'PRICE, 07', summary: '100% sure,\nsay: "never"' };
  const repository = await end(
    startHostedRepository(emulator, {
      workflow: await readFile(`${ROOT}/examples/workflows/pull-request.yml`, 'utf8'),
      files: { 'media/brand/logo.pdf': pdf('logo') },
      scenario: { files: [{ match: 'claim', issues: [issue] }] },
    }),
  );
  const pull = await repository.openPullRequest({ [file]: pdf('claim') });
  const run = await repository.run(pullRequestEvent(pull));
  expect(run.annotations, run.log).toEqual([
    {
      level: 'error',
      title: 'CRITICAL: Central claim without support',
      file,
      message: expect.stringContaining('100% sure'),
    },
    { level: 'error', title: undefined, file: undefined, message: expect.stringMatching(/^FAIL: .+: .+/) },
  ]);
  expect(run.log).not.toContain(repository.live.key);
  expect(repository.github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('PRICE, 07')]);
});
