import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitHubApi } from '../../src/github/api.ts';
import { readContext } from '../../src/github/context.ts';
import type { Annotation, Runner } from '../../src/github/runner.ts';
import type { InputName } from '../../src/inputs/inputs.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import type { Cause } from '../../src/lib/cause.ts';
import { publish } from '../../src/publish/publish.ts';
import type { Report } from '../../src/report/report.ts';
import { type Findings, nothingFound } from '../../src/verdict/findings.ts';
import { anAsset, anIssue, aReport } from '../report/fixtures.ts';

const CAUSE: Cause = { reason: 'no-files', message: 'No file matches.', fix: 'Change `files`.' };

const NOWHERE = {
  token: '',
  apiUrl: 'http://127.0.0.1:1',
  signal: new AbortController().signal,
  repository: 'acme/ads',
};

let temp: string;
beforeAll(async () => {
  temp = await mkdtemp(path.join(tmpdir(), 'gate-publish-'));
});
afterAll(async () => await rm(temp, { recursive: true }));

interface Situation {
  readonly found?: Partial<Findings>;
  readonly isPublic?: boolean;
  readonly hasArtifacts?: boolean;
  readonly inputs?: Partial<Record<InputName, string>>;
  /** How many warnings the log has already shown. */
  readonly warnings?: number;
}

/** Everything that a person or a workflow can see of a report. */
async function published(report: Report, situation: Situation = {}) {
  const {
    found = { causes: [CAUSE] },
    isPublic = false,
    hasArtifacts = false,
    inputs: given = {},
    warnings = 0,
  } = situation;
  const lines: string[] = [];
  const outputs = new Map<string, string>();
  const annotated: Annotation[] = [];
  const runner: Runner = {
    log: {
      info: (text) => void lines.push(text),
      notice: (text) => void lines.push(`notice: ${text}`),
      warning: (text) => void lines.push(`warning: ${text}`),
      group: async (_, work) => await work(),
    },
    spent: { error: 0, warning: warnings, notice: 0 },
    input: () => '',
    mask: () => {},
    hasArtifacts,
    saveForPost: () => {},
    annotate: (annotation) => void annotated.push(annotation),
    output: (name, value) => void outputs.set(name, value),
    writeSummary: async () => {},
    fail: () => {},
  };
  const all: Partial<Record<InputName, string>> = { 'dry-run': 'true', ...given };
  const workspace = path.join(temp, 'checkout');
  const { inputs } = readInputs((name) => all[name] ?? '', { workspace, windows: false, missingKey: CAUSE });
  const context = { ...readContext({}), workspace, temp, isPublic };
  await publish(report, {
    found: { ...nothingFound(), stateFile: '/state.json', ...found },
    inputs,
    runner,
    github: createGitHubApi(NOWHERE),
    context,
  });
  return { lines, outputs, annotated };
}

it('an incomplete SARIF is not handed to the workflow', async () => {
  const assets = [anAsset({ issues: [anIssue()] }), anAsset({ outcome: 'unjudged' })];
  const { outputs } = await published(aReport({ assets }));
  expect([outputs.get('verdict'), outputs.get('sarif-file')]).toEqual(['fail', '']);
});

it.each([
  ['pass', 'sandbox', 1],
  ['pass', 'live', 0],
  ['fail', 'sandbox', 0],
] as const)('a %s in the mode %s has %i warnings', async (verdict, mode, count) => {
  const { lines } = await published(aReport({ verdict, mode }));
  const warnings = lines.filter((line) => line.startsWith('warning: '));
  expect(warnings).toEqual(Array<string>(count).fill('warning: SANDBOX: nothing was analysed'));
});

it('the log and the annotations share the ten of a level', async () => {
  const issues = Array.from({ length: 12 }, () => anIssue({ severity: 'MAJOR', failsGate: false }));
  const report = aReport({ assets: issues.map((issue) => anAsset({ issues: [issue] })) });
  const warnings = async (spent: number): Promise<number> =>
    (await published(report, { warnings: spent })).annotated.filter(({ level }) => level === 'warning').length;
  expect((await warnings(0)) - (await warnings(3))).toBe(3);
});

function isTried(lines: readonly string[]): boolean {
  return lines.join('\n').includes('the report artifact:');
}

describe('the artifact of a report', () => {
  const cancelled = { causes: [CAUSE], isCancelled: true };

  it('is not uploaded by a run that was cancelled', async () => {
    // Without a service to upload to, each try is a warning.
    const inputs = { 'report-artifact': 'true' };
    expect(isTried((await published(aReport(), { hasArtifacts: true, inputs })).lines)).toBe(true);
    const { lines } = await published(aReport(), { hasArtifacts: true, inputs, found: cancelled });
    expect(isTried(lines)).toBe(false);
  });

  it.each([
    [true, 'true', 1],
    [true, 'false', 0],
    [false, 'true', 0],
  ])('in a public repository (%s), uploaded (%s): everyone can read it', async (isPublic, artifact, count) => {
    const inputs = { 'report-artifact': artifact };
    const { lines } = await published(aReport(), { isPublic, hasArtifacts: true, inputs, found: cancelled });
    expect(lines.filter((line) => line.startsWith('notice: This repository is public'))).toHaveLength(count);
  });
});
