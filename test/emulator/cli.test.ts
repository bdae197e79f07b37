import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
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

function field(name: string, json: string): string | undefined {
  return new RegExp(`"${name}":"([^"]+)"`).exec(json)?.[1];
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

it('sends events to its subscribers', async () => {
  const { until } = start('--subscriber', 'http://127.0.0.1:9/hook');
  const [, base] = await until(/base url +(\S+)/);
  const [, key = ''] = await until(/sandbox key +(\S+)\n/);
  const headers = { 'x-api-key': key };
  const form = new FormData();
  form.append('file', new File(['%PDF-1.7\n'], 'a.pdf', { type: 'application/pdf' }));
  const call = async (path: string, body: FormData | string): Promise<string> => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const init = { method: 'POST', headers: { ...headers, ...type }, body };
    return (await fetch(`${base}/api/integrations${path}`, init)).text();
  };
  const blobPath = field('blobPath', await call('/uploads/direct', form));
  const created = await call('/submissions', JSON.stringify({ assets: [{ blobPath }] }));
  const submissionId = field('submissionId', created);
  const event = JSON.stringify({ eventType: 'asset.processing.completed', submissionId });
  expect(await call('/sandbox/events/fire', event)).toBe('{"dispatched":1}');
});

it('says in its help where scenarios are described', async () => {
  const { child, output } = start('--help');
  expect(await once(child, 'close')).toEqual([0, null]);
  const named = output().match(/\w+\/[\w/.]+/g) ?? [];
  expect(named).toEqual(['emulator/README.md']);
  expect(output()).toContain('all-clear, everything-is-bad, failed-asset, mixed');
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

it.each([
  [['--port', 'x'], /--port takes a port number, not "x"/],
  [['--scenario', 'no/such/file.json'], /no scenario "no\/such\/file.json".* one of all-clear,/],
  [['--scenario', 'package.json'], /package.json: The scenario is not valid/],
  [['--scenario', 'emulator/main.ts'], /emulator\/main.ts: .*JSON/],
  [['--prot', '1'], /--prot/],
])('refuses %j in one sentence', async (args, message) => {
  const { child, output } = start(...args);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output()).toMatch(message);
  expect(output()).not.toMatch(/^ +at /m);
});
