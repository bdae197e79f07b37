import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { author, type Cause } from '../../src/lib/cause.ts';
import { renderJunit } from '../../src/report/junit.ts';
import type { Report } from '../../src/report/report.ts';
import { result } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';
import { notSent, reportOf, skippedBy, unstarted } from '../builders/runs.ts';
import { anyReport } from './arbitrary.ts';

const missing: Cause = { reason: 'no-key', message: 'There is no API key.', steps: [] };
const outage = aCause({ reason: 'service', message: 'no answer' });

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function parse(document: string): readonly Element[] {
  const elements: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    elements.push({ name, attributes });
  });
  parser.write(document).close();
  return elements;
}

const named = (elements: readonly Element[], name: string): readonly Element[] =>
  elements.filter((one) => one.name === name);

function addsUp(report: Report): void {
  const elements = parse(renderJunit(report));
  const suite = named(elements, 'testsuite')[0]?.attributes;
  const counts = { testcase: 'tests', failure: 'failures', error: 'errors', skipped: 'skipped' };
  for (const [name, count] of Object.entries(counts))
    expect(named(elements, name)).toHaveLength(Number(suite?.[count]));
}

/** The results that are not `passed`. */
function resultsOf(report: Report): readonly string[] {
  return parse(renderJunit(report))
    .map(({ name }) => name)
    .filter((name) => name === 'error' || name === 'skipped');
}

describe('renderJunit', () => {
  it('has a case for each file: passed, failed, in error', () => {
    const report = aReport({
      verdict: 'fail',
      causes: [aCause({ message: 'no "moov"', paths: ['c'] }), outage],
      contents: [
        aContent({ paths: ['a', 'b'], issues: [anIssue({ ruleCode: 'R' }), anIssue({ severity: 'INFO' })] }),
        aContent({ paths: ['c'], outcome: 'failed' }),
        aContent({ paths: ['d'], issues: [anIssue({ severity: 'MINOR' })] }),
      ],
    });
    const elements = parse(renderJunit(report));
    expect(named(elements, 'testcase').map((one) => one.attributes['name'])).toEqual(['a', 'b', 'c', 'd', 'service']);
    const counts = { tests: '5', failures: '2', errors: '2' };
    expect(named(elements, 'testsuite')[0]?.attributes).toMatchObject({ ...counts, skipped: '0' });
    // The schema of Jenkins does not allow `skipped` here.
    expect(named(elements, 'testsuites')[0]?.attributes).toEqual({ name: 'media-compliance', ...counts, time: '0' });
    expect(named(elements, 'testsuite')[0]?.attributes['timestamp']).toBe(report.judgedAt);
    expect(named(elements, 'failure')[0]?.attributes['type']).toBe('CRITICAL R');
    expect(named(elements, 'error').map((one) => one.attributes['message'])).toEqual(['no "moov"', 'no answer']);
  });

  it.each([
    ['without a key', unstarted(skippedBy(missing)), 1],
    ['in a dry run', notSent([result(content('a')), result(content('b', ['b', 'c']))], skippedBy(missing)), 4],
  ])('has no error if nothing was checked: %s', (_, sample, skipped) => {
    const elements = parse(renderJunit(reportOf(sample)));
    expect(named(elements, 'testsuite')[0]?.attributes).toMatchObject({ errors: '0', skipped: `${skipped}` });
    expect(named(elements, 'skipped')[0]?.attributes['message']).toMatch(/^NOT CHECKED/);
  });

  it('skips what a sandbox did not analyse, and what was not judged for a reason of another file', () => {
    const contents = [aContent({ paths: ['a'] }), aContent({ paths: ['b'], outcome: 'unjudged' })];
    expect(resultsOf(aReport({ mode: 'sandbox', contents: contents.slice(0, 1) }))).toEqual(['skipped']);
    expect(resultsOf(aReport({ verdict: 'skipped', contents: contents.slice(0, 1) }))).toEqual(['skipped']);
    expect(resultsOf(aReport({ verdict: 'error', causes: [outage], contents }))).toEqual(['skipped', 'error']);
    expect(resultsOf(aReport({ verdict: 'error', causes: [{ ...outage, paths: ['b'] }], contents }))).toEqual([
      'error',
    ]);
  });

  it('lists what fails a file, 200 issues at most, and a file that could not even be read', () => {
    const failing = Array.from({ length: 202 }, () => anIssue({ ruleCode: 'R', referenceNumber: 7, headline: 'Why' }));
    const plain = anIssue({ ruleCode: 'P', referenceNumber: undefined, headline: '', summary: 'It says too much' });
    const contents = [
      aContent({ issues: [...failing, anIssue({ severity: 'MINOR', ruleCode: 'M' })] }),
      aContent({ issues: [plain] }),
    ];
    const causes = [{ ...outage, paths: ['unreadable'] }];
    const document = renderJunit(aReport({ gate: 'eu-ads', contents, causes }));
    expect(document.match(/CRITICAL R #7: Why/g)).toHaveLength(200);
    expect(document).toContain('and 2 more');
    expect(document).toContain('>CRITICAL P: It says too much</failure>');
    expect(document).not.toContain('MINOR M');
    expect(document).toMatch(/<testcase classname="eu-ads" name="unreadable" time="0"><error /);
  });

  it('lists every problem of a file, at each of its paths', () => {
    const causes = [
      { ...outage, steps: [author('First.')], paths: ['a'] },
      { ...outage, steps: [author('Second.')], paths: ['copy'] },
      { ...outage, steps: [author('Third.')], paths: ['bad'] },
    ];
    const contents = [
      aContent({ paths: ['a', 'copy'], outcome: 'unjudged' }),
      aContent({ paths: ['bad'], outcome: 'unjudged', issues: [anIssue()] }),
    ];
    const [, ...cases] = renderJunit(aReport({ verdict: 'fail', causes, contents })).split('<testcase');
    expect(cases).toEqual([
      expect.stringMatching(
        /name="a" .*<error [^>]*>no answer Author of the change: First\.&#10;no answer .*Second\.<\/error>/s,
      ),
      expect.stringMatching(
        /name="copy" .*<error [^>]*>no answer Author of the change: First\.&#10;no answer .*Second\.<\/error>/s,
      ),
      expect.stringMatching(/name="bad" .*<failure message="1 issue stops the check".*no answer .*Third\.<\/failure>/s),
    ]);
  });

  it('is well-formed and adds up, whatever the report', () => {
    fc.assert(fc.property(anyReport, addsUp), { numRuns: 40 });
  });
});
