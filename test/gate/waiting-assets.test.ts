import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import type { ServiceRun } from '../harness/run-action.ts';

const FILES = images('one', 'two', 'three', 'four', 'five');

const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' };

/** How often each file's asset was retried. */
function retriesOf({ service }: ServiceRun): Record<string, number> {
  const assets = service.submissions.flatMap((submission) => submission.assets);
  const retries = service.requests.filter(({ endpoint }) => endpoint === 'assets/retry');
  const names = retries.map(({ path }) => assets.find(({ assetId }) => path.includes(assetId))?.filename ?? '?');
  return Object.fromEntries(
    Object.entries(Object.groupBy(names, (name) => name.replace(/-.*/, ''))).map(([name, all]) => [
      name,
      all?.length ?? 0,
    ]),
  );
}

function annotated(run: ServiceRun): readonly string[] {
  return run.annotations
    .filter(({ level }) => level === 'error')
    .map(({ file, message }) => `${file}: ${/CRITICAL [\w-]+/.exec(message)?.[0]}`);
}

describe.concurrent('assets that take long', () => {
  it('unfinished ones are awaited and failed ones retried at most twice, whatever the submission says', async ({
    gate,
  }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        shuffleAssets: true,
        extraFields: true,
        // It claims to be complete from the first poll on.
        statusWhileUnfinished: 'failed',
        files: [
          { match: 'one-', reads: 4, issues: [{ ...CRITICAL, summary: 'late' }] },
          { match: 'two-', nullIssueCountReads: 3, issues: [{ ...CRITICAL, summary: 'counted late' }] },
          { match: 'three-', fails: { times: 2 }, issues: [{ ...CRITICAL, summary: 'third time lucky' }] },
          { match: 'four-', fails: {} },
          { match: 'five-', fails: { isRetryable: false, errorType: 'DAMAGED', errorMessage: 'The file is damaged.' } },
        ],
      },
    });

    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '3', 'assets-failed': '2' });
    expect(annotated(run)).toEqual(
      expect.arrayContaining(['one.png', 'two.png', 'three.png'].map((file) => `${file}: CRITICAL AD-17`)),
    );
    expect(retriesOf(run)).toEqual({ three: 2, four: 2 });
    expect(run.text).toContain('could not analyse the file after 2 retries: ANALYSIS_ERROR');
    expect(run.text).toContain('could not analyse the file: DAMAGED: The file is damaged.');
  });

  it.for<[string, Scenario, object, RegExp?]>([
    [
      'an asset that can be read only once it is complete is retried by the list',
      { assetOnlyWhenComplete: true, files: [{ match: 'one-', fails: { times: 1 }, issues: [CRITICAL] }] },
      { verdict: 'fail', reason: 'issues', 'critical-count': '1', 'assets-failed': '0' },
    ],
    [
      'an asset has another id after its retry',
      { retryCreates: 'asset', files: [{ match: 'one-', fails: { times: 2 } }] },
      { verdict: 'pass', 'assets-failed': '0' },
    ],
    [
      'a retry that goes on in another submission is not followed',
      { retryCreates: 'submission', files: [{ match: 'one-', fails: { times: 1 } }] },
      { verdict: 'error', reason: 'results', 'assets-failed': '0' },
      /goes on with the retry of this file in another submission \([\w-]{36}\)/,
    ],
  ])('%s', async ([, scenario, outputs, message = /^/], { gate }) => {
    const run = await gate({ files: FILES, scenario });
    expect(run.outputs, run.log).toMatchObject(outputs);
    expect(run.text).toMatch(message);
  });
});

const DAMAGED = { isRetryable: false, errorType: 'DAMAGED', errorMessage: 'The file is damaged.' };
const FORGIVING = { 'on-service-error': 'warn', 'wait-timeout-minutes': '2' };

describe.concurrent('an asset that failed for good', () => {
  it('is never forgiven, even if the service says nothing about it', async ({ gate }) => {
    const fails = { isRetryable: false, errorType: null, errorMessage: null };
    const scenario = { assetOnlyWhenComplete: true, files: [{ match: 'one-', fails }] };
    const run = await gate({ files: FILES, scenario, inputs: FORGIVING });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'asset-failed', 'assets-failed': '1' });
    expect(run.text).toContain('one.png: The service could not analyse the file: it gave no reason.');
    expect(run.exitCode).toBe(1);
  });

  it('is not forgiven as a timeout, even if its own response cannot be read', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        assetOnlyWhenComplete: true,
        files: [
          { match: 'one-', fails: DAMAGED },
          { match: 'two-', reads: 1_000_000 },
        ],
      },
      inputs: FORGIVING,
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.text).toContain('DAMAGED: The file is damaged');
    expect(run.exitCode).toBe(1);
  });

  it('is reported without the signature of a URL in its message', async ({ gate }) => {
    const errorMessage = 'Could not fetch https://storage.example/a.png?sv=1&sig=c2VjcmV0%3D (409)';
    const run = await gate({
      files: FILES,
      scenario: { files: [{ match: 'one-', fails: { ...DAMAGED, errorMessage } }] },
    });

    expect(run.text).toContain('Could not fetch https://storage.example/a.png?sv=1&sig=*** (409)');
    expect([...run.written.values()].join()).not.toContain('c2VjcmV0');
  });
});
