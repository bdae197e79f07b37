import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

it('the emulator prints commands that work as they are, like the commands in its README', async () => {
  const child = spawn(process.execPath, ['emulator/main.ts', '--scenario', 'mixed']);
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(output);
      if (match !== null) return match;
      await once(child.stdout, 'data');
    }
  };
  const [, lines = ''] = await until(/Upload, create, read:\n([^]*?\n)\n/);
  await until(/live key +sk_live_[0-9a-f]{64}\nsandbox key +sk_test_/);
  expect(lines.trim().split('\n')).toHaveLength(3);
  const { stdout } = await promisify(execFile)('bash', ['-c', lines]);
  const [upload = '', read = ''] = stdout.split(/(?<=\})(?=\{)/);
  expect(JSON.parse(upload)).toMatchObject({ sizeBytes: 9, contentType: 'application/pdf' });
  expect(JSON.parse(read)).toMatchObject({ status: 'complete', assets: [{ issueCount: 1 }] });
  await until(/service GET \/api\/integrations\/submissions\/[0-9a-f-]+ 200 \d+ ms/);

  const [baseUrl = '', key] = [/base url +(\S+)/, /live key +(\S+)/].map((pattern) => pattern.exec(output)?.[1]);
  const [, control = ''] = /^```sh\n(curl [^]*?)^```$/m.exec(await readFile('emulator/README.md', 'utf8')) ?? [];
  const requests = control.replaceAll('http://127.0.0.1:4010', baseUrl).replace('HEALTH-02', 'EVIDENCE-01');
  const env = { ...process.env, KEY: key, ID: JSON.parse(read).submissionId };
  const responses = await promisify(execFile)('bash', ['-c', requests.replaceAll('curl ', 'curl -s ')], { env });
  expect(responses.stdout).toBe('{}{}{}');

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
