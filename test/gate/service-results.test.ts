import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const THREE = [{ severity: 'MINOR' }, { severity: 'MINOR' }, { severity: 'CRITICAL' }];

it('issues are read from a list of any shape, and from the asset itself if the list is short or unreadable', async ({
  gate,
}) => {
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

it('one asset that cannot be read is reported for its own file, and hides no issue of the others', async ({ gate }) => {
  const run = await gate({
    files: images('one', 'two'),
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
