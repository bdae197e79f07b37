import path from 'node:path';
import { expect } from 'vitest';
import { makeCertificate } from '../harness/certificate.ts';
import { it } from '../harness/fixtures.ts';
import { startFront } from '../harness/front.ts';
import { startRelay } from '../harness/relay.ts';

/** A fatal alert (internal error) that is not encrypted. */
const ALERT = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x50]);

it('a creation is not repeated if TLS fails after the service received it', async ({ gate, makeFolder, emulator }) => {
  const certificate = await makeCertificate();
  const ca = await makeFolder({ 'ca.pem': certificate });
  // The service has created the submission and is about to respond.
  const damageResponse = (body: string): string => {
    relay.replaceNext(ALERT);
    return body;
  };
  await using front = await startFront(emulator.baseUrl, {
    certificate,
    fault: (line) => (line.endsWith('/submissions') ? damageResponse : undefined),
  });
  await using relay = await startRelay(front.url);
  const run = await gate({ baseUrl: relay.url, env: { NODE_EXTRA_CA_CERTS: path.join(ca, 'ca.pem') } });
  expect(run.count('submissions/create')).toBe(1);
  expect(run.service.submissions).toHaveLength(1);
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
  expect(run.text).toMatch(/did not respond while creating the submission: other side closed/);
  expect(run.text).toMatch(/One submission may exist and be billed.*another submission with 1 asset, created/s);
});
