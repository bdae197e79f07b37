import { describe, expect } from 'vitest';
import { it, ServiceRequester } from './caller.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const ASSET = `/submissions/${ID}/assets/${ID}`;

describe('every endpoint', () => {
  it.for([
    ['POST', '/uploads/url', 'uploads/url', 'upload'],
    ['POST', '/uploads/direct', 'uploads/direct', 'upload'],
    ['POST', '/submissions', 'submissions/create', 'submission_write'],
    ['GET', `/submissions/${ID}`, 'submissions/read', 'submission_read'],
    ['GET', ASSET, 'assets/read', 'submission_read'],
    ['GET', `${ASSET}/issues`, 'assets/issues', 'submission_read'],
    ['GET', `${ASSET}/topics`, 'assets/topics', 'submission_read'],
    ['POST', `${ASSET}/retry`, 'assets/retry', 'submission_write'],
    ['GET', `/submissions/${ID}/versions`, 'submissions/versions', 'submission_read'],
    ['POST', '/sandbox/events/fire', 'sandbox/fire', 'sandbox'],
  ] as const)(
    '%s %s needs a key, has a rate limit and two prefixes',
    async ([method, path, endpoint, bucket], { emulator }) => {
      for (const key of [undefined, { key: `sk_live_${'a'.repeat(64)}` }])
        expect((await new ServiceRequester(emulator, key).send(method, path)).status).toBe(401);

      const workspace = emulator.workspace({ scenario: { rateLimits: { [bucket]: { limit: 0, perSeconds: 9 } } } });
      const { status, json, headers } = await new ServiceRequester(emulator, workspace).send(method, path);
      expect([status, json]).toEqual([429, { error: expect.stringMatching(/./) }]);
      expect(headers.get('retry-after')).toBe('9');

      const ask = async (how: string, where: string): Promise<number> =>
        (await fetch(emulator.baseUrl + where, { method: how, headers: { 'x-api-key': workspace.key } })).status;
      expect(await ask('DELETE', `/api/integrations${path}`)).toBe(404);
      expect(await ask(method, `/api/integrations${path}/`)).toBe(404);
      expect(await ask(method, `/api/v2/integrations${path}`)).toBe(404);
      await ask(method, `/api/v1/integrations${path}`);
      const seen = [endpoint, 'unknown', 'unknown', 'unknown', endpoint];
      expect(workspace.requests.map((request) => request.endpoint)).toEqual(seen);
    },
  );
});

it('a plan without access is a 402 with the bucket', async ({ setUp }) => {
  const { caller } = setUp({ scenario: { faults: [{ on: 'uploads/url', status: 402 }] } });
  const body = { error_code: 'tier_not_authorized_for_integrations_api', bucket: 'upload' };
  expect(await caller.post('/uploads/url')).toMatchObject({ status: 402, json: body });
});
