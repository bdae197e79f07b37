import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { analyse, COMMIT } from '../harness/earlier-run.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const NEW = { 'fail-on-issues': 'new' };
const BAD: Scenario = { files: [{ match: '*bad-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };

it('a rejected file is new until a branch run has it', async ({ startRepository, makeFolder }) => {
  const world = await startRepository({ scenario: BAD });
  const bad = images('bad', 'ok');
  const document = await analyse(world.service, bad);
  world.plantState({ branch: 'one', runId: 30, document, sealed: { event: 'pull_request' } });
  const [good, workspace] = [await makeFolder(images('ok')), await makeFolder(bad)];
  const base = await world.push({ branch: 'main', commit: COMMIT, workspace: good });
  expect(base.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
  const second = await world.pull({ branch: 'two', base: COMMIT, workspace, inputs: NEW });
  expect(second.outputs, second.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
  await world.push({ branch: 'main', workspace });
  const third = await world.pull({ branch: 'three', base: 'b'.repeat(40), workspace, inputs: NEW });
  expect(third.outputs, third.log).toMatchObject({ verdict: 'pass', 'new-issue-count': '0' });
  expect(third.asked.length).toBeLessThanOrEqual(7);
  expect(world.service.submissions).toHaveLength(1);
});
