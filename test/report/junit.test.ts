import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { author } from '../../src/causes/cause.ts';
import { renderJunit } from '../../src/report/junit.ts';
import type { Report } from '../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';
import { anyReport } from './arbitrary.ts';

const outage = aCause({ reason: 'service', message: 'no response' });

/** Returns the attributes of all elements, by the name of the element. */
function parse(report: Report): Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> {
  const elements: Record<string, Record<string, string>[]> = {};
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    (elements[name] ??= []).push(attributes);
  });
  parser.write(renderJunit(report)).close();
  return elements;
}

it('junit.xml has a case for each file: passed, failed, in error', () => {
  const report = aReport({
    verdict: 'fail',
    causes: [aCause({ message: 'no "moov"', paths: ['c'] }), outage],
    contents: [
      aContent({ paths: ['a', 'b'], issues: [anIssue({ ruleCode: 'R' }), anIssue({ severity: 'INFO' })] }),
      aContent({ paths: ['c'], outcome: 'failed' }),
      aContent({ paths: ['d'], issues: [anIssue({ severity: 'MINOR' })] }),
    ],
  });
  const { testcase = [], testsuite, testsuites, failure, error } = parse(report);
  expect(testcase.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'service']);
  const counts = { tests: '5', failures: '2', errors: '2' };
  expect(testsuite).toMatchObject([{ ...counts, skipped: '0', timestamp: report.judgedAt }]);
  // The schema of Jenkins does not allow the attribute `skipped` in `testsuites`.
  expect(testsuites).toEqual([{ name: 'media-compliance', ...counts, time: '0' }]);
  expect(failure?.[0]).toMatchObject({ type: 'CRITICAL R' });
  expect(error).toMatchObject([{ message: 'no "moov"' }, { message: 'no response', type: 'service' }]);
});

const judged = aContent({ paths: ['a'] });
const unjudged = aContent({ paths: ['b'], outcome: 'unjudged' });
const UNCHECKED = 'NOT CHECKED: nothing was checked';
const notJudged = [judged, unjudged];
const otherReason = { verdict: 'error', causes: [outage], contents: notJudged } as const;
it.each<[string, Partial<Report>, string[], string[]]>([
  ['a sandbox', { mode: 'sandbox', contents: [judged] }, ['A sandbox analyses nothing.'], []],
  ['nothing was checked', { verdict: 'skipped', contents: notJudged }, [UNCHECKED, UNCHECKED], []],
  ['a run without files', { verdict: 'skipped', causes: [outage] }, ['NOT CHECKED: no response'], []],
  ['a reason of another file', otherReason, ['The file was not judged.'], ['no response']],
])('junit.xml skips a file that was neither judged nor in error: %s', (_, over, expectedSkips, expectedErrors) => {
  const { skipped = [], error = [] } = parse(aReport(over));
  expect(skipped.map(({ message }) => message)).toEqual(expectedSkips);
  expect(error.map(({ message }) => message)).toEqual(expectedErrors);
});

it('junit.xml lists what fails a file, and a file that could not even be read', () => {
  const failing = [1, 2].map(() => anIssue({ ruleCode: 'R', referenceNumber: 7, headline: 'Why' }));
  const plain = anIssue({ ruleCode: 'P', referenceNumber: undefined, headline: '', summary: 'It says too much' });
  const contents = [aContent({ issues: [...failing, plain, anIssue({ severity: 'MINOR', ruleCode: 'M' })] })];
  const document = renderJunit(aReport({ gate: 'eu-ads', contents, causes: [{ ...outage, paths: ['unreadable'] }] }));
  expect(document).toContain('>CRITICAL R #7: Why&#10;CRITICAL R #7: Why&#10;CRITICAL P: It says too much</failure>');
  expect(document).toMatch(/<testcase classname="eu-ads" name="unreadable" time="0"><error /);
});

it('junit.xml lists every problem of a file, at each of its paths', () => {
  const texts = Object.entries({ a: 'First.', copy: 'Second.', bad: 'Third.' });
  const causes = texts.map(([path, text]) => ({ ...outage, steps: [author(text)], paths: [path] }));
  const contents = [
    aContent({ paths: ['a', 'copy'], outcome: 'unjudged' }),
    aContent({ paths: ['bad'], outcome: 'unjudged', issues: [anIssue()] }),
  ];
  const [, ...cases] = renderJunit(aReport({ verdict: 'fail', causes, contents })).split('<testcase');
  const both = '.*<error [^>]*>no response Author of the change: First\\.&#10;no response .*Second\\.</error>';
  const failure = '.*<failure message="1 issue stops the check".*no response .*Third\\.</failure>';
  const expected = [`name="a"${both}`, `name="copy"${both}`, `name="bad"${failure}`];
  expect(cases).toEqual(expected.map((pattern) => expect.stringMatching(new RegExp(pattern, 's'))));
});

it('junit.xml is well-formed and adds up, whatever the report', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const elements = parse(report);
      const counts = { testcase: 'tests', failure: 'failures', error: 'errors', skipped: 'skipped' };
      for (const [name, count] of Object.entries(counts))
        expect(elements[name] ?? []).toHaveLength(Number(elements['testsuite']?.[0]?.[count]));
    }),
    { numRuns: 40 },
  );
});
