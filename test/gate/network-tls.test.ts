import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { type Certificate, makeAuthority } from '../harness/certificate.ts';
import { type Front, startFront, storageAt } from '../harness/front.ts';
import { mp4, png } from '../harness/media.ts';
import { type ProxyManners, startProxy } from '../harness/proxy.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
let storage: Front;
let service: Front;
let impostor: Front;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let certificate: Certificate;
let trust: { readonly NODE_EXTRA_CA_CERTS: string };

beforeAll(async () => {
  const authority = makeAuthority();
  certificate = authority.issueFor('localhost');
  emulator = await startEmulator();
  storage = await startFront(emulator.storageUrl, { certificate });
  service = await startFront(emulator.baseUrl, { certificate, edit: storageAt(emulator.storageUrl, storage.url) });
  impostor = await startFront(emulator.baseUrl, { certificate: authority.issueFor('elsewhere.example') });
  workspace = await makeWorkspace({ 'small.png': png('small'), 'large.mp4': mp4('large', 10_000_001) });
  const caFile = path.join(workspace.path, 'private-authority.pem');
  await writeFile(caFile, authority.caPem);
  trust = { NODE_EXTRA_CA_CERTS: caFile };
});
afterAll(async () => {
  await Promise.all([service, storage, impostor].map(async (front) => await front[Symbol.asyncDispose]()));
  await Promise.all([emulator.close(), workspace.remove()]);
});

describe.concurrent('over https', () => {
  it('a private authority in NODE_EXTRA_CA_CERTS is trusted, for the service and the storage', async () => {
    const run = await runAction({ emulator, workspace: workspace.path, baseUrl: service.url, env: trust });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
  });

  it('without it the run fails at once, sends nothing, and the message names the variable', async () => {
    const run = await runAction({ emulator, workspace: workspace.path, baseUrl: service.url, clockFactor: 1 });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(/the TLS connection failed \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\).*NODE_EXTRA_CA_CERTS/s);
    expect(run.service.requests).toEqual([]);
  });

  it('a certificate of another host is refused', async () => {
    const run = await runAction({
      emulator,
      workspace: workspace.path,
      baseUrl: impostor.url,
      env: trust,
      clockFactor: 1,
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID.*issued for this host/s);
    expect(run.service.requests).toEqual([]);
  });

  it.each([['HTTPS_PROXY'], ['https_proxy']])('%s: every connection uses a tunnel of the proxy', async (name) => {
    await using proxy = await startProxy();
    await using ownStorage = await startFront(emulator.storageUrl, { certificate });
    await using ownService = await startFront(emulator.baseUrl, {
      certificate,
      edit: storageAt(emulator.storageUrl, ownStorage.url),
    });
    const env = { ...trust, [name]: proxy.url };
    const run = await runAction({ emulator, workspace: workspace.path, baseUrl: ownService.url, env });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.count('storage/put')).toBe(1);
    const ports = [...ownService.clientPorts, ...ownStorage.clientPorts];
    expect(ports.length).toBeGreaterThan(1);
    expect(ports.filter((port) => !proxy.ways.has(port))).toEqual([]);
    expect(new Set(proxy.asked)).toEqual(new Set([ownService.url, ownStorage.url].map((url) => new URL(url).host)));
  });

  it('NO_PROXY and HTTP_PROXY: nothing goes through a tunnel', async () => {
    await using proxy = await startProxy();
    const base = { workspace: workspace.path, baseUrl: service.url };
    const excepted = await runAction({
      emulator,
      ...base,
      env: { ...trust, HTTPS_PROXY: proxy.url, NO_PROXY: 'localhost' },
    });
    const plainOnly = await runAction({ emulator, ...base, env: { ...trust, HTTP_PROXY: proxy.url } });

    expect(excepted.outputs['verdict']).toBe('pass');
    expect(plainOnly.outputs['verdict']).toBe('pass');
    expect(proxy.asked).toEqual([]);
  });

  it.each<[ProxyManners, RegExp]>([
    ['asks for credentials', /the proxy answered 407.*Add them to the address in `HTTPS_PROXY`/s],
    ['forbids', /the proxy answered 403.*Ask the administrator of the proxy/s],
    ['never answers', /could not be reached while .*: no connection for \d+ s/],
  ])('a proxy that %s: an error with that message', async (manners, says) => {
    await using proxy = await startProxy(manners);
    const env = { ...trust, HTTPS_PROXY: proxy.url };
    const run = await runAction({ emulator, workspace: workspace.path, baseUrl: service.url, env });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(says);
    expect(run.service.requests).toEqual([]);
  });
});

it('a server that speaks plain http at an https address', async () => {
  const baseUrl = emulator.baseUrl.replace('http://127.0.0.1', 'https://localhost');
  const run = await runAction({ emulator, workspace: workspace.path, baseUrl });

  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
  expect(run.text).toMatch(/the TLS connection failed/);
});
