import { readContext } from '../../src/github/context.ts';
import { parseInputs } from '../../src/inputs/parse.ts';
import type { SendableContent } from '../../src/media/content.ts';
import { buildReport } from '../../src/report/build.ts';
import type { Report } from '../../src/report/report.ts';
import type { ContentResult } from '../../src/service/content-result.ts';
import type { Issue } from '../../src/service/issue.ts';
import { newTrail, type Trail } from '../../src/verdict/trail.ts';

/** Trails of runs, and the reports that are made of them: for tests that must not rest on a report of their own making. */

const NOW = new Date('2026-11-15T12:00:00Z');
const PLACE = { workspace: '/home/me/repo', windows: false };
const NO_KEY = { reason: 'no-key', message: '', fix: '' } as const;
const VALUES: Readonly<Record<string, string>> = {
  'api-key': `sk_live_${'a'.repeat(64)}`,
  'base-url': 'https://service.example',
  'issue-url': 'https://service.example/{issueId}?of={assetId}',
};

export function content(name: string, paths: readonly string[] = [name]): SendableContent {
  const stamp = { size: 10, mtimeMs: 0, ino: 1 };
  const type = { mime: 'video/mp4', extension: 'mp4', category: 'video' } as const;
  const file = { path: name, absolutePath: `/w/${name}`, stamp, sha256: name, type };
  return { sha256: name, size: 10, paths, file, name };
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

/** A run that sent these contents and has these results. */
export function sent(results: readonly Result[], overrides: Partial<Trail> = {}): Trail {
  const contents = results.map((each) => each.content);
  return {
    ...newTrail(),
    inputs: parseInputs((name) => VALUES[name] ?? '', NO_KEY, PLACE),
    discovery: { files: contents.flatMap(({ paths, file }) => paths.map((path) => ({ ...file, path }))), notices: [] },
    plan: {
      submit: contents.map((each) => ({ content: each, why: 'new', previousSubmissionId: undefined })),
      reuse: [],
      await: [],
      unknownPointers: [],
    },
    submission: { submissionId: 's1', contents, createdAt: NOW.toISOString() },
    analysed: results,
    ...overrides,
  };
}

/** A run that ended before it sent anything. */
export function notSent(results: readonly Result[], overrides: Partial<Trail> = {}): Trail {
  const { submission: _, ...trail } = sent(results);
  return { ...trail, analysed: [], ...overrides };
}

/** A run in which everything was analysed before. */
export function reused(results: readonly Result[], overrides: Partial<Trail> = {}): Trail {
  const { submission: _, ...trail } = sent(results);
  const reuse = results.map(({ content: each, issues }) => ({
    content: each,
    known: {
      sha256: each.sha256,
      name: each.name,
      submissionId: 's0',
      assetId: `asset-${each.sha256}`,
      settings: '',
      analysedAt: '2026-11-01T10:00:00.000Z',
      versionNumber: 1,
      issues: [...issues],
    },
  }));
  return {
    ...trail,
    plan: { submit: [], reuse, await: [], unknownPointers: [] },
    analysed: [],
    reused: results,
    ...overrides,
  };
}

/** The same run with a key that analyses nothing. */
export function inSandbox(trail: Trail): Trail {
  const values: Readonly<Record<string, string>> = { ...VALUES, 'api-key': `sk_test_${'a'.repeat(64)}` };
  return { ...trail, inputs: parseInputs((name) => values[name] ?? '', NO_KEY, PLACE) };
}

export const reportOf = (trail: Trail): Report => buildReport(trail, readContext({}), NOW);
