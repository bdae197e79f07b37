/**
 * How long it takes until the first request, and what each import costs.
 *
 *   node bench/start.ts
 */

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { isMain } from '../scripts/is-main.ts';
import { makeAuthority } from '../test/harness/certificate.ts';
import { png } from '../test/harness/media.ts';
import { alternate, type Folder, makeFolder, measureGate, type Row, type Sink, startSink, timed } from './stage.ts';

const ROUNDS = 15;
const IMPORTS = [
  'node:crypto',
  'node:https',
  'valibot',
  'minimatch',
  'file-type',
  'undici',
  '@actions/core',
  '@actions/github',
  '@actions/artifact',
];

/** As on a fresh runner: nothing is compiled yet. */
const COLD = { NODE_OPTIONS: '', NODE_DISABLE_COMPILE_CACHE: '1' };

/** From the start of the process to the first request that the other side sees. */
export async function coldStart(rounds: number): Promise<readonly Row[]> {
  await using folder = await makeFolder();
  await using tools = await makeFolder();
  await using sink = await startSink();
  await using front = await startTlsFront(sink, tools);
  await writeFile(path.join(folder.path, 'a.png'), png('a'));
  const usual = await bundleUsual(tools);
  const [ours = Number.NaN, secure = Number.NaN, theirs = Number.NaN, bare = Number.NaN] = await alternate(
    rounds,
    async () => {
      const { startedAt } = await measureGate(folder.path, sink.url, { env: COLD });
      return (await sink.seen()).firstRequest - startedAt;
    },
    async () => {
      const { startedAt } = await measureGate(folder.path, front.url, { env: { ...COLD, ...front.env } });
      // Resets the sink behind it, so that the next run's requests are counted alone.
      await sink.seen();
      return front.firstRequest() - startedAt;
    },
    async () => {
      const startedAt = performance.timeOrigin + performance.now();
      await timed(process.execPath, [usual], { ...COLD, 'INPUT_BASE-URL': sink.url });
      return (await sink.seen()).firstRequest - startedAt;
    },
    async () => (await timed(process.execPath, ['-e', '0'])) * 1000,
  );
  return [
    overBare('start to first request', ours, bare),
    overBare('start to first request over TLS', secure, bare),
    {
      what: 'start to first request',
      ours: `${ours.toFixed(0)} ms`,
      beside: 'an action that imports `@actions/core`, `github` and `artifact`',
      theirs: `${theirs.toFixed(0)} ms`,
      ratio: `${(ours / theirs).toFixed(2)} × its time`,
      goal: '≤ 1 ×',
      isMet: ours <= theirs,
    },
  ];
}

function overBare(what: string, ours: number, bare: number): Row {
  const over = ours - bare;
  return {
    what,
    ours: `${ours.toFixed(0)} ms`,
    beside: '`node -e 0`',
    theirs: `${bare.toFixed(0)} ms`,
    ratio: `${over.toFixed(0)} ms over it`,
    goal: '≤ 100 ms over',
    isMet: over <= 100,
  };
}

interface TlsFront extends AsyncDisposable {
  readonly url: string;
  /** What lets a process trust it. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the last run, in epoch milliseconds. */
  firstRequest(): number;
}

/** TLS before the sink, as before every real service. */
async function startTlsFront(sink: Sink, folder: Folder): Promise<TlsFront> {
  const authority = makeAuthority();
  const ca = path.join(folder.path, 'ca.pem');
  await writeFile(ca, authority.caPem);
  let first = 0;
  const server = https.createServer(authority.issueFor('localhost'), (request, response) => {
    first ||= performance.timeOrigin + performance.now();
    const { method, headers } = request;
    const onward = http.request(new URL(request.url ?? '/', sink.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `https://localhost:${port}`,
    env: { NODE_EXTRA_CA_CERTS: ca },
    firstRequest: () => {
      const seen = first;
      first = 0;
      return seen;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @returns the path of the bundle */
async function bundleUsual(folder: Folder): Promise<string> {
  const input = fileURLToPath(new URL('./usual-action.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node', onLog: () => undefined });
  const dir = path.join(folder.path, 'usual');
  await bundle.write({ dir, format: 'cjs', minify: 'dce-only', entryFileNames: 'index.cjs' });
  return path.join(dir, 'index.cjs');
}

/** @returns milliseconds over a Node that imports nothing */
async function importCosts(): Promise<Readonly<Record<string, number>>> {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const load = (code: string) => async () =>
    (await timed('/usr/bin/env', ['-C', root, process.execPath, '--input-type=module', '-e', code])) * 1000;
  const [nothing = Number.NaN, ...costs] = await alternate(
    ROUNDS,
    ...['', ...IMPORTS.map((name) => `import ${JSON.stringify(name)}`)].map(load),
  );
  return Object.fromEntries(IMPORTS.map((name, index) => [name, Math.round((costs[index] ?? Number.NaN) - nothing)]));
}

if (isMain(import.meta.url)) {
  console.table(await coldStart(ROUNDS));
  console.table(await importCosts());
}
