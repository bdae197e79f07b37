import { expect } from 'vitest';
import { it, ONE_FILE } from '../harness/fixtures.ts';

it('without permission to read artifacts nothing is sent, unless `reuse-days` is 0', async ({
  startRepository,
  makeFolder,
}) => {
  const world = await startRepository({ model: { permissions: { actions: 'none' } } });
  const workspace = await makeFolder(ONE_FILE);
  const run = await world.push({ branch: 'main', workspace, inputs: { comment: 'always' } });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'github' });
  expect(run.requests).toEqual([]);
  expect(run.readableSummary).toMatch(/`actions: read` and `pull-requests: read`, or set `reuse-days: 0`/);
  expect(run.readableSummary).toContain('Nothing was sent and nothing was billed.');
  for (const [inputs, outputs] of [
    [{ 'dry-run': 'true' }, { verdict: 'skipped', reason: 'dry-run' }],
    [{ 'reuse-days': '0' }, { verdict: 'pass', 'files-submitted': '1' }],
  ] as const) {
    const other = await world.push({ branch: 'main', workspace, inputs });
    expect(other.outputs, other.log).toMatchObject(outputs);
    expect(other.notices).toContain('could not all be read');
  }
});
