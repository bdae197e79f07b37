import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

/** Each file whose name begins with `bad` has one CRITICAL issue. */
const BAD = { files: [{ match: 'bad-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
const ONE = ['ok', 'bad-1'];
const TWO = [...ONE, 'bad-2'];
/** A file holds one state: after a run of the same commit there is no baseline. */
const ALL_COUNT = 'fail - bad-1.png bad-2.png';

/** A run, and its verdict with the output `new-issue-count`, or `-` if that is empty. */
interface Run {
  /** The number of the run, and its attempt. */
  readonly run: readonly [id: number, attempt: number];
  readonly event?: 'schedule' | 'pull_request';
  readonly commit: string;
  /** The names of the images. */
  readonly files: readonly string[];
  readonly ends: string;
  readonly endsWithFile?: string;
}

/** A branch with an issue, and then with one more. */
const STORY: readonly Run[] = [
  { run: [51, 1], commit: 'a', files: ONE, ends: 'fail - bad-1.png' },
  { run: [51, 2], commit: 'a', files: ONE, ends: 'fail - bad-1.png' },
  { run: [52, 1], commit: 'b', files: ONE, ends: 'pass 0' },
  { run: [53, 1], commit: 'c', files: TWO, ends: 'fail 1 bad-2.png' },
  { run: [53, 2], commit: 'c', files: TWO, ends: 'fail 1 bad-2.png', endsWithFile: ALL_COUNT },
  { run: [54, 1], event: 'schedule', commit: 'c', files: TWO, ends: 'fail 1 bad-2.png', endsWithFile: ALL_COUNT },
  { run: [56, 1], event: 'pull_request', commit: 'd', files: TWO, ends: 'pass 0' },
  { run: [52, 2], commit: 'b', files: ONE, ends: 'pass 0', endsWithFile: 'fail - bad-1.png' },
];

it.for(['artifacts', 'a file'])(
  'new and known with `fail-on-issues: new`, with state in %s',
  async (place, { startRepository, makeFolder }) => {
    const world = await startRepository({ scenario: BAD });
    const states = place === 'a file' ? await makeFolder() : undefined;
    for (const { run, event = 'push', commit, files, ends, endsWithFile = ends } of STORY) {
      const workspace = await makeFolder(images(...files));
      const stateFile = states && path.join(states, `state-${event === 'pull_request' ? 'pull' : 'main'}.json`);
      // A cache begins the state of a pull request with that of its base branch.
      if (stateFile && event === 'pull_request') await cp(path.join(states, 'state-main.json'), stateFile);
      const inputs = {
        'fail-on-issues': 'new',
        ...(stateFile && { 'state-file': stateFile }),
      };
      const [runId, attempt] = run;
      const options = { commit: commit.repeat(40), runId, attempt, workspace, temp: states, inputs };
      const done =
        event === 'pull_request'
          ? await world.pull({ branch: 'x', base: 'c'.repeat(40), ...options })
          : await world.push({ branch: 'main', event, ...options });
      const { verdict, 'new-issue-count': added } = done.outputs;
      const failing = done.annotations.flatMap(({ level, file }) => (level === 'error' && file ? [file] : []));
      const title = `run ${runId}.${attempt}: `;
      const ended = [verdict, added || '-', ...failing].join(' ');
      expect(title + ended, done.log).toBe(title + (states ? endsWithFile : ends));
      if (added === '') expect(done.summary.split('\n')[0]).not.toMatch(/\bnew\b/);
    }
  },
);
