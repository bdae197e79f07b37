import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

describe('a runner that stops reading the log', () => {
  it.each([/^1 file to check/, /^Submission .* created/])(
    'does not make the next run send the files again: %s',
    async (after) => {
      await using workspace = await makeWorkspace({ 'a.png': png('a') });
      const service = emulator.workspace({ scenario: {}, mode: 'live' });
      const inputs = { 'state-file': path.join(workspace.path, 'state.json'), files: '*.png' };
      const first = await runAction({ service, workspace: workspace.path, inputs, closesOutputAfter: after });
      expect(first.outputs).toMatchObject({ verdict: 'pass', 'state-file': inputs['state-file'] });
      expect(first.exitCode).toBe(0);
      const second = await runAction({ service, workspace: workspace.path, inputs });
      expect(second.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
      expect(service.submissions).toHaveLength(1);
    },
  );
});
