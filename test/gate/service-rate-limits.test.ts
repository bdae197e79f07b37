import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { makeWorkspace } from './gate.ts';
import { png } from './media.ts';
import { tryGate } from './trial.ts';

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  const names = Array.from({ length: 8 }, (_, index) => `file-${index}`);
  workspace = await makeWorkspace(Object.fromEntries(names.map((name) => [`${name}.png`, png(name)])));
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

describe('a rate limit', () => {
  it('stops every worker until its time has passed', async () => {
    const run = await tryGate(emulator, {
      workspace: workspace.path,
      scenario: { rateLimits: { upload: { limit: 3, perSeconds: 2, retryAfter: 2 } } },
      // The workers that were let through have more to send.
      inputs: { 'upload-concurrency': '4' },
      clockFactor: 1,
    });

    expect(run.outputs['verdict']).toBe('pass');
    const uploads = run.service.requests.filter(({ endpoint }) => endpoint === 'uploads/direct');
    const limits = uploads.filter(({ status }) => status === 429);
    expect(limits.length).toBeGreaterThan(0);
    for (const { endedAt = 0 } of limits) {
      // What was under way already does not count; nothing else is begun.
      const tooSoon = uploads.filter(({ at }) => at > endedAt + 50 && at < endedAt + 1950);
      expect(tooSoon).toEqual([]);
    }
  });

  it.each([
    ['nonsense', 'soon'],
    ['negative', '-1'],
    ['empty', ''],
    ['a date', 'Wed, 21 Oct 2026 07:28:00 GMT'],
  ])('whose end is %s is waited out all the same', async (_, retryAfter) => {
    const run = await tryGate(emulator, {
      workspace: workspace.path,
      scenario: {
        faults: [
          { on: 'uploads/direct', nth: [1, 8], status: 429, headers: { 'retry-after': retryAfter } },
          { on: 'submissions/create', nth: [1, 2], status: 429, headers: { 'retry-after': retryAfter } },
          { on: 'submissions/read', nth: [1, 2], status: 429, headers: { 'retry-after': retryAfter } },
        ],
      },
    });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.service.submissions).toHaveLength(1);
  });

  it.each(['1801', '999999999999'])(
    'that lasts %s s is not waited for where there is less time',
    async (retryAfter) => {
      const run = await tryGate(emulator, {
        workspace: workspace.path,
        scenario: { faults: [{ on: 'submissions/create', status: 429, headers: { 'retry-after': retryAfter } }] },
        inputs: { 'wait-timeout-minutes': '30' },
        clockFactor: 1,
      });

      expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
      expect(run.count('submissions/create')).toBe(1);
      expect(run.text).toContain('Re-run later, lower `upload-concurrency`');
    },
  );

  it('of creations does not hold up anything else', async () => {
    const run = await tryGate(emulator, {
      workspace: workspace.path,
      scenario: {
        files: [
          { match: 'file-0-', fails: { times: 1 } },
          { match: 'file-1-', nullIssueCountReads: 4 },
        ],
        faults: [{ on: 'assets/retry', nth: 1, status: 429, headers: { 'retry-after': '20' } }],
      },
    });

    expect(run.outputs['verdict']).toBe('pass');
    const [refused, accepted] = run.service.requests.filter(({ endpoint }) => endpoint === 'assets/retry');
    const between = run.service.requests.filter(
      ({ endpoint, at }) => endpoint === 'assets/read' && at >= (refused?.at ?? 0) && at < (accepted?.at ?? 0),
    );
    expect(between.length).toBeGreaterThan(0);
  });
});
