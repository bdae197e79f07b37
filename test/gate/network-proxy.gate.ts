import { generate } from 'selfsigned';
import { describe, expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { type FindFault, startFront, storageAt } from '../harness/front.ts';
import { mp4, png } from '../harness/media.ts';
import { pullRequest } from '../harness/payloads.ts';
import { type ProxyBehaviour, startProxy } from '../harness/proxy.ts';

/** One file for each kind of upload. */
const FILES = { 'small.png': png('small'), 'large.mp4': mp4('large', 10_000_001) };
/** The host of each client. Artifacts have two: the client of the service, and the one of its storage. */
const HOSTS = ['service.test', 'storage.test', 'github.test', 'results.test', 'blobs.test'];

const it = base
  /** A private key and its self-signed certificate, as PEM. */
  .extend('certificate', { scope: 'file' }, async () => {
    const altNames = ['localhost', ...HOSTS].map((value) => ({ type: 2 as const, value }));
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames },
      ],
    });
    return key + cert;
  })
  /** The variable that makes the action trust the certificate. */
  .extend('trust', async ({ certificate, makeFolder }) => ({
    NODE_EXTRA_CA_CERTS: `${await makeFolder({ 'ca.pem': certificate })}/ca.pem`,
  }))
  /** Puts a server behind TLS, and returns its address at localhost. */
  .extend('secure', ({ certificate, end }) => async (target: string, fault: FindFault = () => undefined) => {
    const { url } = await end(startFront(target, { certificate, fault }));
    return url;
  })
  /**
   * Runs the gate in a world of https, in which every client can reach its host directly and through the proxy. In the
   * variables, `{proxy}` is the proxy's `host:port`, and `{port}` the port of the host in the same entry.
   */
  .extend(
    'runWith',
    ({ gate, emulator, trust, secure, startGitHub, end }) =>
      async (variables: Readonly<Record<string, string>>) => {
        const ports = new Map<string, string>();
        const place = async (host: string, target: string, fault?: FindFault) => {
          const url = await secure(target, fault);
          ports.set(host, new URL(url).port);
          return url.replace('localhost', host);
        };
        const github = await startGitHub();
        const { artifacts } = github;
        const results = github.url;
        const storageUrl = await place('storage.test', emulator.storageUrl);
        const blobsUrl = await place('blobs.test', results);
        const baseUrl = await place('service.test', emulator.baseUrl, storageAt(storageUrl));
        const apiUrl = await place('github.test', github.url);
        const resultsUrl = await place('results.test', results, () => (body) => body.replace(results, blobsUrl));
        const places = Object.fromEntries([...ports].map(([host, port]) => [host, `http://127.0.0.1:${port}`]));
        const proxy = await end(startProxy('works', places));
        const filled = Object.entries(variables).map(([name, value]) => [
          name,
          value
            .replace('{proxy}', new URL(proxy.url).host)
            .replaceAll(/([\w.]+):\{port\}/g, (_, host) => `${host}:${ports.get(host)}`),
        ]);
        const run = await gate({
          files: FILES,
          baseUrl,
          github: { ...github, url: apiUrl },
          artifacts: { envOf: (runId) => ({ ...artifacts.envOf(runId), ACTIONS_RESULTS_URL: resultsUrl }) },
          env: {
            ...trust,
            NODE_OPTIONS: `--import=${new URL('../harness/local-names.mjs', import.meta.url).href}`,
            ...Object.fromEntries(filled),
          },
        });
        const proxied = new Set(proxy.targets.map((target) => target.replace(/:\d+$/, '')));
        return { run, proxied: HOSTS.filter((host) => proxied.has(host)), saved: artifacts.created.length };
      },
  );

const each = (form: (host: string) => string): string => HOSTS.map(form).join();
const PROXY = { HTTPS_PROXY: 'http://{proxy}' };
const [ALL, NONE]: readonly string[][] = [HOSTS, []];
/** The client that stores artifacts ignores ports, so its host is not among these. */
const OTHER_PORTS = HOSTS.slice(0, -1)
  .map((host) => `${host}:1`)
  .join();

describe.concurrent('service, storage, GitHub and artifacts read the variables alike', () => {
  it.for<[string, Readonly<Record<string, string>>, readonly string[] | undefined]>([
    ['an address', PROXY, ALL],
    ['NO_PROXY: *.host', { ...PROXY, NO_PROXY: each((host) => `*.${host}`) }, NONE],
    ['NO_PROXY: host:port', { ...PROXY, NO_PROXY: each((host) => `${host}:{port}`) }, NONE],
    ['NO_PROXY: another port', { ...PROXY, NO_PROXY: OTHER_PORTS }, ALL],
    ['NO_PROXY: *', { ...PROXY, NO_PROXY: 'elsewhere.example, *' }, NONE],
  ])('%s', async ([, variables, expected], { runWith }) => {
    const { run, proxied, saved } = await runWith(variables);
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '2' });
    expect(run.warnings).toBe('');
    expect(saved).toBeGreaterThan(1);
    expect(proxied).toEqual(expected);
  });
});

describe.concurrent('over https', () => {
  it('certificates are checked, even with NODE_TLS_REJECT_UNAUTHORIZED', async ({
    gate,
    emulator,
    trust,
    secure,
    startGitHub,
  }) => {
    const asked: string[] = [];
    const { url, token } = await startGitHub();
    const github = { url: await secure(url, (request) => void asked.push(request)), token };
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const run = await gate({ baseUrl: await secure(emulator.baseUrl), env });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(run.text).toMatch(/the TLS connection failed \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/s);
    expect(run.service.requests).toEqual([]);
    // The certificate is for localhost, not for this address.
    const baseUrl = (await secure(emulator.baseUrl)).replace('localhost', '127.0.0.1');
    const other = await gate({ baseUrl, env: { ...env, ...trust } });
    expect([other.outputs['reason'], other.service.requests]).toEqual(['bad-input', []]);
    const files = { '.git/HEAD': '', ...FILES };
    await gate({ files, github, event: pullRequest(), inputs: { 'only-changed': 'true' }, env });
    expect(asked).toEqual([]);
  });

  it('storage that refuses behind a proxy is named without the credentials of the proxy', async ({
    gate,
    emulator,
    trust,
    secure,
    end,
  }) => {
    const body = '<Error><Code>SignatureDoesNotMatch</Code></Error>';
    const storage = await secure(emulator.storageUrl, () => ({ status: 403, body }));
    const baseUrl = await secure(emulator.baseUrl, storageAt('https://storage.test'));
    const proxy = await end(startProxy('works', { 'storage.test': storage }));
    const env = { ...trust, HTTPS_PROXY: proxy.url.replace('://', '://robot:s3cret@'), NO_PROXY: 'localhost' };
    const run = await gate({ files: FILES, baseUrl, env });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(run.readableSummary).toContain(
      'The storage storage.test responded with 403 while storing the file: SignatureDoesNotMatch',
    );
    expect(run.text).not.toContain('s3cret');
  });

  it.for<[ProxyBehaviour, 'bad-input' | 'github', RegExp]>([
    ['requires credentials', 'bad-input', /the proxy responded with 407.*add them to the address in `HTTPS_PROXY`/s],
    ['forbids', 'github', /the proxy responded with 403.*allow this address, or add the host to `NO_PROXY`/s],
  ])('a proxy that %s ends the run on the way to the first host: %s', async (row, { gate, startArtifacts, end }) => {
    const [behaviour, reason, says] = row;
    const proxy = await end(startProxy(behaviour));
    const github = { url: 'https://api.github.invalid', token: 'ghs_token' };
    const run = await gate({
      baseUrl: 'https://service.example',
      ...(reason === 'github' && { github, artifacts: await startArtifacts() }),
      env: { HTTPS_PROXY: proxy.url },
    });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason });
    expect(run.readableSummary).toMatch(says);
    expect(run.service.requests).toEqual([]);
  });
});
