import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptCases } from '../../deep/fuzz/kept.ts';
import { TARGETS } from '../../deep/fuzz/targets.ts';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

describe('what fuzzing found once', async () => {
  it.each(await keptCases())('%s', async (_, kept) => {
    const target = TARGETS.find(({ name }) => name === kept.target);
    expect(target, kept.target).toBeDefined();
    if (!target) return;
    await using stage = await target.open(emulator);
    await stage.play(JSON.stringify(kept.case));
  });
});
