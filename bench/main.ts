/**
 * Measures everything and writes the table in bench/README.md, or prints one measurement.
 *
 *   npm run bench [-- [start | unchanged | upload | find] [rounds]]
 */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { assertFreshDist } from '../scripts/build.ts';
import { discovery } from './discovery.ts';
import type { Comparison } from './stage.ts';
import { coldStart } from './start.ts';
import { unchangedRun } from './unchanged.ts';
import { uploads } from './uploads.ts';

const README = fileURLToPath(new URL('./README.md', import.meta.url));
const HEAD = ['what', 'ours', 'beside', 'theirs', 'ours by theirs', 'goal', ''];

const MEASUREMENTS: Readonly<Record<string, (rounds: number) => Promise<readonly Comparison[]>>> = {
  start: coldStart,
  unchanged: unchangedRun,
  upload: uploads,
  find: discovery,
};

const args = process.argv.slice(2);
const name = args[0] !== undefined && args[0] in MEASUREMENTS ? args.shift() : undefined;
const [roundsText = '3', ...rest] = args;
const rounds = Number(roundsText);
if (!Number.isInteger(rounds) || rounds < 1 || rest.length > 0) {
  console.error(`Usage: npm run bench [-- [${Object.keys(MEASUREMENTS).join(' | ')}] [rounds]], with 1 round or more`);
  process.exit(2);
}
await assertFreshDist();
const before = formatLoad();
const rows: string[] = [HEAD, HEAD.map(() => '---')].map(formatRow);
for (const [each, measure] of Object.entries(MEASUREMENTS)) {
  if (name !== undefined && each !== name) continue;
  const measured = (await measure(rounds)).map((comparison) => formatRow(cellsOf(comparison)));
  for (const row of measured) console.log(row);
  rows.push(...measured);
}
if (name === undefined) await writeTable(rows);

function cellsOf({ what, ours, beside, theirs, maxTimes, maxOver }: Comparison): readonly string[] {
  const [times, over] = [ours / theirs, ours - theirs];
  const isMet = maxOver === undefined ? times <= (maxTimes ?? 1) : over <= maxOver;
  const [ratio, goal] =
    maxOver === undefined
      ? [`${times.toFixed(2)} ×`, `≤ ${maxTimes ?? 1} ×`]
      : [`${over.toFixed(0)} ms over`, `≤ ${maxOver} ms over`];
  return [what, `${ours.toFixed(0)} ms`, beside, `${theirs.toFixed(0)} ms`, ratio, goal, isMet ? 'met' : '**missed**'];
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function formatLoad(): string {
  return os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}

async function writeTable(table: readonly string[]): Promise<void> {
  const [cpu] = os.cpus();
  const machine = `${os.cpus().length} × ${cpu?.model ?? os.arch()}, ${os.type()} ${os.arch()}, Node ${process.versions.node}`;
  const load = `Load (1, 5, 15 min) before: ${before}; after: ${formatLoad()}`;
  const text = await readFile(README, 'utf8');
  await writeFile(
    README,
    text.replace(
      /(<!-- table: npm run bench -->\n)[\s\S]*(\n<!-- \/table -->)/,
      (_, start, end) => `${start}\n${machine}. ${load}. Medians of ${rounds} rounds.\n\n${table.join('\n')}\n${end}`,
    ),
  );
}
