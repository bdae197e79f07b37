import { describe, expect } from 'vitest';
import type { Trouble } from '../harness/artifact-service.ts';
import { CRITICAL } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { it } from './states.ts';

const MAIN = '1'.repeat(40);

describe.concurrent('an artifact name that is taken', () => {
  it('by earlier attempts is replaced, however often', async ({ startRepository, workspaces: { one } }) => {
    const world = await startRepository({ scenario: { default: { fails: { isRetryable: false } } } });
    for (const attempt of [1, 2, 3, 4]) {
      const run = await world.push({ branch: 'main', commit: MAIN, runId: '71', workspace: one, attempt });
      expect(run.sent, run.log).toEqual(['a.png']);
      expect(run.warnings, run.log).not.toContain('could not be saved');
    }
  });

  it.for<[string, readonly string[], Trouble]>([
    ['it can be replaced', ['a', 'b', 'c'], () => undefined],
    ['a deleted name stays taken', ['a', 'b'], (step) => (step === 'DeleteArtifact' ? 'lingers' : undefined)],
  ])('by earlier attempts loses nothing: %s', async ([, files, trouble], { startRepository, makeFolder }) => {
    const world = await startRepository({ scenario: CRITICAL, trouble });
    for (const [index, file] of files.entries()) {
      const workspace = await makeFolder(images(...files.slice(0, index + 1)));
      const run = await world.push({ branch: 'main', commit: MAIN, runId: '71', attempt: index + 1, workspace });
      expect(run.sent, run.log).toEqual([`${file}.png`]);
    }
    const next = await world.push({ branch: 'main', workspace: await makeFolder(images(...files)) });
    const outputs = { verdict: 'fail', 'critical-count': `${files.length}`, 'files-submitted': '0' };
    expect(next.outputs, next.log).toMatchObject(outputs);
  });
});
