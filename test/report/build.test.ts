import { describe, expect, it } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { parseInputs } from '../../src/inputs/parse.ts';
import type { SendableContent } from '../../src/media/content.ts';
import { buildReport } from '../../src/report/build.ts';
import type { ContentResult } from '../../src/service/content-result.ts';
import type { Issue } from '../../src/service/issue.ts';
import { newTrail, type Trail } from '../../src/trail.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const NO_KEY = { reason: 'no-key', message: '', fix: '' } as const;
const VALUES: Readonly<Record<string, string>> = {
  'api-key': `sk_live_${'a'.repeat(64)}`,
  'base-url': 'https://service.example',
  'issue-url': 'https://service.example/{issueId}?of={assetId}',
};

function content(name: string, paths: readonly string[] = [name]): SendableContent {
  const stamp = { size: 10, mtimeMs: 0, ino: 1 };
  const type = { mime: 'video/mp4', extension: 'mp4', category: 'video' } as const;
  const file = { path: name, absolutePath: `/w/${name}`, stamp, sha256: name, type };
  return { sha256: name, size: 10, paths, file, name };
}

type Result = ContentResult & { readonly content: SendableContent };

function result(of: SendableContent, overrides: Partial<Omit<ContentResult, 'content'>> = {}): Result {
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

function issue(severity: Issue['severity'], overrides: Partial<Issue> = {}): Issue {
  return {
    id: `${severity} 1`,
    summary: 's',
    severity,
    severityAsTold: severity,
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
function sent(results: readonly Result[], overrides: Partial<Trail> = {}): Trail {
  const contents = results.map((each) => each.content);
  return {
    ...newTrail(),
    inputs: parseInputs((name) => VALUES[name] ?? '', NO_KEY, { workspace: '/home/me/repo', windows: false }),
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

const report = (trail: Trail) => buildReport(trail, readContext({}), NOW);

describe('buildReport', () => {
  it('passes where everything is judged', () => {
    expect(report(sent([result(content('a'))]))).toMatchObject({
      verdict: 'pass',
      green: true,
      counts: { filesSubmitted: 1 },
    });
  });

  it('never passes a file that nobody has judged, even where nothing says why', () => {
    const told = report(sent([result(content('a')), result(content('b'), { outcome: 'unjudged' })]));
    expect(told).toMatchObject({ verdict: 'error', reason: 'results', green: false });
    expect(told.causes).toEqual([expect.objectContaining({ path: 'b' })]);
  });

  it('never passes a file that was to be sent and has no result at all', () => {
    const trail = sent([result(content('a'))]);
    expect(report({ ...trail, analysed: [] })).toMatchObject({ verdict: 'error', reason: 'results', green: false });
  });

  it('counts issues once and files by path', () => {
    const copied = result(content('a', ['a', 'b']), {
      issues: [issue('CRITICAL'), issue('INFO', { status: 'RESOLVED' })],
    });
    expect(report(sent([copied])).counts).toMatchObject({
      issues: 1,
      failing: 1,
      ignored: 1,
      newIssues: 1,
      filesMatched: 2,
      filesSubmitted: 2,
      bySeverity: { CRITICAL: 1, INFO: 0 },
    });
  });

  it('puts the worst first, and a link on each issue', () => {
    const told = report(
      sent([
        result(content('clean')),
        result(content('minor'), { issues: [issue('MINOR')] }),
        result(content('bad'), { issues: [issue('MINOR'), issue('CRITICAL')] }),
      ]),
    );
    expect(told.assets.map(({ paths }) => paths[0])).toEqual(['bad', 'minor', 'clean']);
    expect(told.assets[0]?.issues.map(({ url }) => url)).toEqual([
      'https://service.example/CRITICAL%201?of=asset-bad',
      'https://service.example/MINOR%201?of=asset-bad',
    ]);
    expect(told.highestSeverity).toBe('CRITICAL');
  });

  it('counts what is paid for again', () => {
    const trail = sent([result(content('a')), result(content('b'))]);
    const submit =
      trail.plan?.submit.map((entry, index) => ({
        ...entry,
        why: index === 0 ? ('analysed too long ago' as const) : entry.why,
      })) ?? [];
    expect(report({ ...trail, plan: { reuse: [], await: [], unknownPointers: [], submit } }).counts.paidAgain).toBe(1);
  });

  it('judges strictly where the inputs could not be read', () => {
    const stoppedBy = [{ reason: 'bad-input', message: 'm', fix: 'f' }] as const;
    expect(report({ ...newTrail(), stoppedBy })).toMatchObject({
      verdict: 'error',
      reason: 'bad-input',
      green: false,
      mode: '',
    });
  });
});
