/**
 * How long it takes until the first request, and what each import costs.
 *
 *   node bench/start.ts
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { png } from '../test/gate/media.ts';
import { alternate, makeFolder, measureGate, type Row, startSink, timed } from './stage.ts';

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

/** From the start of the process to the first request that the service sees, beside a Node that does nothing. */
export async function coldStart(rounds: number): Promise<readonly Row[]> {
  await using folder = await makeFolder();
  await using sink = await startSink();
  await writeFile(path.join(folder.path, 'a.png'), png('a'));
  const [ours = Number.NaN, bare = Number.NaN] = await alternate(
    rounds,
    async () => {
      const { startedAt } = await measureGate(folder.path, sink.url, { env: { NODE_OPTIONS: '' } });
      return (await sink.seen()).firstRequest - startedAt;
    },
    async () => (await timed(process.execPath, ['-e', '0'])) * 1000,
  );
  const over = ours - bare;
  return [
    {
      what: 'start to first request',
      ours: `${ours.toFixed(0)} ms`,
      beside: '`node -e 0`',
      theirs: `${bare.toFixed(0)} ms`,
      ratio: `${over.toFixed(0)} ms over it`,
      goal: '≤ 60 ms over',
      isMet: over <= 60,
    },
  ];
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

if (import.meta.main) {
  console.table(await coldStart(ROUNDS));
  console.table(await importCosts());
}
