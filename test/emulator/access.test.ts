import { expect } from 'vitest';
import { callerOf, it } from './caller.ts';

const ID = '00000000-0000-4000-8000-000000000000';

it.for([
  ['POST', '/uploads/url', 'upload'],
  ['POST', '/uploads/direct', 'upload'],
  ['POST', '/submissions', 'submission_write'],
  ['GET', '/submissions/ID', 'submission_read'],
  ['GET', '/submissions/ID/assets/ID', 'submission_read'],
  ['GET', '/submissions/ID/assets/ID/issues', 'submission_read'],
  ['GET', '/submissions/ID/assets/ID/topics', 'submission_read'],
  ['POST', '/submissions/ID/assets/ID/retry', 'submission_write'],
  ['GET', '/submissions/ID/versions', 'submission_read'],
  ['POST', '/sandbox/events/fire', 'sandbox'],
] as const)(
  '%s %s needs a key, and counts in the bucket %s',
  async ([method, template, bucket], { emulator, setUp }) => {
    const path = template.replaceAll('ID', ID);
    for (const key of [undefined, `sk_live_${'a'.repeat(64)}`])
      expect((await callerOf(emulator, key).send(method, path)).status).toBe(401);
    const { caller } = setUp({ scenario: { rateLimits: { [bucket]: { limit: 0, perSeconds: 9 } } } });
    const { status, json, headers } = await caller.send(method, path);
    expect([status, json, headers.get('retry-after')]).toEqual([429, { error: expect.stringMatching(/./) }, '9']);
    expect((await caller.send('DELETE', path)).status).toBe(404);
  },
);

it('a plan without access is a 402 with the bucket', async ({ setUp }) => {
  const { caller } = setUp({ scenario: { faults: [{ on: 'uploads/url', status: 402 }] } });
  const body = { error_code: 'tier_not_authorized_for_integrations_api', bucket: 'upload' };
  expect(await caller.post('/uploads/url')).toMatchObject({ status: 402, json: body });
});
