import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { renderJunit } from '../../src/report/junit.ts';
import type { Report } from '../../src/report/report.ts';
import { anyReport, crowdedReport } from './arbitrary.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';

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
    elements.push({
      name,
      attributes,
    });
  });
  parser.write(document).close();
  return elements;
}

const named = (elements: readonly Element[], name: string): readonly Element[] =>
  elements.filter((one) => one.name === name);

function addsUp(report: Report): void {
  const elements = parse(renderJunit(report));
  const suite = named(elements, 'testsuite')[0]?.attributes;
  expect(named(elements, 'testcase')).toHaveLength(Number(suite?.['tests']));
  expect(named(elements, 'failure')).toHaveLength(Number(suite?.['failures']));
  expect(named(elements, 'error')).toHaveLength(Number(suite?.['errors']));
  expect(named(elements, 'skipped')).toHaveLength(Number(suite?.['skipped']));
}

describe('renderJunit', () => {
  it('has a case for each file: passed, failed, in error', () => {
    const elements = parse(
      renderJunit(
        aReport({
          verdict: 'fail',
          causes: [
            { reason: 'asset-failed', message: 'no "moov"', fix: 'export again', path: 'c.mov' },
            { reason: 'service', message: 'no answer', fix: 'try later' },
          ],
          assets: [
            anAsset({ paths: ['a.mp4', 'b.mp4'], issues: [anIssue({ ruleCode: 'R' }), anIssue({ severity: 'INFO' })] }),
            anAsset({ paths: ['c.mov'], outcome: 'failed' }),
            anAsset({ paths: ['d.mp4'], issues: [anIssue({ severity: 'MINOR' })] }),
          ],
        }),
      ),
    );
    expect(named(elements, 'testcase').map((one) => one.attributes['name'])).toEqual([
      'a.mp4',
      'b.mp4',
      'c.mov',
      'd.mp4',
      'service',
    ]);
    expect(named(elements, 'testsuite')[0]?.attributes).toMatchObject({
      tests: '5',
      failures: '2',
      errors: '2',
      skipped: '0',
    });
    expect(named(elements, 'failure')[0]?.attributes['type']).toBe('CRITICAL R');
    expect(named(elements, 'error').map((one) => one.attributes['message'])).toEqual(['no "moov"', 'no answer']);
  });

  it('skips what was not checked', () => {
    const elements = parse(
      renderJunit(aReport({ verdict: 'skipped', assets: [anAsset({ source: 'not-sent', outcome: 'unjudged' })] })),
    );
    expect(named(elements, 'skipped')[0]?.attributes['message']).toMatch(/^NOT CHECKED/);
  });

  it('is well-formed and adds up, whatever the report', () => {
    addsUp(crowdedReport());
    fc.assert(fc.property(anyReport, addsUp), { numRuns: 60 });
  });
});
