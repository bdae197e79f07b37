import { describe, expect } from 'vitest';
import { type Certificate, makeAuthority } from '../harness/certificate.ts';
import { it as base } from '../harness/fixtures.ts';
import { startFront, storageAt } from '../harness/front.ts';
import { mp4, png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { type ProxyManners, startProxy } from '../harness/proxy.ts';

/** One for each kind of upload. */
const FILES = { 'small.png': png('small'), 'large.mp4': mp4('large', 10_000_001) };

const it = base
  .extend('authority', { scope: 'file' }, () => makeAuthority())
  /** What a gate needs to trust it. */
  .extend('trust', async ({ authority, makeFolder }) => ({
    NODE_EXTRA_CA_CERTS: `${await makeFolder({ 'ca.pem': authority.caPem })}/ca.pem`,
  }))
  /** The emulator and its storage behind TLS. */
  .extend('startSecure', ({ emulator, end }) => async (certificate: Certificate) => {
    const storage = await end(startFront(emulator.storageUrl, { certificate }));
    const edit = storageAt(emulator.storageUrl, storage.url);
    const service = await end(startFront(emulator.baseUrl, { certificate, edit }));
    return { service, storage };
  });

describe.concurrent('over https', () => {
  it('a private authority in NODE_EXTRA_CA_CERTS is trusted, for the service and the storage', async ({
    gate,
    trust,
    authority,
    startSecure,
  }) => {
    const { service } = await startSecure(authority.issueFor('localhost'));
    const run = await gate({ files: FILES, baseUrl: service.url, env: trust });
    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
  });

  it('without it the run fails at once, sends nothing, and the message names the variable', async ({
    gate,
    authority,
    startSecure,
  }) => {
    const { service } = await startSecure(authority.issueFor('localhost'));
    const run = await gate({ baseUrl: service.url, clockFactor: 1 });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(/the TLS connection failed \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\).*NODE_EXTRA_CA_CERTS/s);
    expect(run.service.requests).toEqual([]);
  });

  it('NODE_TLS_REJECT_UNAUTHORIZED has no effect, for the service and for GitHub', async ({
    gate,
    authority,
    startSecure,
    startGitHub,
    end,
  }) => {
    const certificate = authority.issueFor('localhost');
    const { service } = await startSecure(certificate);
    const asked: string[] = [];
    const { url, token } = await startGitHub();
    const fault = (request: string): undefined => void asked.push(request);
    const github = await end(startFront(url, { certificate, fault }));
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const run = await gate({ baseUrl: service.url, env });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toContain('NODE_EXTRA_CA_CERTS');
    expect(run.service.requests).toEqual([]);
    const event = { name: 'pull_request', payload: payload('pull_request') };
    const files = { '.git/HEAD': '', ...FILES };
    await gate({ files, github: { url: github.url, token }, event, inputs: { 'only-changed': 'true' }, env });
    expect(asked).toEqual([]);
  });

  it('a certificate of another host is refused', async ({ gate, trust, authority, startSecure }) => {
    const { service } = await startSecure(authority.issueFor('elsewhere.example'));
    const run = await gate({ baseUrl: service.url, env: trust, clockFactor: 1 });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.service.requests).toEqual([]);
  });

  it('every connection uses a tunnel of HTTPS_PROXY', async ({ gate, trust, authority, startSecure, end }) => {
    const proxy = await end(startProxy());
    const { service, storage } = await startSecure(authority.issueFor('localhost'));
    const run = await gate({ files: FILES, baseUrl: service.url, env: { ...trust, HTTPS_PROXY: proxy.url } });
    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
    const ports = [...service.clientPorts, ...storage.clientPorts];
    expect(ports.length).toBeGreaterThan(1);
    expect(ports.filter((port) => !proxy.ways.has(port))).toEqual([]);
  });

  it.for<[string, object]>([
    ['to a host in NO_PROXY', { NO_PROXY: 'elsewhere.example, localhost' }],
    ['if only HTTP_PROXY is set', { HTTPS_PROXY: '' }],
  ])('nothing goes through a proxy %s', async ([, env], { gate, trust, authority, startSecure, end }) => {
    const proxy = await end(startProxy());
    const { service } = await startSecure(authority.issueFor('localhost'));
    const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    const run = await gate({ files: FILES, baseUrl: service.url, env: { ...trust, ...proxies, ...env } });
    expect(run.outputs['verdict']).toBe('pass');
    expect(proxy.asked).toEqual([]);
  });

  it.for<[ProxyManners, RegExp]>([
    ['asks for credentials', /the proxy responded with 407.*Add them to the address in `HTTPS_PROXY`/s],
    ['never answers', /could not be reached while .*: no connection for 20 s/],
  ])(
    'a proxy that %s: an error with that message',
    async ([manners, says], { gate, trust, authority, startSecure, end }) => {
      const proxy = await end(startProxy(manners));
      const { service } = await startSecure(authority.issueFor('localhost'));
      const run = await gate({ baseUrl: service.url, env: { ...trust, HTTPS_PROXY: proxy.url } });
      expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
      expect(run.text).toMatch(says);
      expect(run.service.requests).toEqual([]);
    },
  );
});

describe.concurrent('over http', () => {
  it('the service is reached without a proxy; GitHub through HTTP_PROXY, which alone gets its credentials', async ({
    gate,
    startGitHub,
    end,
  }) => {
    const changed = Object.keys(FILES).map((filename) => ({ status: 'added', filename }));
    const headSha = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
    const github = await startGitHub({ pulls: { 2: { headSha, files: changed } } });
    // The client of GitHub's API would go around a proxy to this machine.
    const api = 'api.github.invalid';
    const proxy = await end(startProxy('works', { [api]: github.url }));
    const run = await gate({
      files: { '.git/HEAD': '', ...FILES },
      event: { name: 'pull_request', payload: payload('pull_request') },
      github,
      inputs: { 'only-changed': 'true' },
      env: { GITHUB_API_URL: `http://${api}`, HTTP_PROXY: proxy.url.replace('://', '://robot:s3cret@') },
    });
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-matched': '2' });
    expect(proxy.asked.length).toBeGreaterThan(0);
    expect(proxy.asked.filter((host) => !host.startsWith(api))).toEqual([]);
    expect(proxy.credentials).toEqual(new Set([`Basic ${btoa('robot:s3cret')}`]));
    expect(run.text).not.toContain('s3cret');
  });
});
