import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { mp4 } from '../harness/media.ts';
import { callerOf } from './caller.ts';

it('the emulator prints its address, keys and requests, and the commands of its README work', async () => {
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
  const [, key = ''] = await until(/live key +(sk_live_[0-9a-f]{64})\nsandbox key +sk_test_/);
  const [, baseUrl = ''] = await until(/base url +(\S+)/);
  const caller = callerOf({ baseUrl }, key);
  const blobPath = await caller.upload('film.mp4', mp4('film', 200), 'video/mp4');
  const { json } = await caller.post('/submissions', { assets: [{ blobPath }] });
  await until(/service POST \/api\/integrations\/submissions 201 \d+ ms/);

  const [, control = ''] = /^```sh\n(curl [^]*?)^```$/m.exec(await readFile('emulator/README.md', 'utf8')) ?? [];
  const requests = control.replaceAll('http://127.0.0.1:4010', baseUrl);
  const env = { ...process.env, KEY: key, ID: json.submissionId };
  const responses = await promisify(execFile)('bash', ['-c', requests.replaceAll('curl ', 'curl -s ')], { env });
  expect(responses.stdout).toBe('{}{}{}');

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
