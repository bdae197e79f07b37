import { afterEach, expect, vi } from 'vitest';
import { type Findings, nothingFound } from '../../src/findings.ts';
import { readContext } from '../../src/github/context.ts';
import type { Runner } from '../../src/github/runner.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import { publish } from '../../src/publish/publish.ts';
import type { Report } from '../../src/report/report.ts';
import { aCause, aReport } from '../builders/reports.ts';
import { recordRunner } from '../builders/runners.ts';
import { connect } from '../harness/connect.ts';
import { it as base } from '../harness/fixtures.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const CAUSE = aCause({ reason: 'no-files', message: 'Nothing matches.', steps: [] });
const RUN_URL = 'https://github.com/acme/ads/actions/runs/42';

/** Publishes a report at a runner with artifacts, outside a pull request. */
const it = base.extend(
  'publishReport',
  ({ startArtifacts, startGitHub, makeFolder }) =>
    async (report: Report, found: Partial<Findings> = {}, faults: Partial<Runner> = {}, reportArtifact = true) => {
      const { artifacts, envOf } = await startArtifacts();
      for (const [name, value] of Object.entries(envOf('42'))) vi.stubEnv(name, value);
      // The artifact client writes every step to the log.
      vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      const workspace = await makeFolder();
      const place = { workspace, searchRoot: workspace, temp: await makeFolder(), runUrl: RUN_URL };
      const { runner, ...recorded } = recordRunner();
      await publish(report, {
        found: { ...nothingFound(), ...found },
        inputs: { ...readInputs(() => '', workspace).inputs, reportArtifact },
        runner: { ...runner, hasArtifacts: true, ...faults },
        github: connect(await startGitHub()),
        context: { ...readContext({}), ...place },
      });
      return { ...recorded, names: artifacts.map(({ name }) => name) };
    },
);

it('a summary that cannot be written is a warning, and the outputs are set', async ({ publishReport }) => {
  const { lines, outputs } = await publishReport(
    aReport(),
    {},
    { writeSummary: () => Promise.reject(new Error('full')) },
  );
  expect(lines.join()).toContain('Could not write the job summary');
  expect(outputs.get('verdict')).toBe('pass');
});

it.for([
  ['to two artifacts', true, true, 2],
  ['to none if that is turned off', false, true, 0],
  ['to none without artifacts', true, false, 0],
] as const)('the report goes %s', async ([, reportArtifact, hasArtifacts, expected], { publishReport }) => {
  const { names } = await publishReport(aReport(), {}, { hasArtifacts }, reportArtifact);
  expect(names).toHaveLength(expected);
});

it('a cancelled run uploads nothing, and shows what it has', async ({ publishReport }) => {
  const report = aReport({ verdict: 'fail', headline: 'It is bad.' });
  const { names, shown, failures } = await publishReport(report, { isCancelled: true });
  expect([names, shown.length, failures]).toEqual([[], 1, ['FAIL: It is bad.']]);
});

it.for([true, false])('a skip that is expected: %s: has no annotation', async (isExpected, { publishReport }) => {
  const report = aReport({ verdict: 'skipped', causes: [CAUSE] });
  const { shown, failures } = await publishReport(report, { skipped: { cause: CAUSE, isExpected } });
  expect([shown.slice(2), failures]).toEqual([isExpected ? [] : [CAUSE.message], []]);
});
