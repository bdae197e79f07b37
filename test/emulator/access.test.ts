import { expect } from 'vitest';
import { it, ServiceRequester } from './caller.ts';

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
] as const)('%s %s needs a key, and counts in the bucket %s', async ([method, template, bucket], { emulator }) => {
  const path = template.replaceAll('ID', ID);
  for (const key of [undefined, { key: `sk_live_${'a'.repeat(64)}` }])
    expect((await new ServiceRequester(emulator, key).send(method, path)).status).toBe(401);
  const workspace = emulator.workspace({ scenario: { rateLimits: { [bucket]: { limit: 0, perSeconds: 9 } } } });
  const caller = new ServiceRequester(emulator, workspace);
  const { status, json, headers } = await caller.send(method, path);
  expect([status, json, headers.get('retry-after')]).toEqual([429, { error: expect.stringMatching(/./) }, '9']);
  expect((await caller.send('DELETE', path)).status).toBe(404);
  expect((await caller.send(method, `${path}/`)).status).toBe(404);
});

it('the interface has two prefixes', async ({ emulator }) => {
  const { key } = emulator.workspace();
  const statusOf = async (prefix: string): Promise<number> =>
    (await fetch(`${emulator.baseUrl}/api${prefix}/submissions/1`, { headers: { 'x-api-key': key } })).status;
  expect([await statusOf('/integrations'), await statusOf('/v1/integrations')]).toEqual([422, 422]);
  expect(await statusOf('/v2/integrations')).toBe(404);
});

it('a plan without access is a 402 with the bucket', async ({ setUp }) => {
  const { caller } = setUp({ scenario: { faults: [{ on: 'uploads/url', status: 402 }] } });
  const body = { error_code: 'tier_not_authorized_for_integrations_api', bucket: 'upload' };
  expect(await caller.post('/uploads/url')).toMatchObject({ status: 402, json: body });
});
