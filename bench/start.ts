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
  const { ours, bare } = await alternate(rounds, {
    ours: async () => {
      const { startedAt } = await measureGate(folder.path, sink.url, { env: { NODE_OPTIONS: '' } });
      return (await sink.seen()).firstRequest - startedAt;
    },
    bare: async () => (await timed(process.execPath, ['-e', '0'])) * 1000,
  });
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

if (import.meta.main) {
  console.table(await coldStart(ROUNDS));
  const root = fileURLToPath(new URL('../', import.meta.url));
  const scripts = Object.fromEntries(['', ...IMPORTS].map((name) => [name, name && `import ${JSON.stringify(name)}`]));
  const times = await alternate(
    ROUNDS,
    Object.fromEntries(
      Object.entries(scripts).map(([name, code]) => [
        name || 'nothing',
        async () =>
          (await timed('/usr/bin/env', ['-C', root, process.execPath, '--input-type=module', '-e', code])) * 1000,
      ]),
    ),
  );
  const nothing = times['nothing'] ?? Number.NaN;
  console.table(
    Object.entries(times).map(([name, ms]) => ({ import: name, 'ms over nothing': Math.round(ms - nothing) })),
  );
}
