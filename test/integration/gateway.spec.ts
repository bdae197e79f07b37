import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { images, mp4 } from '../harness/media.ts';

/** The limit of nginx is as many times faster as the action's clock. */
const CLOCK_FACTOR = 5;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** The nginx of this machine as a gateway in front of `target`. `location` has the directives for every request. */
async function startNginx(target: string, location: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-nginx-'));
  const port = await freePort();
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    path.join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http {
       access_log off; ${folders.join(' ')}
       limit_req_zone $binary_remote_addr zone=all:1m rate=${2 * CLOCK_FACTOR}r/s;
       server { listen 127.0.0.1:${port}; location / { ${location} proxy_pass ${target}; } }
     }`,
  );
  const env = { PATH: `${process.env['PATH']}:/usr/sbin` };
  const nginx = spawn('nginx', ['-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'error.log')], { env });
  const ended = once(nginx, 'exit');
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(url).catch(() => undefined)) === undefined) await Promise.race([sleep(50), ended]);
  return {
    url,
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const it = base.extend(
  'startGateway',
  ({ emulator, end }) =>
    async (location: string) =>
      await end(startNginx(emulator.baseUrl, location)),
);

it('with a limit of 2 requests a second, 12 files pass in one run', async ({ gate, startGateway }) => {
  // By default nginx responds with 503, after which no creation is repeated.
  const gateway = await startGateway('limit_req zone=all; limit_req_status 429;');
  const names = Array.from({ length: 12 }, (_, index) => `file-${index}`);
  const run = await gate({ files: images(...names), baseUrl: gateway.url, clockFactor: CLOCK_FACTOR });
  expect(run.log).toContain('429');
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'assets-submitted': '12' });
  expect(run.count('submissions/create')).toBe(1);
});

it('a limit of 1 MB for a body sends a larger file to storage', async ({ gate, startGateway }) => {
  const gateway = await startGateway('');
  const run = await gate({ files: { 'film.mp4': mp4('film', 9_000_000) }, baseUrl: gateway.url, clockFactor: 1 });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass' });
  expect([run.count('uploads/direct'), run.count('storage/put')]).toEqual([0, 1]);
});
