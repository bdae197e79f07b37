import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { startFront } from '../harness/front.ts';

it('a service that stored fewer bytes than were sent: nothing is submitted', async ({ gate, emulator, end }) => {
  const front = await end(
    startFront(emulator.baseUrl, {
      edit: (_, json) => ('sizeBytes' in json ? { ...json, sizeBytes: 1 } : undefined),
    }),
  );
  const run = await gate({ baseUrl: front.url });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'refused', 'files-submitted': '0' });
  expect(run.log).toContain('The service stored 1 bytes of a file of 71');
  expect(run.count('submissions/create')).toBe(0);
});
