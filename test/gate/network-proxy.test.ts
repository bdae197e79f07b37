import { describe, expect } from 'vitest';
import { makeCertificate } from '../harness/certificate.ts';
import { it as base } from '../harness/fixtures.ts';
import { startFront, storageAt } from '../harness/front.ts';
import { mp4, png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { type ProxyBehaviour, startProxy } from '../harness/proxy.ts';

/** One file for each kind of upload. */
const FILES = { 'small.png': png('small'), 'large.mp4': mp4('large', 10_000_001) };

const NEEDS_CREDENTIALS = /the proxy responded with 407.*Add them to the address in `HTTPS_PROXY`/s;
const FORBIDS = /the proxy responded with 403.*allow this address, or add the host to `NO_PROXY`/s;

const it = base
  .extend('certificate', { scope: 'file' }, async () => await makeCertificate())
  /** The variable that makes the action trust the certificate. */
  .extend('trust', async ({ certificate, makeFolder }) => ({
    NODE_EXTRA_CA_CERTS: `${await makeFolder({ 'ca.pem': certificate })}/ca.pem`,
  }))
  /** The emulator and its storage behind TLS. */
  .extend('startSecure', ({ emulator, certificate, end }) => async (storageUrl?: string) => {
    const storage = await end(startFront(emulator.storageUrl, { certificate }));
    const fault = storageAt(storageUrl ?? storage.url);
    const service = await end(startFront(emulator.baseUrl, { certificate, fault }));
    return { service, storage };
  });

describe.concurrent('over https', () => {
  it('a certificate of another host is refused at once', async ({ gate, trust, startSecure }) => {
    const { service } = await startSecure();
    const baseUrl = service.url.replace('localhost', '127.0.0.1');
    const run = await gate({ baseUrl, env: trust, clockFactor: 1 });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.service.requests).toEqual([]);
  });

  it('the service and GitHub need a known certificate, even with NODE_TLS_REJECT_UNAUTHORIZED', async ({
    gate,
    certificate,
    startSecure,
    startGitHub,
    end,
  }) => {
    const { service } = await startSecure();
    const asked: string[] = [];
    const { url, token } = await startGitHub();
    const fault = (request: string): undefined => void asked.push(request);
    const github = await end(startFront(url, { certificate, fault }));
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const run = await gate({ baseUrl: service.url, env });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(/the TLS connection failed \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/s);
    expect(run.service.requests).toEqual([]);
    const event = { name: 'pull_request', payload: payload('pull_request') };
    const files = { '.git/HEAD': '', ...FILES };
    await gate({ files, github: { url: github.url, token }, event, inputs: { 'only-changed': 'true' }, env });
    expect(asked).toEqual([]);
  });

  it('every connection goes through HTTPS_PROXY', async ({ gate, trust, startSecure, end }) => {
    const { service, storage } = await startSecure('https://storage.invalid');
    // Only the proxy finds these hosts.
    const places = { 'service.invalid': service.url, 'storage.invalid': storage.url };
    const proxy = await end(startProxy('works', places));
    const env = { ...trust, HTTPS_PROXY: proxy.url };
    const run = await gate({ files: FILES, baseUrl: 'https://service.invalid', env });
    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
  });

  it('storage that refuses behind a proxy is named with the proxy', async ({
    gate,
    certificate,
    emulator,
    trust,
    end,
  }) => {
    const body = '<Error><Code>SignatureDoesNotMatch</Code></Error>';
    const storage = await end(startFront(emulator.storageUrl, { certificate, fault: () => ({ status: 403, body }) }));
    const fault = storageAt('https://storage.invalid');
    const service = await end(startFront(emulator.baseUrl, { certificate, fault }));
    const proxy = await end(startProxy('works', { 'storage.invalid': storage.url }));
    const env = { ...trust, HTTPS_PROXY: proxy.url.replace('://', '://robot:s3cret@'), NO_PROXY: 'localhost' };
    const run = await gate({ files: FILES, baseUrl: service.url, env });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    const place = `storage.invalid (through the proxy ${new URL(proxy.url).host})`;
    expect(run.readableSummary).toContain(
      `The storage ${place} responded with 403 while storing the file: SignatureDoesNotMatch`,
    );
    expect(run.text).not.toContain('s3cret');
  });

  it.for<[ProxyBehaviour, RegExp]>([
    ['requires credentials', NEEDS_CREDENTIALS],
    ['forbids', FORBIDS],
    ['never responds', /did not respond while .*: no connection for 20 s/],
  ])('a proxy that %s ends the run with an error that says so', async ([behaviour, says], { gate, end }) => {
    const proxy = await end(startProxy(behaviour));
    const run = await gate({ baseUrl: 'https://service.example', env: { HTTPS_PROXY: proxy.url } });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(says);
  });

  it.for<[ProxyBehaviour, RegExp]>([
    ['requires credentials', NEEDS_CREDENTIALS],
    ['forbids', FORBIDS],
  ])(
    'a proxy that %s on the way to GitHub is named as well',
    async ([behaviour, says], { gate, startArtifacts, end }) => {
      const proxy = await end(startProxy(behaviour));
      const run = await gate({
        github: { url: 'https://api.github.invalid', token: 'ghs_token' },
        artifacts: await startArtifacts(),
        env: { HTTPS_PROXY: proxy.url },
      });
      expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'github' });
      expect(run.readableSummary).toMatch(says);
      expect(run.service.requests).toEqual([]);
    },
  );
});
