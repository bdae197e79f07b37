import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { listen } from '../../emulator/server.ts';
import { startGitHub } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

/** Connects to one server for every requested host, through a tunnel or without. */
async function startProxy(target: string): Promise<{ url: string; asked: string[]; close: () => Promise<void> }> {
  const asked: string[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '');
    asked.push(url.host);
    const { method, headers } = incoming;
    const onward = request({ hostname, port, path: url.pathname + url.search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket) => {
    asked.push(incoming.url ?? '');
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const { url, close } = await listen(server);
  return { url, asked, close };
}

it('requests to GitHub go through the proxy, to the API address that the runner sets', async () => {
  const files = [{ status: 'added', filename: 'media/a.png' }];
  await using github = await startGitHub({
    pulls: { 2: { headSha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821', files } },
  });
  const proxy = await startProxy(github.url);
  const workspace = await makeWorkspace({ '.git/HEAD': '', 'media/a.png': png('a'), 'media/b.png': png('b') });
  const run = await runAction({
    event: { name: 'pull_request', payload: payload('pull_request') },
    workspace: workspace.path,
    service: emulator.workspace(),
    github,
    baseUrl: emulator.baseUrl,
    inputs: { 'only-changed': 'true' },
    env: { GITHUB_API_URL: 'http://api.github.invalid', HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' },
  });
  await workspace.remove();
  await proxy.close();
  expect(run.sent).toEqual(['media-a.png']);
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(new Set(proxy.asked.map((host) => host.replace(/:80$/, '')))).toEqual(new Set(['api.github.invalid']));
});
