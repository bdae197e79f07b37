import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/collect-reports.mjs', import.meta.url));

it('collect-reports.mjs makes one table of the newest reports', async ({ gate, startGitHub, startArtifacts }) => {
  const artifacts = await startArtifacts();
  const github = await startGitHub({ artifacts: artifacts.artifacts, archives: artifacts.archives });
  const run = async (runId: number, inputs: Readonly<Record<string, string>>) =>
    await gate({
      files: images('a', 'b'),
      scenario: { files: [{ match: 'a*', issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] }] },
      github,
      artifacts,
      runId,
      inputs,
    });
  /** Repositories that cannot be read make the script fail, after it has printed the whole table. */
  const collect = async () =>
    await promisify(execFile)(process.execPath, [SCRIPT, 'acme/campaigns', 'acme/private'], {
      env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token },
    }).catch((error: { readonly stdout: string; readonly stderr: string; readonly code: number }) => error);
  const url = 'https://github.com/acme/campaigns/actions/runs';

  const severities = '"critical","major","minor","info"';
  await run(41, { 'dry-run': 'true', files: 'a.png' });
  const planned = await collect();
  expect(planned.stdout.split('\n')).toEqual([
    `"repository","gate","verdict","reason",${severities},"files","planned","elsewhere","billed","run","problem"`,
    `"acme/campaigns","media-compliance","skipped","dry-run",0,0,0,0,1,1,1,0,"${url}/41",""`,
    expect.stringMatching(/^"acme\/private",("",){12}"repos.*: 404 /),
    '"all","","","",0,0,0,0,1,1,1,0,"",""',
    '',
  ]);
  expect(planned.stderr).toMatch(/^acme\/private: .*: 404 /);
  expect(planned).toMatchObject({ code: 1 });

  await run(42, {});
  await run(43, { name: 'second-gate' });
  expect((await collect()).stdout.split('\n').slice(1)).toEqual([
    `"acme/campaigns","media-compliance","fail","issues",1,0,1,0,2,0,0,2,"${url}/42",""`,
    `"acme/campaigns","second-gate","fail","issues",1,0,1,0,2,0,0,2,"${url}/43",""`,
    expect.stringContaining('"acme/private"'),
    '"all","","","",2,0,2,0,4,0,0,4,"",""',
    '',
  ]);

  // The script ignores artifacts of a fork's run and of an unknown repository, and escapes every text of a report.
  const own = artifacts.artifacts.find(({ name }) => /^second-gate-report-\w+$/.test(name))?.name ?? '';
  const counts = { bySeverity: { CRITICAL: '2' }, filesMatched: 1, assetsSubmitted: 1 };
  const forged = { gate: '=cmd|"x"\nall;\t@b;c', verdict: 'pass', reason: '', counts, run: { url: '+1' } };
  const plant = (report: object, head_repository_id: number, repository_id = 4711): void => {
    const archive = zipSync({ 'report.json': Buffer.from(JSON.stringify(report)) });
    artifacts.plant(own, archive, { id: 44, head_repository_id, repository_id });
  };
  for (let count = 0; count < 150; count++) plant(forged, 99);
  plant(forged, 0, 0);
  expect((await collect()).stdout).toContain('"second-gate","fail"');
  plant(forged, 4711);
  expect((await collect()).stdout).toContain(`"'=cmd|""x"" all;' @b;c","pass","","2","","","",1,0,0,1,"'+1",""\n`);
  plant({ ...forged, padding: ' '.repeat(100_000_001) }, 4711);
  const { stdout, stderr } = await collect();
  expect(stdout).not.toContain('second-gate');
  expect(stderr).toMatch(/^acme\/campaigns: .*larger than/);
  expect(stdout).toMatch(/^"acme\/campaigns",.*larger than/m);
});
