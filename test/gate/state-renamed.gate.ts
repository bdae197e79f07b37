import { describe, expect } from 'vitest';
import { CRITICAL, it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const WORKFLOW = 'acme/campaigns/.github/workflows/legal.yml@refs/heads/main';

describe.concurrent('an analysis belongs to the repository, whatever the gate is called', () => {
  it.for<[string, { env?: Record<string, string>; inputs?: Record<string, string> }]>([
    ['its job is renamed', { env: { GITHUB_JOB: 'legal' } }],
    ['its workflow file is renamed, or a second workflow runs beside it', { env: { GITHUB_WORKFLOW_REF: WORKFLOW } }],
    ['its `name` is changed', { inputs: { name: 'legal' } }],
    ['a matrix gets another leg', { inputs: { matrix: '{"market":"FR"}' } }],
  ])('nothing is billed again if %s', async ([, change], { startRepository, makeFolder }) => {
    const world = await startRepository({ scenario: CRITICAL });
    const workspace = await makeFolder(images('a', 'b'));
    const first = await world.push({ branch: 'main', workspace });
    expect(first.outputs, first.log).toMatchObject({ verdict: 'fail', 'files-submitted': '2' });
    const next = await world.push({ branch: 'main', workspace, ...change });
    expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0', 'files-reused': '2' });
    // The baseline is never that of another gate.
    const inputs = { ...change.inputs, 'fail-on-issues': 'new' };
    const compared = await world.push({ branch: 'other', workspace, ...change, inputs });
    expect(compared.outputs, compared.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '' });
    expect(world.service.submissions).toHaveLength(1);
  });
});
