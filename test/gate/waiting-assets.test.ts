import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import type { ServiceRun } from '../harness/run-action.ts';

const FILES = images('one', 'two', 'three', 'four', 'five');

const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' };
const SIGNED = 'https://storage.example/a.png?sv=1&sig=';

/** How often each file's asset was retried. */
function retriesOf({ service: { submissions, requests } }: ServiceRun): Record<string, number> {
  const assets = submissions.flatMap((submission) => submission.assets);
  const retried = requests
    .filter(({ endpoint }) => endpoint === 'assets/retry')
    .map(({ path }) => assets.find(({ assetId }) => path.includes(assetId))?.filename.replace(/-.*/, '') ?? '?');
  return Object.fromEntries(retried.map((name) => [name, retried.filter((each) => each === name).length]));
}

it('unfinished assets are awaited and failed ones retried at most twice, whatever the submission says', async ({
  gate,
}) => {
  const run = await gate({
    files: FILES,
    scenario: {
      shuffleAssets: true,
      extraFields: true,
      // The submission claims to be finished from the first poll on.
      statusWhileUnfinished: 'failed',
      files: [
        { match: 'one-', reads: 4, issues: [{ ...CRITICAL, summary: 'late' }] },
        { match: 'two-', nullIssueCountReads: 3, issues: [{ ...CRITICAL, summary: 'counted late' }] },
        { match: 'three-', fails: { times: 2 }, issues: [{ ...CRITICAL, summary: 'third time lucky' }] },
        { match: 'four-', fails: {} },
        {
          match: 'five-',
          fails: { isRetryable: false, errorType: 'DAMAGED', errorMessage: `No ${SIGNED}c2VjcmV0%3D (409)` },
        },
      ],
    },
  });

  expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '3', 'assets-failed': '2' });
  const issues = run.annotations.filter(({ message }) => message.includes('CRITICAL AD-17'));
  expect(new Set(issues.map(({ file }) => file))).toEqual(new Set(['one.png', 'two.png', 'three.png']));
  expect(retriesOf(run)).toEqual({ three: 2, four: 2 });
  expect(run.text).toContain('could not analyse the file after 2 retries: ANALYSIS_ERROR');
  expect(run.text).toContain(`could not analyse the file: DAMAGED: No ${SIGNED}*** (409)`);
  expect([...run.written.values()].join()).not.toContain('c2VjcmV0');
});
