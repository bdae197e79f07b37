/** From the start of the process to the first request that the server sees, beside Node itself and toolkit actions. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { makeAuthority } from '../test/harness/certificate.ts';
import { startFront } from '../test/harness/front.ts';
import { png } from '../test/harness/media.ts';
import { alternate, type Folder, makeFolder, measureGate, type Row, startSink, timed } from './stage.ts';

/** As on a new runner: no compiled code is cached. */
const COLD = { NODE_OPTIONS: '', NODE_DISABLE_COMPILE_CACHE: '1' };
const MAX_MS_OVER_NODE = 100;

/** What most actions do before their first request: import parts of the toolkit, read an input, call GitHub. */
const TOOLKIT_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['`@actions/core` and `github`', ''],
  ['`@actions/core`, `github` and `glob`', `import * as glob from '@actions/glob'; core.debug(typeof glob.create);`],
  [
    '`@actions/core`, `github` and `artifact`',
    `import artifact from '@actions/artifact'; core.debug(typeof artifact);`,
  ],
]);
const TOOLKIT_ACTION = `import * as core from '@actions/core';
import { getOctokit } from '@actions/github';
void getOctokit('a-token', { baseUrl: core.getInput('base-url') }).request('GET /');
`;

export async function coldStart(rounds: number): Promise<readonly Row[]> {
  await using folder = await makeFolder();
  await using tools = await makeFolder();
  await using sink = await startSink();
  const authority = makeAuthority();
  const ca = path.join(tools.path, 'ca.pem');
  await writeFile(ca, authority.caPem);
  await using secure = await startFront(sink.url, { certificate: authority.issueFor('localhost') });
  await writeFile(path.join(folder.path, 'a.png'), png('a'));
  const bundles: string[] = [];
  for (const code of TOOLKIT_ACTIONS.values()) bundles.push(await bundleAction(code + TOOLKIT_ACTION, tools));

  const gate = (url: string, env: Readonly<Record<string, string>>) => async (): Promise<number> => {
    const { startedAt } = await measureGate(folder.path, url, { env: { ...COLD, ...env } });
    return (await sink.seen()).firstRequest - startedAt;
  };
  const toolkit = (bundle: string) => async (): Promise<number> => {
    const startedAt = performance.timeOrigin + performance.now();
    await timed(process.execPath, [bundle], { ...COLD, 'INPUT_BASE-URL': sink.url });
    return (await sink.seen()).firstRequest - startedAt;
  };
  const [bare = Number.NaN, ours = Number.NaN, overTls = Number.NaN, ...others] = await alternate(
    rounds,
    async () => (await timed(process.execPath, ['-e', '0'])) * 1000,
    gate(sink.url, {}),
    gate(secure.url, { NODE_EXTRA_CA_CERTS: ca }),
    ...bundles.map(toolkit),
  );
  return [
    overNode('start to first request', ours, bare),
    overNode('start to first request, TLS', overTls, bare),
    ...[...TOOLKIT_ACTIONS.keys()].map((name, index) => besideAction(name, ours, others[index] ?? Number.NaN)),
  ];
}

function overNode(what: string, ours: number, bare: number): Row {
  const over = ours - bare;
  return {
    what,
    ours: `${ours.toFixed(0)} ms`,
    beside: '`node -e 0`',
    theirs: `${bare.toFixed(0)} ms`,
    ratio: `${over.toFixed(0)} ms over it`,
    goal: `≤ ${MAX_MS_OVER_NODE} ms over`,
    isMet: over <= MAX_MS_OVER_NODE,
  };
}

function besideAction(name: string, ours: number, theirs: number): Row {
  return {
    what: 'start to first request',
    ours: `${ours.toFixed(0)} ms`,
    beside: `an action with ${name}`,
    theirs: `${theirs.toFixed(0)} ms`,
    ratio: `${(ours / theirs).toFixed(2)} × its time`,
    goal: '≤ 1 ×',
    isMet: ours <= theirs,
  };
}

/** Bundled as ours is. @returns the path of the bundle */
async function bundleAction(code: string, folder: Folder): Promise<string> {
  // Packages are looked for from the path of this file, which need not exist.
  const input = fileURLToPath(new URL('./toolkit-action.js', import.meta.url));
  const bundle = await rolldown({
    input,
    platform: 'node',
    onLog: () => undefined,
    plugins: [
      {
        name: 'toolkit-action',
        resolveId: (id) => (id === input ? input : undefined),
        load: (id) => (id === input ? code : undefined),
      },
    ],
  });
  const dir = await mkdtemp(path.join(folder.path, 'action-'));
  await bundle.write({ dir, format: 'cjs', minify: 'dce-only', entryFileNames: 'index.cjs' });
  return path.join(dir, 'index.cjs');
}
