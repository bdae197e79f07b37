import { readContext } from '../../src/github/context.ts';
import type { Inputs } from '../../src/inputs/inputs.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import type { Cause } from '../../src/lib/cause.ts';
import type { SendableContent } from '../../src/media/content.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { buildReport } from '../../src/report/build.ts';
import type { Report } from '../../src/report/report.ts';
import type { ContentResult } from '../../src/service/asset-outcome.ts';
import type { Issue } from '../../src/service/issue.ts';
import { NO_HISTORY } from '../../src/verdict/baseline.ts';
import { judge } from '../../src/verdict/judge.ts';
import type { Outcome, Skipped } from '../../src/verdict/outcome.ts';
import { type Collected, type Planned, STARTED } from '../../src/verdict/progress.ts';

/** Outcomes of runs, and the reports that are built from them. */

const NOW = new Date('2026-11-15T12:00:00Z');
const ROOT = { workspace: '/home/me/repo', windows: false };
const NO_KEY = { reason: 'no-key', message: '', fix: '' } as const;
const VALUES: Readonly<Record<string, string>> = {
  'api-key': `sk_live_${'a'.repeat(64)}`,
  'base-url': 'https://service.example',
  'issue-url': 'https://service.example/{issueId}?of={assetId}',
};

const COMPLETE = { kind: 'complete' } as const;

function read(values: Readonly<Record<string, string>>): Inputs {
  return readInputs((name) => values[name] ?? '', { ...ROOT, missingKey: NO_KEY }).inputs;
}

export function content(name: string, paths: readonly string[] = [name]): SendableContent {
  const stamp = { size: 10, mtimeMs: 0, ino: 1 };
  const type = { mime: 'video/mp4', extension: 'mp4', category: 'video' } as const;
  const file = { path: name, absolutePath: `/w/${name}`, stamp, sha256: name, type };
  return { sha256: name, size: 10, category: 'video', paths, file, name };
}

type Result = ContentResult & { readonly content: SendableContent };

export function result(of: SendableContent, overrides: Partial<Omit<ContentResult, 'content'>> = {}): Result {
  return {
    content: of,
    outcome: 'judged',
    issues: [],
    topics: [],
    submissionId: 's1',
    assetId: `asset-${of.sha256}`,
    versionNumber: 1,
    versionGroupId: undefined,
    versionCount: undefined,
    retries: 0,
    causes: [],
    ...overrides,
  };
}

export function issue(severity: Issue['severity'], overrides: Partial<Issue> = {}): Issue {
  return {
    id: `${severity} 1`,
    summary: 's',
    severity,
    reportedSeverity: severity,
    status: 'OPEN',
    ruleCode: 'R',
    referenceNumber: 1,
    sidekickId: undefined,
    headline: undefined,
    reasoning: undefined,
    precedents: [],
    createdAt: undefined,
    updatedAt: undefined,
    ...overrides,
  };
}

/** A run, as far as a report depends on it. */
export interface SampleRun {
  readonly outcome: Outcome;
  readonly inputs: Inputs;
}

type Stopped = Extract<Outcome['ending'], { causes: unknown }>;
type Ending = Stopped | typeof COMPLETE;

const inputs = read(VALUES);

export function failedBy(...causes: readonly Cause[]): Stopped {
  return { kind: 'failed', causes };
}

export function skippedBy(cause: Cause): Skipped {
  return { kind: 'skipped', cause, isExpected: false };
}

function plannedWith(results: readonly Result[]): Planned {
  const contents = results.map((each) => each.content);
  return {
    stage: 'planned',
    notices: [],
    discovery: { files: contents.flatMap(({ paths, file }) => paths.map((path) => ({ ...file, path }))), notices: [] },
    inspection: { files: [], pointers: [], problems: [], warnings: [] },
    rules: { repositoryId: '1', reuseDays: 90, sidekicks: '', now: NOW },
    history: NO_HISTORY,
    waivers: undefined,
    plan: {
      toSubmit: contents.map((each) => ({ content: each, why: 'new', previousSubmissionId: undefined })),
      toReuse: [],
      toAwait: [],
      unknownPointers: [],
    },
  };
}

/** A run that sent these contents and has these results. */
export function sent(
  results: readonly Result[],
  overrides: Partial<Collected> = {},
  ending: Ending = COMPLETE,
): SampleRun {
  const progress: Collected = {
    ...plannedWith(results),
    stage: 'collected',
    reused: [],
    outage: undefined,
    submission: { submissionId: 's1', contents: results.map((each) => each.content), createdAt: NOW.toISOString() },
    isSubmissionSaved: true,
    waited: [],
    analysed: results,
    ...overrides,
  };
  const outcome: Outcome = ending.kind === 'complete' ? { progress, ending } : { progress, ending };
  return { outcome, inputs };
}

/** A run that ended before it sent anything. */
export function notSent(results: readonly Result[], ending: Stopped | Skipped): SampleRun {
  const progress = plannedWith(results);
  return { outcome: ending.kind === 'skipped' ? { progress, ending } : { progress, ending }, inputs };
}

/** A run in which everything was analysed before. */
export function reused(
  results: readonly Result[],
  overrides: Partial<Collected> = {},
  ending: Ending = COMPLETE,
): SampleRun {
  return sent(
    results,
    { plan: reusePlan(results), submission: undefined, analysed: [], reused: results, ...overrides },
    ending,
  );
}

/** A dry run in which everything could be reused. */
export function dryRun(results: readonly Result[], cause: Cause): SampleRun {
  return {
    outcome: { progress: { ...plannedWith(results), plan: reusePlan(results) }, ending: skippedBy(cause) },
    inputs,
  };
}

function reusePlan(results: readonly Result[]): Plan {
  const toReuse = results.map(({ content: each, issues }) => ({
    content: each,
    known: {
      sha256: each.sha256,
      name: each.name,
      submissionId: 's0',
      assetId: `asset-${each.sha256}`,
      sidekicks: '',
      analysedAt: '2026-11-01T10:00:00.000Z',
      versionNumber: 1,
      issues: [...issues],
    },
  }));
  return { toSubmit: [], toReuse, toAwait: [], unknownPointers: [] };
}

/** A run that ended before it found any file. */
export function unstarted(ending: Stopped | Skipped): SampleRun {
  const outcome: Outcome = ending.kind === 'skipped' ? { progress: STARTED, ending } : { progress: STARTED, ending };
  return { outcome, inputs: read({}) };
}

/** The same run with a key that analyses nothing. */
export function inSandbox(run: SampleRun): SampleRun {
  return { ...run, inputs: read({ ...VALUES, 'api-key': `sk_test_${'a'.repeat(64)}` }) };
}

export function reportOf({ outcome, inputs }: SampleRun): Report {
  const verdict = judge(outcome, inputs.policy);
  return buildReport({ outcome, verdict, inputs, context: readContext({}), stateFile: '', now: NOW });
}
