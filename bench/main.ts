/**
 * Measures everything and writes the table in bench/README.md.
 *
 *   npm run bench [-- rounds]
 */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { assertFreshDist } from '../scripts/build.ts';
import { discovery } from './discovery.ts';
import { memory } from './memory.ts';
import { reportPage } from './report.ts';
import type { Row } from './stage.ts';
import { coldStart } from './start.ts';
import { manySmallFiles, oneLargeFile } from './uploads.ts';
import { waiting } from './waiting.ts';

const rounds = Number(process.argv[2] ?? 3);
const README = fileURLToPath(new URL('./README.md', import.meta.url));
const HEAD = ['what', 'ours', 'beside', 'theirs', 'ours by theirs', 'goal', ''];

await assertFreshDist();
const loadBefore = formatLoad();
const rows: Row[] = [];
const benches = [
  () => coldStart(5 * rounds),
  () => oneLargeFile(rounds),
  () => manySmallFiles(rounds),
  () => discovery(rounds),
  async () => waiting(),
  () => memory(),
  () => reportPage(rounds),
];
for (const bench of benches) {
  const measured = await bench();
  rows.push(...measured);
  for (const { what, ours, beside, ratio, goal, isMet } of measured)
    console.log([isMet ? 'met   ' : 'MISSED', what, ours, beside, ratio, goal].join(' | '));
}
await writeTable();

function formatLoad(): string {
  return os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}

async function writeTable(): Promise<void> {
  const [cpu] = os.cpus();
  const ram = `${Math.round(os.totalmem() / 1e9)} GB`;
  const machine = `${os.cpus().length} × ${cpu?.model ?? os.arch()}, ${ram}, ${os.type()} ${os.arch()}, Node ${process.versions.node}`;
  const conditions = `${machine}. Load (1, 5, 15 min) before: ${loadBefore}; after: ${formatLoad()}. Medians of ${rounds} rounds.`;
  const cells = rows.map(({ what, ours, beside, theirs, ratio, goal, isMet }) => [
    what,
    ours,
    beside,
    theirs,
    ratio,
    goal,
    isMet ? 'met' : '**missed**',
  ]);
  const lines = [HEAD, HEAD.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`);
  const text = await readFile(README, 'utf8');
  await writeFile(
    README,
    text.replace(
      /(<!-- table: npm run bench -->\n)[\s\S]*(\n<!-- \/table -->)/,
      (_, start, end) => `${start}\n${[conditions, '', ...lines].join('\n')}\n${end}`,
    ),
  );
}
