import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cause, workflowOwner } from '../../src/lib/cause.ts';
import { encodePath } from '../../src/report/github-links.ts';
import type { Report } from '../../src/report/report.ts';
import { isSarifComplete, renderSarif } from '../../src/report/sarif.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';
import { failedBy, notSent, reportOf, skippedBy } from '../builders/runs.ts';
import { anyReport } from './arbitrary.ts';
import { sarifValidator } from './sarif-schema.ts';

const missing: Cause = { reason: 'no-key', message: 'There is no API key.', steps: [workflowOwner('Set one.')] };
const validate = sarifValidator();

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly locations: readonly { readonly physicalLocation: object }[];
}

interface Run {
  readonly results: readonly Result[];
  readonly tool: { readonly driver: { readonly rules: readonly { id: string; help: { text: string } }[] } };
  readonly automationDetails: { readonly id: string };
  readonly invocations: readonly [{ executionSuccessful: boolean; toolExecutionNotifications: readonly object[] }];
}

function run(report: Report, most?: number): Run {
  const document: unknown = JSON.parse(renderSarif(report, most));
  const problems = validate(document) ? [] : validate.errors;
  expect(problems).toEqual([]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has just been checked
  return (document as { runs: [Run] }).runs[0];
}

/** The fingerprints of two files: one with three issues, two of them by one rule. */
function marks(sha256: string, severity: 'CRITICAL' | 'MAJOR'): ReadonlySet<string | undefined> {
  const issues = ['X', 'X', 'Y'].map((ruleCode) => anIssue({ ruleCode, severity }));
  const other = aContent({ paths: ['b.mp4'], issues: [anIssue({ ruleCode: 'X' })] });
  const { results } = run(aReport({ contents: [aContent({ paths: ['a.mp4'], sha256, issues }), other] }));
  return new Set(results.map((result) => result.partialFingerprints['primaryLocationLineHash']));
}

describe('renderSarif', () => {
  it('is valid SARIF 2.1.0, whatever the report', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const { results, tool } = run(report);
        const open = report.counts.issues + report.counts.known;
        expect(results).toHaveLength(open);
        for (const result of results) expect(tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
      }),
      { numRuns: 30 },
    );
  });

  it('has rule, level, file and category', () => {
    const issues = [
      anIssue({ ruleCode: 'A', summary: 'see [this](1) in C:\\ads' }),
      anIssue({ ruleCode: 'B', severity: 'MAJOR' }),
      anIssue({ ruleCode: 'A', severity: 'MINOR' }),
      anIssue({ ruleCode: 'A', severity: 'INFO' }),
    ];
    const { results, tool, automationDetails } = run(
      aReport({ gate: 'eu/de/videos', contents: [aContent({ paths: ['a b/ü#1?.mp4', 'c:d.mp4'], issues })] }),
    );
    expect(results.map(({ level }) => level)).toEqual(['error', 'warning', 'note', 'note']);
    expect(tool.driver.rules.map((rule) => rule.id)).toEqual(['A', 'B']);
    const uris = ['a%20b/%C3%BC%231%3F.mp4', 'c%3Ad.mp4'];
    expect(results[0]?.locations.map((one) => one.physicalLocation)).toEqual(
      uris.map((uri) => ({ artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: 1 } })),
    );
    expect(results[0]?.message.text).toBe('CRITICAL: Unproven health claim: see \\[this\\](1) in C:\\\\ads');
    expect(automationDetails.id).toBe('eu-de-videos/');
  });

  it('follows an issue over runs, even if its id, content and severity change', () => {
    const first = marks('00', 'CRITICAL');
    expect(first.size).toBe(4);
    expect(marks('ff', 'MAJOR')).toEqual(first);
    // With any other value, every open alert would be closed and opened again.
    expect([...first][0]).toBe('ff6547b3ba367cb82326540f8b1d7d03:1');
  });

  it('tells issues of one rule by their sidekick, and names a rule that has no name', () => {
    const issues = ['one', 'two', 'one'].map((sidekickId) => anIssue({ ruleCode: ' ', sidekickId, headline: 'Why' }));
    const marksOf = (shown: typeof issues): readonly unknown[] =>
      run(aReport({ contents: [aContent({ paths: ['a.mp4'], issues: shown })] })).results.map(
        ({ partialFingerprints, ruleId }) => [ruleId, partialFingerprints['mediaComplianceIssue/v1']],
      );
    const [one, two, again] = marksOf(issues);
    expect(one).toMatchObject(['unnamed-rule', expect.anything()]);
    expect(marksOf(issues.slice(1))).toEqual([two, one]);
    expect(again).not.toEqual(one);
  });

  it('lists only what counts on some branch', () => {
    const standings = ['active', 'known', 'waived', 'ignored'] as const;
    const issues = standings.map((standing) => anIssue({ standing, ruleCode: standing }));
    const { results, tool } = run(aReport({ contents: [aContent({ issues })] }));
    expect(results.map(({ ruleId }) => ruleId)).toEqual(['active', 'known']);
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(['active', 'known']);
  });

  it.each([
    ['no error if nothing was to be checked', notSent([], skippedBy(missing)), 'note'],
    ['an error if nothing could be checked', notSent([], failedBy(missing)), 'error'],
  ])('has %s', (_, sample, level) => {
    const [{ toolExecutionNotifications }] = run(reportOf(sample)).invocations;
    expect(toolExecutionNotifications).toEqual([expect.objectContaining({ level })]);
  });

  it('says which file could not be judged, why, and what to do', () => {
    const { invocations } = run(aReport({ verdict: 'error', causes: [aCause({ paths: ['a.mp4', 'b.mp4'] })] }));
    expect(invocations[0].toolExecutionNotifications).toMatchObject([
      {
        descriptor: { id: 'asset-failed' },
        message: { text: 'a.mp4, b.mp4: It cannot be read. Author of the change: Fix it.' },
      },
    ]);
  });

  const good = aContent();
  const bad = aContent({ issues: [anIssue({ headline: 'Claims a cure' })] });
  const unread = aContent({ outcome: 'unjudged' });
  it.each<[string, boolean, Report]>([
    ['a pass', true, aReport({ contents: [good] })],
    ['a fail', true, aReport({ contents: [bad, good] })],
    ['a fail with a file that was not judged', false, aReport({ contents: [bad, unread] })],
    ['an error', false, aReport({ verdict: 'error', contents: [good, unread] })],
    ['an error before any file', false, aReport({ verdict: 'error' })],
    ['a run that checked nothing', false, aReport({ verdict: 'skipped' })],
    ['a pass in the sandbox', false, aReport({ contents: [good], mode: 'sandbox' })],
  ])('of %s closes alerts: %s', (_, isComplete, report) => {
    expect(run(report).invocations[0].executionSuccessful).toBe(isComplete);
    expect(isSarifComplete(report)).toBe(isComplete);
  });

  it('has help for every rule', () => {
    const [rule] = run(aReport({ contents: [bad] })).tool.driver.rules;
    expect(rule?.help.text).toMatch(/^Claims a cure\n\n.*dismiss the issue/s);
    const plain = aContent({ issues: [anIssue({ headline: undefined, summary: 'It says too much' })] });
    expect(run(aReport({ contents: [plain] })).tool.driver.rules[0]?.help.text).toMatch(/^It says too much\n/);
  });

  it('has no more results and places than code scanning accepts, the worst first, and counts what it cuts', () => {
    const few = [...Array.from({ length: 12 }, () => anIssue({ severity: 'INFO' })), anIssue()];
    const { results, invocations } = run(aReport({ contents: [aContent({ issues: few })] }), 10);
    expect(results).toHaveLength(10);
    expect(results.filter((result) => result.level === 'error')).toHaveLength(1);
    expect(invocations[0].toolExecutionNotifications).toMatchObject([
      { level: 'warning', message: { text: expect.stringMatching(/^3 less severe results left out/) } },
    ]);
    const issues = Array.from({ length: 25_010 }, () => anIssue());
    const paths = Array.from({ length: 103 }, (_, index) => `${index}.mp4`);
    expect(JSON.parse(renderSarif(aReport({ contents: [aContent({ issues })] }))).runs[0].results).toHaveLength(25_000);
    expect(run(aReport({ contents: [aContent({ paths, issues: [anIssue()] })] })).results[0]?.locations).toHaveLength(
      100,
    );
  });

  it('encodes any name into a relative URI that decodes to it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(decodeURIComponent(encodePath(path))).toBe(path.toWellFormed());
        expect(encodePath(path)).toMatch(/^[\w\-.!~*'()%/]*$/u);
      }),
    );
  });
});
