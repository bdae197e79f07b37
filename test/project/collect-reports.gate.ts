import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import { expect } from 'vitest';
import { renderJson } from '../../src/report/report.ts';
import { aContent, aReport } from '../builders/reports.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/collect-reports.mjs', import.meta.url));
const RUNS = 'https://github.com/acme/campaigns/actions/runs';

it('collect-reports.mjs makes one table of the newest reports', async ({ gate, startGitHub }) => {
  const github = await startGitHub();
  const { artifacts } = github;
  /** Repositories that cannot be read make the script fail, after it has printed the whole table. */
  const collect = async () =>
    await promisify(execFile)(process.execPath, [SCRIPT, 'acme/campaigns', 'acme/private'], {
      env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token },
    }).catch((error: { readonly stdout: string; readonly stderr: string; readonly code: number }) => error);
  const plant = (name: string, json: string, run: { head_repository_id?: number; repository_id?: number } = {}): void =>
    void artifacts.plant(`${name}-report-01234567`, zipSync({ 'report.json': Buffer.from(json) }), { id: 43, ...run });

  await gate({
    files: images('a', 'b'),
    scenario: { files: [{ match: 'a*', issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] }] },
    github,
    artifacts,
  });
  const dryRun = {
    verdict: 'skipped',
    reason: 'dry-run',
    contents: [aContent({ source: 'not sent' })],
  } as const;
  plant('planned', renderJson(aReport({ gate: 'planned' })));
  plant('planned', renderJson(aReport({ gate: 'planned', ...dryRun })));
  // Anyone can have a fork's run upload an artifact of any name.
  for (let count = 0; count < 150; count++) plant('planned', renderJson(aReport()), { head_repository_id: 99 });
  plant('planned', renderJson(aReport()), { head_repository_id: 0, repository_id: 0 });
  // Every text of a report is escaped, also where a number is expected.
  const counts = { bySeverity: { CRITICAL: '2', MAJOR: 0, MINOR: 0, INFO: 0 }, filesMatched: 1, assetsSubmitted: 1 };
  const odd = { gate: '=cmd|"x"\nall;\t@b;"=c', verdict: 'pass', reason: '', counts, run: { url: '+1' } };
  plant('odd', JSON.stringify(odd));
  const { stdout, ...table } = await collect();
  const severities = '"critical","major","minor","info"';
  expect(stdout.split('\n')).toEqual([
    `"repository","gate","verdict","reason",${severities},"files","planned","billed","run","problem"`,
    `"acme/campaigns","media-compliance","fail","issues",1,0,1,0,2,0,2,"${RUNS}/42",""`,
    `"acme/campaigns","planned","skipped","dry-run",0,0,0,0,1,1,0,"${RUNS}/1",""`,
    `"acme/campaigns","'=cmd|""x"" all; '@b;""'=c","pass","","2",0,0,0,1,0,1,"'+1",""`,
    expect.stringMatching(/^"acme\/private",("",){11}"repos.*: 404 /),
    '"all","","","","",0,1,0,4,1,3,"",""',
    '',
  ]);
  expect(table).toMatchObject({ code: 1, stderr: expect.stringMatching(/^acme\/private: .*: 404 /) });
});
