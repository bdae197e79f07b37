import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodePath } from '../../src/report/phrases.ts';
import type { Report } from '../../src/report/report.ts';
import { renderSarif } from '../../src/report/sarif.ts';
import { aContent, anIssue, aReport } from '../builders/reports.ts';
import { anyReport, HOSTILE_REPORTS } from './arbitrary.ts';
import { sarifValidator } from './sarif-schema.ts';

const validate = sarifValidator();

interface Run {
  readonly results: readonly {
    readonly ruleId: string;
    readonly level: string;
    readonly message: { readonly text: string };
    readonly partialFingerprints: Readonly<Record<string, string>>;
    readonly locations: readonly { readonly physicalLocation: object }[];
  }[];
  readonly tool: { readonly driver: { readonly rules: readonly { id: string; help: { text: string } }[] } };
  readonly automationDetails: { readonly id: string };
  readonly properties: { readonly resultsLeftOut: number };
}

function run(report: Partial<Report>): Run {
  const document: unknown = JSON.parse(renderSarif(aReport(report)));
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has just been checked
  return (document as { runs: [Run] }).runs[0];
}

/** Returns the fingerprints of these issues, all of them in one file. */
function marks(...issues: readonly Parameters<typeof anIssue>[0][]): readonly (string | undefined)[] {
  const { results } = run({ contents: [aContent({ paths: ['a.mp4'], issues: issues.map(anIssue) })] });
  return results.map((result) => result.partialFingerprints['primaryLocationLineHash']);
}

function expectValid(report: Report): void {
  const { results, tool } = run(report);
  const issues = report.contents.flatMap((content) => content.issues);
  expect(results).toHaveLength(issues.filter(({ standing }) => /active|known/.test(standing)).length);
  const rules = new Set(tool.driver.rules.map(({ id }) => id));
  for (const { ruleId } of results) expect(rules).toContain(ruleId);
}

it('report.sarif is valid SARIF 2.1.0, whatever the report', () => {
  for (const report of HOSTILE_REPORTS) expectValid(report);
  fc.assert(fc.property(anyReport, expectValid), { numRuns: 30 });
});

it('report.sarif has rule, level, file and category', () => {
  const issues = [
    anIssue({ ruleCode: 'A', summary: 'see [this](1) in C:\\ads' }),
    anIssue({ ruleCode: ' ', severity: 'MAJOR', headline: undefined, summary: 'It says too much' }),
    anIssue({ ruleCode: 'A', severity: 'MINOR' }),
    anIssue({ ruleCode: 'A', severity: 'INFO' }),
  ];
  const contents = [aContent({ paths: ['a b/ü#1?.mp4', 'c:d.mp4'], issues })];
  const place = { gate: 'videos', run: { ...aReport().run, folder: 'site/' } };
  const { results, tool, automationDetails } = run({ contents, ...place });
  expect(results.map(({ level }) => level)).toEqual(['error', 'warning', 'note', 'note']);
  expect(tool.driver.rules).toMatchObject([
    { id: 'A', help: { text: 'Unproven health claim' } },
    { id: 'unnamed-rule', help: { text: 'It says too much' } },
  ]);
  const uris = ['site/a%20b/%C3%BC%231%3F.mp4', 'site/c%3Ad.mp4'];
  expect(results[0]?.locations.map((one) => one.physicalLocation)).toEqual(
    uris.map((uri) => ({ artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: 1 } })),
  );
  expect(results[0]?.message.text).toBe('CRITICAL: Unproven health claim: see \\[this\\](1) in C:\\\\ads');
  expect(automationDetails.id).toBe('videos/');
});

it('report.sarif follows an issue over runs, by its file, rule, sidekick and place among equal issues', () => {
  // If this value ever changes, code scanning closes every open alert and opens it again.
  const first = 'ff6547b3ba367cb82326540f8b1d7d03:1';
  const all = marks({ ruleCode: 'X' }, { ruleCode: 'X' }, { ruleCode: 'X', sidekickId: 'one' }, { ruleCode: 'Y' });
  expect(all[0]).toBe(first);
  expect(new Set(all).size).toBe(4);
  expect(marks({ ruleCode: 'Y' }, { ruleCode: 'X', severity: 'MAJOR' })).toEqual([all[3], first]);
  expect(marks({ ruleCode: 'X', sidekickId: 'one' })).toEqual([all[2]]);
  const other = run({ contents: [aContent({ paths: ['b.mp4'], issues: [anIssue({ ruleCode: 'X' })] })] });
  expect(other.results[0]?.partialFingerprints['primaryLocationLineHash']).not.toBe(first);
});

it('report.sarif has the worst results that code scanning accepts, and counts those that it leaves out', () => {
  const issues = [...Array.from({ length: 25_002 }, () => anIssue({ severity: 'INFO' })), anIssue()];
  const paths = ['0.mp4', ...Array.from({ length: 102 }, (_, index) => `${index + 1}.mp4`)] as const;
  const contents = [aContent({ issues }), aContent({ paths, issues: [anIssue()] })];
  const [{ results, properties }]: [Run] = JSON.parse(renderSarif(aReport({ contents }))).runs;
  expect(results).toHaveLength(25_000);
  expect(results.filter(({ level }) => level === 'error').map(({ locations }) => locations.length)).toEqual([100, 1]);
  expect(properties.resultsLeftOut).toBe(4);
});

it('report.sarif encodes any name into a relative URI that decodes to it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect(decodeURIComponent(encodePath(path))).toBe(path.toWellFormed());
      expect(encodePath(path)).toMatch(/^[\w\-.!~*'()%/]*$/u);
    }),
  );
});
