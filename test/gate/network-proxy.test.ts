import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { mp4, png } from '../harness/media.ts';
import { type ProxyManners, startProxy } from '../harness/proxy.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'small.png': png('small'), 'large.mp4': mp4('large', 10_000_001) });
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

describe.concurrent('behind a proxy', () => {
  it.each([['HTTP_PROXY'], ['http_proxy']])(
    '%s: nothing goes around it, to the service or the storage',
    async (name) => {
      await using proxy = await startProxy();
      const run = await runAction({ emulator, workspace: workspace.path, env: { [name]: proxy.url } });

      expect(run.outputs['verdict']).toBe('pass');
      expect(proxy.asked).toHaveLength(run.service.requests.length);
      expect(new Set(proxy.asked)).toEqual(
        new Set([emulator.baseUrl, emulator.storageUrl].map((url) => new URL(url).host)),
      );
    },
  );

  it('an address without a scheme is an http proxy, and only the proxy gets its credentials', async () => {
    await using proxy = await startProxy();
    const address = proxy.url.replace('http://', 'robot:s3cret@');
    const run = await runAction({ emulator, workspace: workspace.path, env: { HTTP_PROXY: address } });

    expect(run.outputs['verdict']).toBe('pass');
    expect(proxy.asked).toHaveLength(run.service.requests.length);
    expect(proxy.credentials).toEqual(new Set([`Basic ${btoa('robot:s3cret')}`]));
    expect(run.text).not.toContain('s3cret');
  });

  it.each([
    ['NO_PROXY', '127.0.0.1'],
    ['no_proxy', 'elsewhere.example, 127.0.0.1'],
    ['NO_PROXY', '*'],
  ])('%s=%s: nothing goes through it', async (name, value) => {
    await using proxy = await startProxy();
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, [name]: value };
    const run = await runAction({ emulator, workspace: workspace.path, env });

    expect(run.outputs['verdict']).toBe('pass');
    expect(proxy.asked).toEqual([]);
  });

  it('HTTPS_PROXY is not used for plain http', async () => {
    await using proxy = await startProxy();
    const run = await runAction({ emulator, workspace: workspace.path, env: { HTTPS_PROXY: proxy.url } });

    expect(run.outputs['verdict']).toBe('pass');
    expect(proxy.asked).toEqual([]);
  });
});

describe.concurrent('a proxy that refuses the connection', () => {
  it.each<[ProxyManners, RegExp]>([
    ['asks for credentials', /the proxy answered 407.*Add them to the address in `HTTPS_PROXY`/s],
    ['never answers', /did not answer while .*: no response for \d+ s/],
  ])('%s: an error with that message', async (manners, says) => {
    await using proxy = await startProxy(manners);
    const run = await runAction({ emulator, workspace: workspace.path, env: { HTTP_PROXY: proxy.url } });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toMatch(says);
    expect(run.service.requests).toEqual([]);
  });

  it('that cannot be reached is named in the message', async () => {
    const gone = await startProxy();
    await gone[Symbol.asyncDispose]();
    const run = await runAction({ emulator, workspace: workspace.path, env: { HTTP_PROXY: gone.url } });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.text).toContain(`ECONNREFUSED ${new URL(gone.url).host}`);
    expect(run.service.requests).toEqual([]);
  });

  it('with an invalid address: nothing is sent, and the variable is named', async () => {
    const env = { HTTP_PROXY: 'ftp://robot:s3cret@proxy.example' };
    const run = await runAction({ emulator, workspace: workspace.path, env });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(run.text).toContain('HTTP_PROXY is not the address of an HTTP proxy');
    expect(run.text).not.toContain('s3cret');
    expect(run.service.requests).toEqual([]);
  });
});
