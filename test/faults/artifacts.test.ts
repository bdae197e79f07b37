import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import type { Trouble, UploadStep } from '../harness/artifact-service.ts';
import { expectInvariants } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import { type Repository, startRepository } from '../harness/repository.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };

let emulator: Emulator;
let one: Awaited<ReturnType<typeof makeWorkspace>>;
let two: Awaited<ReturnType<typeof makeWorkspace>>;
let three: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  one = await makeWorkspace({ 'a.png': png('a') });
  two = await makeWorkspace({ 'a.png': png('a'), 'b.png': png('b') });
  three = await makeWorkspace({ 'a.png': png('a'), 'b.png': png('b'), 'c.png': png('c') });
});
afterAll(async () => {
  await Promise.all([emulator.close(), one.remove(), two.remove(), three.remove()]);
});

function on(wanted: UploadStep, answer: ReturnType<Trouble>): Trouble {
  return (step) => (step === wanted ? answer : undefined);
}

function stateNames({ artifacts }: Repository): readonly string[] {
  return artifacts.artifacts.map(({ name }) => name).filter((name) => /-(open|state)-/.test(name));
}

describe('a run that is cancelled while it saves', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('finishes the running upload: %s', async (signal) => {
    await using world = await startRepository(emulator, {
      scenario: CRITICAL,
      trouble: on('FinalizeArtifact', 'late'),
    });
    const run = await world.push({
      branch: 'main',
      workspace: one.path,
      onStart: (kill) => void world.artifacts.begun('FinalizeArtifact').then(() => kill(signal)),
    });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ verdict: 'error' });
    expect(stateNames(world)).toEqual([expect.stringContaining('-open-')]);
    const next = await world.push({ branch: 'main', workspace: one.path });
    expect(next.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '0' });
    expect(world.service.submissions).toHaveLength(1);
  });
});

describe('artifact storage', () => {
  it('that is full is a warning, and the verdict stands', async () => {
    const issues = [{ severity: 'CRITICAL' }, ...Array.from({ length: 12 }, () => ({ severity: 'MAJOR' }))];
    const trouble = on('CreateArtifact', 'full');
    await using world = await startRepository(emulator, { scenario: { default: { issues } }, trouble });
    const inputs = { 'report-artifact': 'true' };
    const run = await world.push({ branch: 'main', workspace: one.path, inputs });
    expect(run.outputs).toMatchObject({ verdict: 'fail' });
    expect(run.log).toMatch(/::warning::The state could not be saved.*the storage quota for artifacts is used up/);
    expect(run.log).toMatch(
      /::warning::Could not write the report artifact: the storage quota for artifacts is used up/,
    );
    // The platform shows ten, and drops those that come last.
    expect(run.annotations.filter(({ level }) => level === 'warning')).toHaveLength(10);
    expectInvariants(run);
  });

  it.each<[string, Record<string, string>, Record<string, string>, Record<string, number | undefined>]>([
    ['as long as reuse-days; reports for 30 days', {}, {}, { open: 7, state: 90, report: 30 }],
    ['fewer days', { 'reuse-days': '20' }, {}, { open: 7, state: 20, report: 30 }],
    ['retention-days for all', { 'retention-days': '5' }, {}, { open: 5, state: 5, report: 5 }],
    ['the most that the repository allows', {}, { GITHUB_RETENTION_DAYS: '14' }, { open: 7, state: 14, report: 14 }],
    ['its default without reuse', { 'reuse-days': '0' }, {}, { open: 7, state: undefined, report: 30 }],
  ])('keeps states %s', async (_, inputs, env, days) => {
    await using world = await startRepository(emulator, { scenario: CRITICAL });
    const run = await world.push({
      branch: 'main',
      workspace: one.path,
      inputs: { 'report-artifact': 'true', ...inputs },
      env,
    });
    const created = Object.fromEntries(
      world.artifacts.created.map((each) => [/-(open|state|report)-/.exec(each.name)?.[1], each.days]),
    );
    expect(created).toEqual(days);
    expect(run.log).not.toContain('Retention days cannot be greater');
  });
});

/** What is stored of the report: its page, and the names in its archive. */
function reportEntries({ artifacts: { artifacts, archives } }: Repository): readonly unknown[] {
  return artifacts
    .filter(({ name }) => name.includes('-report-'))
    .map(({ id, name }) => (name.endsWith('.html') ? 'page' : namesIn(archives[Number(id)])));
}

function namesIn(archive: Uint8Array = new Uint8Array()): readonly string[] {
  return Object.keys(unzipSync(archive)).toSorted();
}

/** The third upload: after the state before the analysis and the one after it. */
function onPage(answer: ReturnType<Trouble>): Trouble {
  return (step, nth) => (step === 'CreateArtifact' && nth === 3 ? answer : undefined);
}

describe('the page of the report', () => {
  const OTHERS = ['cleared.sha256', 'junit.xml', 'predicate.json', 'report.json', 'report.sarif', 'summary.md'];

  it.each<[string, ReturnType<Trouble>, readonly unknown[]]>([
    ['is stored once, by itself', undefined, [OTHERS, 'page']],
    ['is in the archive if it is refused', 400, [[...OTHERS, 'report.html'].toSorted()]],
    ['is not followed by the archive if nothing answers', 'silence', []],
  ])('%s', async (_, answer, stored) => {
    await using world = await startRepository(emulator, { scenario: CRITICAL, trouble: onPage(answer) });
    const inputs = { 'report-artifact': 'true' };
    const clock = answer === 'silence' ? { clockFactor: 60 } : {};
    const run = await world.push({ branch: 'main', workspace: one.path, inputs, ...clock });
    expect(run.outputs).toMatchObject({ verdict: 'fail' });
    expect(reportEntries(world)).toEqual(stored);
    if (answer === 'silence') expect(run.warnings).toContain('GitHub did not take the artifact within 120 s');
    else expect(run.warnings).toBe('');
  });
});

describe('two gates of one name inside a composite action', () => {
  it('have the same variables, and each keeps its own report', async () => {
    await using world = await startRepository(emulator, { scenario: CRITICAL });
    const temp = await mkdtemp(path.join(tmpdir(), 'gate-composite-'));
    // Steps inside a composite action inherit the variable of the step that uses it.
    const step = {
      branch: 'main',
      runId: '71',
      workspace: two.path,
      env: { RUNNER_TEMP: temp, GITHUB_ACTION: '__self' },
    };
    const runs = [];
    for (const files of ['a.png', 'b.png'])
      runs.push(await world.push({ ...step, inputs: { files, 'report-artifact': 'true' } }));
    await rm(temp, { recursive: true });
    expect(new Set(runs.map(({ outputs }) => outputs['report-dir'])).size).toBe(2);
    const reports = world.artifacts.artifacts.filter(({ name }) => /-report-\w+(-\d+)?$/.test(name));
    expect(new Set(reports.map(({ name }) => name)).size).toBe(2);
  });
});
