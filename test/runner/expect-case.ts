import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Emulator, Scenario } from '../../emulator/emulator.ts';
import { type ActRun, ROOT } from './act.ts';
import type { WorkflowCase } from './cases.ts';
import { startHostedRepository } from './hosted-repository.ts';
import { formatGates, formatJobs, formatOtherActions, gatesOf } from './observe.ts';
import { addScriptApi } from './script-api.ts';

/** What the service finds, by the names of files. */
const SCENARIO: Scenario = {
  files: [
    { match: 'claim', issues: [{ severity: 'CRITICAL', ruleCode: 'HEALTH-02' }] },
    { match: 'hero', issues: [{ severity: 'CRITICAL', ruleCode: 'HEALTH-02' }] },
    { match: 'slip', issues: [{ severity: 'MAJOR', ruleCode: 'PRICE-01' }] },
  ],
};

const HEADLINES: Readonly<Record<string, string>> = {
  pass: 'PASS',
  fail: 'FAIL',
  error: 'ERROR',
  skipped: 'NOT CHECKED',
};
const { outputs: declared }: { outputs: object } = parse(readFileSync(`${ROOT}/action.yml`, 'utf8'));
const OUTPUTS = Object.keys(declared).toSorted();

export interface Workflows {
  readonly workflow: string;
  /** For others to call. */
  readonly reusable?: string;
}

/** Runs everything that a case lists, in one repository. */
export async function expectCase(emulator: Emulator, workflowCase: WorkflowCase, workflows: Workflows): Promise<void> {
  await using repository = await startHostedRepository(emulator, {
    ...workflows,
    files: workflowCase.files,
    scenario: SCENARIO,
    vars: { COMPLIANCE_BASE_URL: emulator.baseUrl },
  });
  const effects = addScriptApi(repository);
  for (const { event, start, ...expected } of workflowCase.runs) {
    const before = repository.live.submissions.length + repository.sandbox.submissions.length;
    const run = await repository.run(await start(repository), { args: workflowCase.args ?? [] });
    const otherActions = await formatOtherActions(repository.records, effects);
    const observed = { event, jobs: formatJobs(run), gates: formatGates(run), ...(otherActions && { otherActions }) };
    expect(observed, run.messages.join('\n') + run.log).toEqual({ event, ...expected });
    const submissions = [...repository.live.submissions, ...repository.sandbox.submissions].slice(before);
    expectConsistent(run, submissions.flatMap(({ assets }) => assets).length);
  }
}

/** What holds for every run: the runner shows what the gates have decided, and the service was asked for no more. */
function expectConsistent(run: ActRun, assets: number): void {
  expect(run.exitCode).toBe(run.jobs.some(({ result }) => result === 'failure') ? 1 : 0);
  const gates = gatesOf(run).map(({ values }) => values);
  for (const values of gates) expect(Object.keys(values).toSorted()).toEqual(OUTPUTS);
  const sent = gates.map((values) => Number(values['files-submitted']));
  expect(assets).toBe(sent.reduce((sum, count) => sum + count, 0));
  const shown = run.summaries.map((summary) => /(PASS|FAIL|ERROR|NOT CHECKED|SANDBOX)/.exec(summary)?.[0] ?? summary);
  const decided = gates.map(({ verdict = '', mode }) =>
    verdict === 'pass' && mode === 'sandbox' ? 'SANDBOX' : (HEADLINES[verdict] ?? verdict),
  );
  expect(shown.toSorted()).toEqual(decided.toSorted());
  const failed = gates.filter(({ verdict = '' }) => ['fail', 'error'].includes(verdict));
  const headlines = run.annotations.filter(({ level, title }) => level === 'error' && title === undefined);
  expect(headlines.map(({ level }) => level)).toEqual(failed.map(() => 'error'));
  expect(run.annotations.filter(({ message }) => message.includes('could not be saved'))).toEqual([]);
}
