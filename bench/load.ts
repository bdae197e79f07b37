/**
 * The whole step with issues: 100, 1,000 and 10,000 files with five of them each. Time and peak memory must grow in step
 * with the number of files, and no limit of the platform may be passed. Writes the table into docs/reliability.md and the
 * pictures beside it.
 *
 *   node bench/load.ts
 */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { startEmulator } from '../emulator/emulator.ts';
import { growthChart } from './plot.ts';
import { type MeasuredRun, makeFolder, makeImages, measureGate } from './stage.ts';

const STEPS = [100, 1_000, 10_000];
const ISSUES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO', 'INFO'].map((severity) => ({ severity }));
const MIB = 1024 * 1024;
const MAX_ANNOTATIONS = 10;
/** A step may cost a little more than in step: caches are colder, and the collector has more to look at. */
const MAX_GROWTH = 1.5;
const PAGE = new URL('../docs/reliability.md', import.meta.url);
const PICTURES = new URL('../docs/pictures/', import.meta.url);

interface Load {
  readonly files: number;
  readonly seconds: number;
  readonly peakMB: number;
  readonly summaryBytes: number;
  readonly annotations: string;
}

async function measure(files: number): Promise<Load> {
  await using folder = await makeFolder();
  await makeImages(folder.path, files, 1_000);
  const emulator = await startEmulator();
  try {
    const service = emulator.workspace({ scenario: { default: { issues: ISSUES } } });
    const inputs = { 'api-key': service.key, 'fail-on-severity': 'never' };
    const run = await measureGate(folder.path, emulator.baseUrl, { inputs });
    assertWithinLimits(run, files);
    const { seconds, peakMB, summary, annotations } = run;
    const levels = ['error', 'warning', 'notice'].map(
      (level) => annotations.filter((each) => each.level === level).length,
    );
    return { files, seconds, peakMB, summaryBytes: Buffer.byteLength(summary), annotations: levels.join(' + ') };
  } finally {
    await emulator.close();
  }
}

function assertWithinLimits({ outputs, summary, annotations }: MeasuredRun, files: number): void {
  const problems = [
    outputs['issue-count'] === String(files * ISSUES.length) ? '' : `issue-count is ${outputs['issue-count']}`,
    Buffer.byteLength(summary) < MIB ? '' : 'the summary is over 1 MiB',
    Buffer.byteLength(JSON.stringify(outputs)) < MIB ? '' : 'the outputs are over 1 MiB',
    ...['error', 'warning', 'notice'].map((level) =>
      annotations.filter((each) => each.level === level).length <= MAX_ANNOTATIONS ? '' : `too many of level ${level}`,
    ),
  ].filter(Boolean);
  if (problems.length > 0) throw new Error(`${files} files: ${problems.join(', ')}.`);
}

/** How much more a file costs at a step than at the one before it. */
function growthOf(value: (load: Load) => number, loads: readonly Load[]): number {
  const [before, last] = loads.slice(-2);
  if (!before || !last) return Number.NaN;
  return value(last) / last.files / (value(before) / before.files);
}

const loads: Load[] = [];
for (const files of STEPS) {
  const load = await measure(files);
  console.log(load);
  loads.push(load);
}
await writeTable();
await plot('load-time', 'Files with five issues each', 'seconds', ({ seconds }) => seconds);
await plot('load-memory', 'Peak memory, five issues each', 'MB', ({ peakMB }) => peakMB);
for (const [what, growth] of [
  ['time', growthOf(({ seconds }) => seconds, loads)],
  ['memory', growthOf(({ peakMB }) => peakMB, loads)],
] as const) {
  console.log(`${what} for a file, by that of the step before: ${growth.toFixed(2)} (at most ${MAX_GROWTH})`);
  if (growth > MAX_GROWTH) process.exitCode = 1;
}

async function plot(name: string, title: string, unit: string, value: (load: Load) => number): Promise<void> {
  const points = loads.map((load) => [load.files, value(load)] as const);
  await writeFile(new URL(`${name}.svg`, PICTURES), growthChart({ title, unit, series: [{ name, points }] }));
}

async function writeTable(): Promise<void> {
  const rows = loads.map(({ files, seconds, peakMB, summaryBytes, annotations }) =>
    [
      files.toLocaleString('en'),
      (files * ISSUES.length).toLocaleString('en'),
      `${seconds.toFixed(1)} s`,
      `${((seconds / files) * 1000).toFixed(1)} ms`,
      `${peakMB.toFixed(0)} MB`,
      `${(summaryBytes / 1024).toFixed(0)} KiB`,
      annotations,
    ].join(' | '),
  );
  const [cpu] = os.cpus();
  const table = [
    '| files | issues | time | for each file | peak memory | summary | annotations (error + warning + notice) |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
    `${os.cpus().length} × ${cpu?.model ?? os.arch()}, Node ${process.versions.node}; the emulator takes its share of the same processors.`,
  ].join('\n');
  const page = await readFile(PAGE, 'utf8');
  await writeFile(
    PAGE,
    page.replace(/(<!-- load: node bench\/load\.ts -->\n)[^]*(\n<!-- \/load -->)/, `$1\n${table}\n$2`),
  );
}
