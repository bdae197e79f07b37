import { describe, expect, it } from 'vitest';
import { reportFiles } from '../../src/report/files.ts';
import { aReport } from './fixtures.ts';
import { failed } from './samples.ts';

describe('reportFiles', () => {
  it.each(['pass', 'fail', 'error', 'skipped'] as const)('are the same files on %s', (verdict) => {
    const files = reportFiles(aReport({ verdict }));
    expect(files.map((file) => file.name)).toEqual([
      'report.html',
      'report.json',
      'report.sarif',
      'junit.xml',
      'summary.md',
      'cleared.sha256',
      'predicate.json',
    ]);
  });

  it('are the same bytes for the same report', () => {
    const [once, again] = [reportFiles(failed), reportFiles(failed)].map((files) =>
      files.map(({ render }) => Array.from(render())),
    );
    expect(once).toEqual(again);
  });
});
