import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

/** A gateway responds like this although the service has made the submission. */
const made = (status: number, nth: number): NonNullable<Scenario['faults']>[number] => ({
  on: 'submissions/create',
  when: 'after-work',
  nth,
  status,
});

describe.concurrent('a creation that the service did not confirm', () => {
  it('is repeated once in a run, whatever its body: before and after metadata are refused', async ({ gate }) => {
    const faults = [made(500, 1), { on: 'submissions/create' as const, nth: 2, status: 422 }, made(500, 3)];
    const run = await gate({ scenario: { faults } });

    expect(run.count('submissions/create')).toBe(3);
    expect(run.service.submissions).toHaveLength(2);
    expect(run.outputs).toMatchObject({ verdict: 'error', 'submission-id': '' });
    expect(run.text).toMatch(/Two submissions may exist and be billed/);
    expect(run.text).toMatch(/unknown: .* may exist and be billed, verdict error/);
  });

  it('is reported by a warning and the receipt if the repeat succeeds: two may exist', async ({ gate }) => {
    const run = await gate({ scenario: { faults: [made(502, 1)] } });

    expect(run.service.submissions).toHaveLength(2);
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'submission-id': run.service.submissions[1]?.submissionId });
    expect(run.warnings).toMatch(/responded with 502 .*Two submissions may exist and be billed/);
    expect(run.log).toMatch(/1 billed.*two submissions may exist.*, verdict pass/);
  });
});

it('a submission with too many assets is refused with sentences, and with advice for large libraries', async ({
  gate,
}) => {
  const names = Array.from({ length: 21 }, (_, index) => `file-${index}`);
  const scenario = { maxAssets: 20, validationErrors: 'fastapi' } as const;
  const run = await gate({ files: images(...names), scenario, inputs: { metadata: 'none' } });

  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused', 'submission-id': '' });
  const creations = run.requests.filter(({ endpoint }) => endpoint === 'submissions/create');
  expect(creations.map(({ json }) => json)).toEqual([expect.not.objectContaining({ metadata: expect.anything() })]);
  expect(run.text).toMatch(
    /responded with 422 while creating the submission: assets: [^{]+ The submission held 21 assets\./,
  );
  expect(run.text).toContain('large-library.yml');
});
