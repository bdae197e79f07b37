import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

it('prints what a person needs, and its lines work as they are', async () => {
  const child = spawn(process.execPath, ['emulator/main.ts', '--scenario', 'everything-is-bad']);
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

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
