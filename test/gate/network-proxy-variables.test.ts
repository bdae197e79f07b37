import { describe, expect } from 'vitest';
import { makeCertificate } from '../harness/certificate.ts';
import { it as base } from '../harness/fixtures.ts';
import { startFront, storageAt } from '../harness/front.ts';
import { mp4, png } from '../harness/media.ts';
import { startProxy } from '../harness/proxy.ts';

/** One file for each kind of upload. */
const FILES = { 'small.png': png('small'), 'large.mp4': mp4('large', 10_000_001) };
/** The host of each client. Artifacts have two: the client of the service, and the one of its storage. */
const HOSTS = ['service.test', 'storage.test', 'github.test', 'results.test', 'blobs.test'];

const it = base
  .extend('certificate', { scope: 'file' }, async () => await makeCertificate())
  /**
   * Runs the gate in a world of https, in which every client can reach its host directly and through the proxy. In the
   * variables, `{proxy}` is the proxy's `host:port`, and `{port}` the port of the host in the same entry.
   */
  .extend(
    'runWith',
    ({ gate, emulator, certificate, makeFolder, startGitHub, startArtifacts, end }) =>
      async (variables: Readonly<Record<string, string>>) => {
        const ports = new Map<string, string>();
        const secure = async (host: string, target: string, fault = storageAt('')) => {
          const { url } = await end(startFront(target, { certificate, fault }));
          ports.set(host, new URL(url).port);
          return url.replace('localhost', host);
        };
        const artifacts = await startArtifacts();
        const github = await startGitHub({ artifacts: artifacts.artifacts, archives: artifacts.archives });
        const results = artifacts.envOf('42')['ACTIONS_RESULTS_URL'] ?? '';
        const storageUrl = await secure('storage.test', emulator.storageUrl, () => undefined);
        const blobsUrl = await secure('blobs.test', results, () => undefined);
        const baseUrl = await secure('service.test', emulator.baseUrl, storageAt(storageUrl));
        const apiUrl = await secure('github.test', github.url, () => undefined);
        const resultsUrl = await secure('results.test', results, () => (body) => body.replace(results, blobsUrl));
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
            NODE_EXTRA_CA_CERTS: `${await makeFolder({ 'ca.pem': certificate })}/ca.pem`,
            NODE_OPTIONS: `--import=${new URL('../harness/local-names.mjs', import.meta.url).href}`,
            ...Object.fromEntries(filled),
          },
        });
        const proxied = new Set(proxy.targets.map((target) => target.replace(/:\d+$/, '')));
        return { run, proxied: HOSTS.filter((host) => proxied.has(host)), saved: artifacts.created.length };
      },
  );

const each = (form: (host: string) => string, separator = ','): string => HOSTS.map(form).join(separator);
const PROXY = { HTTPS_PROXY: 'http://{proxy}' };
const [ALL, NONE]: readonly string[][] = [HOSTS, []];

// biome-ignore format: a table
describe.concurrent('service, storage, GitHub and artifacts read the variables alike', () => {
  it.for<[string, Readonly<Record<string, string>>, readonly string[] | undefined]>([
    ['an address', PROXY, ALL],
    ['an address without http://', { https_proxy: '{proxy}' }, ALL],
    ['credentials', { HTTPS_PROXY: 'robot:s3cret@{proxy}' }, ALL],
    ['a blank lower-case variable', { https_proxy: ' ', ...PROXY }, ALL],
    ['only blank ones', { https_proxy: ' ', HTTPS_PROXY: '' }, NONE],
    ['only HTTP_PROXY and ALL_PROXY',
      { HTTP_PROXY: 'http://{proxy}', http_proxy: 'http://{proxy}', ALL_PROXY: 'http://{proxy}' }, NONE],
    ['lower case first', { https_proxy: 'http://{proxy}', HTTPS_PROXY: 'http://127.0.0.1:1' }, ALL],
    ['NO_PROXY: host', { ...PROXY, NO_PROXY: each((host) => host) }, NONE],
    ['NO_PROXY: .host', { ...PROXY, NO_PROXY: each((host) => `.${host}`) }, NONE],
    ['NO_PROXY: *.host', { ...PROXY, NO_PROXY: each((host) => `*.${host}`) }, NONE],
    ['NO_PROXY: host:port', { ...PROXY, NO_PROXY: each((host) => `${host}:{port}`) }, NONE],
    // The client that stores artifacts ignores ports, so its host is not among these.
    ['NO_PROXY: another port', { ...PROXY, NO_PROXY: 'service.test:1,storage.test:1,github.test:1,results.test:1' }, ALL],
    ['NO_PROXY: domain', { ...PROXY, NO_PROXY: 'test' }, NONE],
    ['NO_PROXY: .domain', { ...PROXY, NO_PROXY: '.test' }, NONE],
    ['NO_PROXY: *.domain', { ...PROXY, NO_PROXY: '*.test' }, NONE],
    ['NO_PROXY: *', { ...PROXY, NO_PROXY: 'elsewhere.example, *' }, NONE],
    ['NO_PROXY: upper case, and spaces between', { ...PROXY, no_proxy: each((host) => host.toUpperCase(), ' ') }, NONE],
    ['NO_PROXY: blank', { ...PROXY, no_proxy: ' ', NO_PROXY: 'test' }, NONE],
    ['NO_PROXY: a part of a name', { ...PROXY, NO_PROXY: each((host) => host.slice(1)) }, ALL],
    ['NO_PROXY: a range of addresses counts for none', { ...PROXY, NO_PROXY: '127.0.0.0/8' }, ALL],
  ])('%s', async ([, variables, expected], { runWith }) => {
    const { run, proxied, saved } = await runWith(variables);
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '2' });
    expect(run.warnings).toBe('');
    expect(saved).toBeGreaterThan(1);
    expect(proxied).toEqual(expected);
    expect(run.text).not.toContain('s3cret');
  });
});

it('an address that is none ends the run before anything is sent', async ({ runWith }) => {
  const { run, proxied } = await runWith({ HTTPS_PROXY: 'socks5://robot:s3cret@{proxy}' });
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
  expect(run.readableSummary).toMatch(
    /HTTPS_PROXY is not the address of an HTTP proxy.*such as `http:\S+proxy\.example:3128`/s,
  );
  expect(run.service.requests).toEqual([]);
  expect(proxied).toEqual([]);
  expect(run.text).not.toContain('s3cret');
});
