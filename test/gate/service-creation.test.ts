import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';

describe.concurrent('metadata', () => {
  it('that the service refuses is left out in one more try', async ({ gate }) => {
    const run = await gate({
      scenario: { faults: [{ on: 'submissions/create', nth: 1, status: 422 }] },
      inputs: { metadata: '{"campaign":"spring"}' },
    });

    expect(run.outputs['verdict']).toBe('pass');
    const bodies = run.service.requests
      .filter(({ endpoint }) => endpoint === 'submissions/create')
      .map(({ json }) => json);
    expect(bodies).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({ campaign: 'spring', repository: 'acme/campaigns' }),
      }),
      expect.not.objectContaining({ metadata: expect.anything() }),
    ]);
    expect(run.service.submissions).toHaveLength(1);
  });

  it('is not sent if the workflow says so', async ({ gate }) => {
    const run = await gate({ inputs: { metadata: 'none' } });

    expect(run.outputs['verdict']).toBe('pass');
    const creation = run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create');
    expect(creation?.json).toEqual(expect.not.objectContaining({ metadata: expect.anything() }));
  });
});
