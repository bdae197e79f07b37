import { Ajv, type ErrorObject } from 'ajv';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Report, renderJson } from '../../src/report/report.ts';
import { issue, result } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import { aReport } from '../builders/reports.ts';
import { reportOf, sent } from '../builders/runs.ts';
import { anyReport } from './arbitrary.ts';
import { reportSchema } from './schema.ts';

// From the type, not from the file: `-u` writes the file only after the last test.
const schema = reportSchema(Object(JSON.parse(renderJson(aReport()))).schemaVersion);

/** A copy of the schema in which a field that it does not name is an error. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  return 'additionalProperties' in copy ? { ...copy, additionalProperties: false } : copy;
}
const validate = new Ajv({ strict: false, allErrors: true }).compile(Object(closed(schema)));

function problemsOf(report: Report): readonly ErrorObject[] {
  return validate(JSON.parse(renderJson(report))) ? [] : (validate.errors ?? []);
}

// After a change of the type, the option `-u` of vitest writes the file.
it('report.schema.json is made from the type of the report', async () => {
  const text = `${JSON.stringify(schema, undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../src/report/report.schema.json');
});

it('report.json is what its schema says, whatever the report, and names no field that the schema does not', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      expect(problemsOf(report)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

it('report.json is what its schema says for a report that a run made', () => {
  const bad = result(content('a', ['a', 'copy of a']), { issues: [issue()] });
  expect(problemsOf(reportOf(sent([bad])))).toEqual([]);
});
