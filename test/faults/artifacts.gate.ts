import { describe, expect } from 'vitest';
import { it, ONE_FILE } from '../harness/fixtures.ts';

describe.concurrent('artifact storage', () => {
  it('that is full is a warning, and the verdict stands', async ({ startRepository, makeFolder }) => {
    const issues = [{ severity: 'CRITICAL' }, ...Array.from({ length: 12 }, () => ({ severity: 'MAJOR' }))];
    const world = await startRepository({ scenario: { default: { issues } }, trouble: () => 'full' });
    const inputs = { 'report-artifact': 'true' };
    const run = await world.push({ branch: 'main', workspace: await makeFolder(ONE_FILE), inputs });
    expect(run.outputs).toMatchObject({ verdict: 'fail' });
    expect(run.log).toMatch(/::warning::The state could not be saved.*Artifact storage quota has been hit/);
    expect(run.log).toMatch(/::warning::Could not write the report artifact: .*Artifact storage quota has been hit/);
    // GitHub shows ten annotations of a level, and drops the rest.
    expect(run.annotations.filter(({ level }) => level === 'warning')).toHaveLength(10);
  });

  const LONG = { 'reuse-days': '200' };

  it.for<[string, Readonly<Record<string, string>>, limit: string | undefined, object]>([
    ['for 90 days; reports for 30', {}, undefined, { open: 90, state: 90, report: 30 }],
    ['as long as reuse-days', LONG, undefined, { open: 200, state: 200, report: 30 }],
    ['no longer than the repository allows', {}, '5', { open: 5, state: 5, report: 5 }],
  ])('keeps states %s', async ([, inputs, limit, days], { startRepository, makeFolder }) => {
    const world = await startRepository();
    const run = await world.push({
      branch: 'main',
      workspace: await makeFolder(ONE_FILE),
      inputs: { 'report-artifact': 'true', ...inputs },
      ...(limit !== undefined && { env: { GITHUB_RETENTION_DAYS: limit } }),
    });
    expect(run.warnings).toBe('');
    const created = Object.fromEntries(
      world.artifacts.created.map((each) => [/-(open|state|report)-/.exec(each.name)?.[1], each.days]),
    );
    expect(created).toEqual(days);
  });
});
