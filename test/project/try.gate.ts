import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { bundleFile } from '../harness/action-process.ts';
import { it } from '../harness/fixtures.ts';
import { mp4, pdf, png } from '../harness/media.ts';

const TRY = fileURLToPath(new URL('../../scripts/try/main.ts', import.meta.url));

it('npm run try prints what stops the check, and uses its state file', async ({ makeFolder }) => {
  const here = await makeFolder({ 'media/a.png': png('a'), 'media/b.pdf': pdf('b'), 'media/c.mp4': mp4('c') });
  const args = ['media', '--scenario', 'mixed', '--state-file', 's.json'];
  const { status, stdout } = await tryIt(args, { INIT_CWD: here, TMPDIR: await makeFolder() });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^(.*all findings are invented\.\n)[^]*\n\1$/);
  expect(stdout).toMatch(/^Uploading 3 files$/m);
  expect(stdout).toMatch(/^❌ FAIL: c\.mp4: .+\n\nc\.mp4: CRITICAL HEALTH-02/m);
  expect(stdout).not.toMatch(/\[1\/3\]|b\.pdf|^::|sk_live_/m);
  const [, report = ''] = /^Report: (file:.+)$/m.exec(stdout) ?? [];
  expect(existsSync(new URL(report))).toBe(true);
  expect(stdout).toContain(`State: ${path.join(here, 's.json')} (written because of --state-file)`);
  expect(stdout).toMatch(/The verdict is fail, so the step ends with exit status 1, as it would on GitHub\.$/m);

  const again = await tryIt([...args, '--verbose'], { INIT_CWD: here, TMPDIR: await makeFolder() });
  expect(again.stdout).toMatch(/^Error: .*CRITICAL[^]*^0 billed, 3 reused, verdict fail$[^]*What to do: /m);
  expect(again.stdout).not.toMatch(/^::|sk_live_/m);
});

it('npm run try sends nothing in a dry run, whatever the environment of a runner says', async ({ makeFolder }) => {
  const files = { 'media/a.png': png('a'), 'media/copy.png': png('a'), 'b.pdf': pdf('b'), 'c.ai': '%PDF-1.7 c' };
  const folder = await makeFolder({ ...files, 'empty.png': '' });
  const env = { 'INPUT_DRY-RUN': 'false', GITHUB_WORKSPACE: '/nowhere', TMPDIR: await makeFolder() };
  const { status, stdout } = await tryIt([folder], env);
  expect(stdout).toMatch(/NOT CHECKED: .* A real run would stop: empty\.png: The file is empty\.\n\nempty\.png: /);
  expect(stdout.match(/^\S+ +(?:document|image|media)\b.*$/gm)).toEqual([
    expect.stringMatching(/^b\.pdf {11}document, \d+ bytes {2}would be sent: new$/),
    expect.stringMatching(/^media\/a\.png {5}image, \d+ bytes {5}would be sent: new$/),
    expect.stringMatching(/^media\/copy\.png {2}image, /),
    expect.stringMatching(/^c\.ai {12}media {15}not selected, so not checked$/),
  ]);
  expect(status).toBe(0);
});

/** The script keeps its report, so `env` names a TMPDIR that the test removes. */
async function tryIt(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { INIT_CWD: _, ...own } = process.env;
  const environment = { ...own, GATE_BUNDLE: await bundleFile(), NO_COLOR: '1', ...env };
  return await new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [TRY, ...args], { env: environment }, (error, stdout, stderr) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
