import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Emulator, Scenario } from '../../emulator/emulator.ts';
import { OUTPUTS } from '../../src/publish/publish.ts';
import type { ActOutputs, ActRun } from './act.ts';
import type { WorkflowCase } from './cases.ts';
import { type HostedRepository, type HostedRepositoryOptions, startHostedRepository } from './hosted-repository.ts';

/** The issues that the service finds, by file name. */
const CRITICAL = [{ severity: 'CRITICAL', ruleCode: 'HEALTH-02' }] as const;
const SCENARIO: Scenario = {
  files: [
    { match: 'claim', issues: CRITICAL },
    { match: 'hero', issues: CRITICAL },
    { match: 'slip', issues: [{ severity: 'MAJOR', ruleCode: 'PRICE-01' }] },
  ],
};

/** Runs everything that a case lists, in one repository. */
export async function expectCase(
  emulator: Emulator,
  { files, runs, args }: WorkflowCase,
  workflows: Pick<HostedRepositoryOptions, 'workflow' | 'reusable'>,
): Promise<void> {
  await using repository = await startHostedRepository(emulator, { ...workflows, files, scenario: SCENARIO });
  const countAssets = (): number => {
    const submissions = [...repository.live.submissions, ...repository.sandbox.submissions];
    return submissions.flatMap(({ assets }) => assets).length;
  };
  for (const [event, start, seen] of runs) {
    const before = countAssets();
    const run = await repository.run(await start(repository), args);
    const observed = [...formatRun(run), ...formatOthers(repository)].join('; ');
    expect({ event, seen: observed }, run.log).toEqual({ event, seen });
    expectConsistent(run, countAssets() - before);
  }
}

/** `package shop failure` for each job, then `shop: fail (issues), 1 sent` for each gate, without zeros. */
export function formatRun(run: ActRun): readonly string[] {
  const gates = gatesOf(run).map(({ leg, values }) => {
    const { verdict, reason, 'files-submitted': sent, 'files-reused': reused } = values;
    const counts = [`${sent} sent`, `${reused} reused`].filter((count) => !count.startsWith('0 '));
    return [`${leg && `${leg}: `}${verdict}${reason && ` (${reason})`}`, ...counts].join(', ');
  });
  const jobs = run.jobs.map(({ job, leg, result }) => [job, leg, result].filter(Boolean).join(' '));
  const [only, ...others] = gatesOf(run);
  const isAlone = only && others.length === 0 && run.jobs.length === 1;
  const isSame = isAlone && run.jobs[0]?.result === (hasFailed(only) ? 'failure' : 'success');
  return [...(isSame ? [] : jobs.toSorted()), ...gates.toSorted()];
}

/** The steps that ran the gate, recognised by their outputs. */
function gatesOf({ outputs }: ActRun): readonly ActOutputs[] {
  return outputs.filter(({ values }) => values['verdict'] !== undefined && values['files-submitted'] !== undefined);
}

function hasFailed({ values }: ActOutputs): boolean {
  return ['fail', 'error'].includes(values['verdict'] ?? '');
}

/** What other actions and GitHub's API received. */
function formatOthers({ records, github: { statuses } }: HostedRepository): readonly string[] {
  const [sarif, attested] = [path.join(records, 'uploaded.sarif'), path.join(records, 'attested')];
  const parts: string[] = [];
  if (existsSync(sarif)) {
    const { runs }: { runs: { results: unknown[] }[] } = JSON.parse(readFileSync(sarif, 'utf8'));
    parts.push(`SARIF with ${runs.flatMap(({ results }) => results).length} result`);
  }
  if (existsSync(attested))
    parts.push(`attested so far: ${readFileSync(attested, 'utf8').trim().split('\n').length} files`);
  if (statuses.length > 0) parts.push(`status ${statuses.join(', then ')}`);
  return parts;
}

/** Checks what holds for every run: the runner shows the verdicts, and the service analysed what the gates report. */
function expectConsistent(run: ActRun, assets: number): void {
  expect(run.exitCode).toBe(run.jobs.some(({ result }) => result === 'failure') ? 1 : 0);
  const gates = gatesOf(run);
  for (const { values } of gates) expect(Object.keys(values).toSorted()).toEqual(Object.keys(OUTPUTS).toSorted());
  expect(assets).toBe(gates.reduce((sum, { values }) => sum + Number(values['files-submitted']), 0));
  const shown = run.summaries.map((summary) => /PASS|FAIL|ERROR|NOT CHECKED|SANDBOX/.exec(summary)?.[0] ?? summary);
  const decided = gates.map(({ values: { verdict = '', mode } }) => {
    if (verdict === 'skipped') return 'NOT CHECKED';
    return verdict === 'pass' && mode === 'sandbox' ? 'SANDBOX' : verdict.toUpperCase();
  });
  expect(shown.toSorted()).toEqual(decided.toSorted());
  const headlines = run.annotations.filter(({ level, title }) => level === 'error' && title === undefined);
  if (gates.length > 0) expect(headlines).toHaveLength(gates.filter(hasFailed).length);
  expect(run.annotations.filter(({ message }) => /could not be saved|does not link/.test(message))).toEqual([]);
}
