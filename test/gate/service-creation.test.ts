import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

type Faults = NonNullable<Scenario['faults']>;

/** A gateway responds like this although the service has made the submission. */
const made = (status: number, nth: number | [number, number] = [1, 99]): Faults[number] => ({
  on: 'submissions/create',
  when: 'after-work',
  nth,
  status,
});
const refused = (status: number, nth: number): Faults[number] => ({ on: 'submissions/create', nth, status });

const TWO = /Two submissions may exist and be billed/;
const ONE = /One submission may exist and be billed/;

describe.concurrent('500 and 502: a creation is repeated once in a run, whatever its body', () => {
  it.for<[string, Faults, readonly [requests: number, submissions: number], RegExp]>([
    ['before and after metadata are refused', [made(500, 1), refused(422, 2), made(500, 3)], [3, 2], TWO],
    ['and then the repeat is refused', [made(500, 1), refused(403, 2)], [2, 1], ONE],
  ])('%s', async ([, faults, [requests, submissions], says], { gate }) => {
    const run = await gate({ scenario: { faults } });

    expect(run.count('submissions/create')).toBe(requests);
    expect(run.service.submissions).toHaveLength(submissions);
    expect(run.outputs['verdict']).toBe('error');
    expect(run.text).toMatch(says);
    expect(run.text).toMatch(/unknown: .* may exist and be billed, verdict error/);
  });

  it('if the repeat succeeds, a warning and the receipt say that two may exist', async ({ gate }) => {
    const run = await gate({ scenario: { faults: [made(502, 1)] } });

    expect(run.service.submissions).toHaveLength(2);
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'submission-id': run.service.submissions[1]?.submissionId });
    expect(run.warnings).toMatch(/responded with 502 .*Two submissions may exist and be billed/);
    expect(run.log).toMatch(/1 billed.*two submissions may exist.*, verdict pass/);
  });
});

describe.concurrent('a creation that may have arrived is not repeated otherwise', () => {
  const UNREADABLE = { ...made(201), body: { submissionId: '$(id)', assets: [] } };

  it.for<[string, Faults[number], string, RegExp]>([
    ['503', made(503), 'service', ONE],
    ['a connection that is reset', { on: 'submissions/create', when: 'after-work', reset: true }, 'service', ONE],
    ['201 without a readable id', UNREADABLE, 'results', /One submission exists and is billed/],
  ])('%s', async ([, fault, reason, says], { gate }) => {
    const run = await gate({ scenario: { faults: [fault] } });

    expect(run.count('submissions/create')).toBe(1);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason, 'submission-id': '' });
    expect(run.text).toMatch(says);
  });
});

it('a submission with too many assets is refused with sentences, and with advice for large libraries', async ({
  gate,
}) => {
  const names = Array.from({ length: 21 }, (_, index) => `file-${index}`);
  const run = await gate({ files: images(...names), scenario: { maxAssets: 20, validationErrors: 'fastapi' } });

  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused', 'submission-id': '' });
  expect(run.count('submissions/create')).toBe(2);
  expect(run.text).toMatch(
    /responded with 422 while creating the submission: assets: [^{]+ The submission held 21 assets\./,
  );
  expect(run.text).toContain('large-library.yml');
});

it('metadata are not sent if the workflow says so', async ({ gate }) => {
  const run = await gate({ inputs: { metadata: 'none' } });

  expect(run.outputs['verdict']).toBe('pass');
  const creation = run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create');
  expect(creation?.json).toEqual(expect.not.objectContaining({ metadata: expect.anything() }));
});
