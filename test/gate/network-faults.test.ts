import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { startBreakingConnection } from '../harness/broken-connection.ts';
import { makeAuthority } from '../harness/certificate.ts';
import { startFront } from '../harness/front.ts';
import { png } from '../harness/media.ts';
import { startProxy } from '../harness/proxy.ts';
import { runAction } from '../harness/run-action.ts';
import { startTlsRelay } from '../harness/tls-relay.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'a.png': png('a') });
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

/** Changes one byte of the first record, behind its head of five bytes. */
function damagedRecord(bytes: Buffer): Buffer {
  const damaged = Buffer.from(bytes);
  damaged.writeUInt8(damaged.readUInt8(9) ^ 0xff, 9);
  return damaged;
}

describe.concurrent('TLS that fails after the creation was received: it is not repeated', () => {
  /** A fatal alert (internal error) that is not encrypted. */
  const ALERT = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x50]);

  it.each<[string, (bytes: Buffer) => Buffer, string?]>([
    ['a damaged record', damagedRecord],
    ['a damaged record behind a proxy', damagedRecord, 'HTTPS_PROXY'],
    ['an alert', () => ALERT],
    ['plain text in the stream', () => Buffer.from('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')],
  ])('%s', async (_, damage, proxyVariable) => {
    const authority = makeAuthority();
    await using ca = await makeWorkspace({ 'ca.pem': authority.caPem });
    await using front = await startFront(emulator.baseUrl, {
      certificate: authority.issueFor('localhost'),
      // Called when the service has created the submission and is about to answer.
      edit: (requestPath) => {
        if (requestPath.endsWith('/submissions')) relay.damageNext(damage);
        return undefined;
      },
    });
    await using relay = await startTlsRelay(front.url);
    await using proxy = await startProxy();
    const run = await runAction({
      emulator,
      workspace: workspace.path,
      baseUrl: relay.url,
      env: {
        NODE_EXTRA_CA_CERTS: path.join(ca.path, 'ca.pem'),
        ...(proxyVariable !== undefined && { [proxyVariable]: proxy.url }),
      },
    });

    expect(proxy.asked.length > 0).toBe(proxyVariable !== undefined);
    expect(run.count('submissions/create')).toBe(1);
    expect(run.service.submissions).toHaveLength(1);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(
      /It may exist and be billed\..*did not answer while creating the submission: the TLS connection failed \(ERR_SSL_.*a submission with 1 asset, created/s,
    );
  });
});

describe.concurrent('a response has a limit', () => {
  it('in time: a response that drips is given up', async () => {
    const run = await runAction({
      emulator,
      workspace: workspace.path,
      scenario: { faults: [{ on: 'submissions/read', drip: { bytes: 1, everyMs: 50 } }] },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(/did not answer while reading the submission: the response was not complete after \d+ s/);
  });

  it('in size: the message says so', async () => {
    const run = await runAction({
      emulator,
      workspace: workspace.path,
      scenario: { faults: [{ on: 'submissions/read', huge: 20_000_000 }] },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.text).toContain('could not be read: it is larger than 16 MB');
  });
});

describe.concurrent('a mistake in `base-url`', () => {
  it.each(['error', 'warn'])('an unknown host name always fails: on-service-error %s', async (mode) => {
    await using connection = await startBreakingConnection(emulator.baseUrl, 'unknown host', undefined);
    const run = await runAction({
      emulator,
      workspace: workspace.path,
      baseUrl: connection.url,
      env: connection.env,
      inputs: { 'on-service-error': mode },
    });

    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(run.text).toContain('the host name localhost does not exist');
    expect(run.text).toContain('This is probably a typing error in `base-url`');
    expect(run.text).not.toContain('set `on-service-error: warn`');
    // Two short pauses, and then it is reported.
    expect(run.log.match(/trying again in 1 s/g)).toHaveLength(1);
    expect(run.log).not.toMatch(/trying again in ([2-9]|\d\d)/);
  });

  it('an address that is not the service is named as the mistake', async () => {
    const run = await runAction({ emulator, workspace: workspace.path, baseUrl: `${emulator.baseUrl}/elsewhere` });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(run.text).toContain("Set `base-url` to the service's own address");
  });
});

it('a 402 shows the service’s own message and the bucket', async () => {
  const run = await runAction({
    emulator,
    workspace: workspace.path,
    scenario: { faults: [{ on: 'uploads/direct', status: 402 }] },
  });

  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'plan' });
  expect(run.text).toMatch(/The plan of this workspace does not include.*kind of request: upload/s);
});
