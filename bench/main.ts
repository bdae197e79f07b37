/**
 * Everything that is measured, in one table; writes it into bench/README.md, and the pictures beside it.
 *
 *   npm run bench [-- rounds]
 */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { discovery } from './discovery.ts';
import { type Growth, growth, growthRows } from './growth.ts';
import { hashing } from './hashing.ts';
import { thinLink } from './link.ts';
import { barChart, growthChart } from './plot.ts';
import { reportPage } from './report.ts';
import { manyResults } from './results.ts';
import { secondRun } from './second-run.ts';
import type { Row } from './stage.ts';
import { coldStart } from './start.ts';
import { manySmallFiles, mixedFiles, oneLargeFile } from './uploads.ts';
import { compareSchedules, waiting } from './waiting.ts';

const rounds = Number(process.argv[2] ?? 5);
const README = fileURLToPath(new URL('./README.md', import.meta.url));
const PICTURES = new URL('../docs/pictures/', import.meta.url);

const before = load();
const rows: Row[] = [];
const benches = [
  () => oneLargeFile(rounds),
  () => manySmallFiles(rounds),
  () => mixedFiles(rounds),
  () => thinLink(2),
  () => discovery(rounds),
  () => hashing(rounds),
  () => coldStart(3 * rounds),
  () => secondRun(rounds),
  () => manyResults(),
  () => reportPage(rounds),
  async () => waiting(),
];
for (const bench of benches) {
  const more = await bench();
  rows.push(...more);
  for (const { what, beside, ratio, goal, isMet } of more)
    console.log(`${isMet ? 'met   ' : 'MISSED'} ${what} | ${beside} | ${ratio} | ${goal}`);
}
await plotWaiting();
rows.push(...growthRows(await plotGrowth()));
await writeTable();

function load(): string {
  return os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}

async function writeTable(): Promise<void> {
  const [cpu] = os.cpus();
  const memory = `${Math.round(os.totalmem() / 1e9)} GB`;
  const machine = `${os.cpus().length} × ${cpu?.model ?? os.arch()}, ${memory}, ${os.type()} ${os.arch()}, Node ${process.versions.node}`;
  const facts = `${machine}. Load (1, 5, 15 min) before: ${before}; after: ${load()}. Medians of ${rounds} rounds, taking turns.`;
  const head =
    '| what | ours | beside | theirs | ours by theirs | goal | |\n| --- | --- | --- | --- | --- | --- | --- |';
  const lines = rows.map(
    ({ what, ours, beside, theirs, ratio, goal, isMet }) =>
      `| ${what} | ${ours} | ${beside} | ${theirs} | ${ratio} | ${goal} | ${isMet ? 'met' : '**missed**'} |`,
  );
  const table = [facts, '', head, ...lines].join('\n');
  const text = await readFile(README, 'utf8');
  await writeFile(
    README,
    text.replace(/(<!-- table: npm run bench -->\n)[\s\S]*(\n<!-- \/table -->)/, `$1\n${table}\n$2`),
  );
}

async function plotWaiting(): Promise<void> {
  const all = compareSchedules();
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const names = [...new Set(all.map(({ schedule }) => schedule))];
  const series = kinds.map((kind) => ({
    name: kind,
    points: all.filter((row) => row.kind === kind).map(({ lag }, index) => [index, 100 * lag] as const),
  }));
  const title = 'How late the end of an analysis is noticed';
  await writeFile(new URL('waiting.svg', PICTURES), barChart({ title, unit: '% of its duration', series }, names));
}

async function plotGrowth(): Promise<readonly Growth[]> {
  const points = await growth();
  console.table(points);
  const time = points.map(({ files, seconds }) => [files, seconds] as const);
  const memory = points.map(({ files, peakMB }) => [files, peakMB] as const);
  const charts = [
    { name: 'growth-time', title: 'The whole step by number of files', unit: 'seconds', points: time },
    { name: 'growth-memory', title: 'Peak memory by number of files', unit: 'MB', points: memory },
  ];
  for (const { name, title, unit, points: own } of charts)
    await writeFile(new URL(`${name}.svg`, PICTURES), growthChart({ title, unit, series: [{ name, points: own }] }));
  return points;
}
