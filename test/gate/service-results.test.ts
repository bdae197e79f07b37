import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const TWO = images('one', 'two');
const THREE = [{ severity: 'MINOR' }, { severity: 'MINOR' }, { severity: 'CRITICAL' }];

describe.concurrent('lists of issues', () => {
  it('in any shape, short or missing: the issues of the asset result are used as well', async ({ gate }) => {
    const shapes = [
      { as: 'array' },
      { as: 'issues' },
      { as: 'items' },
      { as: 'findings' },
      { pageSize: 1 },
      { short: 1 },
      { as: 'unreadable' },
    ];
    const files = NAMES.map((name, index) => ({ match: `${name}-`, issues: THREE, issuesList: shapes[index] ?? {} }));
    const run = await gate({ files: images(...NAMES), scenario: { files, extraFields: true } });

    expect(run.outputs).toMatchObject({ verdict: 'fail', 'issue-count': '21', 'critical-count': '7' });
    expect(run.text).not.toContain('could be read');
  });

  it('that are short in both places never pass while a CRITICAL issue is hidden', async ({ gate }) => {
    const shape = { issuesList: { short: 2 }, resultShort: 1 };
    const scenario = { files: [{ match: 'two-', issues: THREE, ...shape }] };
    const run = await gate({ files: TWO, scenario });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results', 'issue-count': '2' });
    expect(run.text).toContain('The service counts 3 issues, but only 2 could be read');
    expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: 'two.png' }));
    expect(run.exitCode).toBe(1);
  });

  it.for<[string, { readonly resultShort?: number }, object]>([
    [
      'costs no verdict if the assets have all issues',
      {},
      { verdict: 'fail', reason: 'issues', 'critical-count': '24' },
    ],
    ['is not requested again', { resultShort: 0 }, { verdict: 'error', reason: 'service' }],
  ])('an enriched list that is out of order %s', async ([, shape, outputs], { gate }) => {
    const names = Array.from({ length: 24 }, (_, index) => `file-${index}`);
    const run = await gate({
      files: images(...names),
      scenario: { default: { issues: THREE, ...shape }, faults: [{ on: 'assets/issues', status: 503 }] },
      clockFactor: 120,
    });

    expect(run.outputs).toMatchObject(outputs);
    expect(run.count('assets/read')).toBe(24);
    expect(run.count('assets/issues')).toBeLessThan(8 * 21);
  });
});

it('one asset that cannot be read is reported for its own file, and hides no issue of the others', async ({ gate }) => {
  const run = await gate({
    files: TWO,
    scenario: {
      files: [
        { match: 'one-', issues: [{ severity: 'CRITICAL' }] },
        { match: 'two-', nullIssueCountReads: 1_000_000 },
      ],
      faults: [{ on: 'assets/read', match: 'two-', status: 500 }],
    },
    inputs: { 'on-service-error': 'warn' },
  });
  expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
  expect(run.exitCode).toBe(1);
  const annotations = run.annotations.filter(({ message }) => message.includes('while reading an asset: status 500'));
  expect(annotations.map(({ file }) => file)).toEqual(['two.png']);
});
