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
