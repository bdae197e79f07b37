import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { expectCase } from './expect-case.ts';
import { quickStart, readQuickStart } from './quick-start.ts';

it('the quick start of README fails on a CRITICAL issue, passes with a waiver, and pays for no file twice', async () => {
  const emulator = await startEmulator();
  try {
    const { workflow } = await readQuickStart();
    expect(workflow).toContain('your-org/media-compliance-gate@v0');
    await expectCase(emulator, await quickStart(), { workflow });
  } finally {
    await emulator.close();
  }
});
