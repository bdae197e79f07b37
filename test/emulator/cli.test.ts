import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts the command; `until` resolves with its output as soon as that matches. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, ['emulator/main.ts', ...args]);
  children.push(child);
  let output = '';
  const append = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(output);
      if (match !== null) return match;
      await once(child.stdout, 'data');
    }
  };
  return { child, until, output: () => output };
}

it('prints what a person needs, and its lines work as they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'emulator-'));
  const scenario = join(folder, 'scenario.json');
  await writeFile(scenario, JSON.stringify({ files: [{ match: 'hello', issues: [{ severity: 'CRITICAL' }] }] }));
  const { child, until } = start('--scenario', scenario);
  const [, lines = ''] = await until(/Upload, create, read:\n([^]*?\n)\n/);
  await until(/live key +sk_live_[0-9a-f]{64}\n/);
  await until(/sandbox key +sk_test_/);
  expect(lines.trim().split('\n')).toHaveLength(3);
  const { stdout } = await promisify(execFile)('bash', ['-c', lines]);
  const [upload = '', read = ''] = stdout.split(/(?<=\})(?=\{)/);
  expect(JSON.parse(upload)).toMatchObject({ sizeBytes: 9, contentType: 'application/pdf' });
  expect(JSON.parse(read)).toMatchObject({ status: 'complete', assets: [{ issueCount: 1 }] });
  await until(/service POST \/api\/integrations\/uploads\/direct 201 \d+ ms/);
  await until(/service GET \/api\/integrations\/submissions\/[0-9a-f-]+ 200 \d+ ms/);

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await rm(folder, { recursive: true });
});

it.each([
  [['--scenario', 'no/such/file.json'], /no scenario "no\/such\/file.json".* one of all-clear,/],
  [['--scenario', 'package.json'], /package.json: The scenario is not valid/],
])('refuses %j in one sentence', async (args, message) => {
  const { child, output } = start(...args);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output()).toMatch(message);
  expect(output()).not.toMatch(/^ +at /m);
});
