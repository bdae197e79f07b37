import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Calendar } from '../../src/lib/clock.ts';

const HOUR_MS = 3_600_000;

it.for<[string, hours: number, warning: string]>([
  ['is right', 0, ''],
  ['is half an hour off', 0.5, ''],
  ['is behind', 20 * 24, 'is 480 hours behind the clock of GitHub'],
  ['is ahead', -8 * 24, 'is 192 hours ahead of the clock of GitHub'],
  ['is almost ten years behind', 3_652 * 24, 'behind the clock of GitHub'],
])('a machine whose clock %s', ([, hours, warning]) => {
  const warnings: string[] = [];
  const calendar = new Calendar((text) => void warnings.push(text));
  const machineMs = calendar.now().date.getTime();
  calendar.compare('GitHub', undefined);
  calendar.compare('GitHub', 'yesterday');
  // No server is more than ten years off, and no date may be too late to be written.
  for (const days of [3_654, -3_654, 6_570_000, 99_000_000])
    calendar.compare('a broken server', new Date(machineMs + days * 24 * HOUR_MS).toUTCString());
  const serverMs = machineMs + hours * HOUR_MS;
  calendar.compare('GitHub', new Date(serverMs).toUTCString());
  // Only the first response counts.
  calendar.compare('the service', new Date(0).toUTCString());
  const { date, earliest, latest } = calendar.now();
  const expected = warning === '' ? [machineMs, machineMs, machineMs] : [serverMs, ...[machineMs, serverMs].toSorted()];
  const seconds = [date, earliest, latest].map((each, index) => (each.getTime() - (expected[index] ?? 0)) / 1000);
  expect(seconds.map(Math.round)).toEqual([0, 0, 0].map((zero) => expect.closeTo(zero, -1)));
  expect(warnings.join()).toContain(warning);
  expect(warnings).toHaveLength(warning === '' ? 0 : 1);
});

it('no other module of src/ reads the time', async () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = (await readdir(src, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map(async (name) => [name, await readFile(path.join(src, name), 'utf8')]));
  const reading = texts.filter(([, text = '']) => /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/.test(text));
  const names = reading.map(([name = '']) => name.replaceAll(path.sep, '/'));
  expect(names.filter((name) => !name.startsWith('report/page/'))).toEqual(['lib/clock.ts']);
});
