import { xml } from '../lib/escape.ts';
import { truncate } from '../lib/format.ts';
import { describeIssue, describeProblem, describeStopping, title } from './phrases.ts';
import type { Report, ReportedCause, ReportedContent, ReportedIssue } from './report.ts';

const MAX_TEXT_LENGTH = 2_000;

/** The result of a test case. `message` says why the case did not pass. */
interface Result {
  readonly result: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message?: string;
  readonly type?: string;
  readonly text?: string;
}

/** junit.xml: a test case for each file, and one for each problem that belongs to no file. */
export function renderJunit(report: Report): string {
  const causes = Map.groupBy(
    report.causes.flatMap((cause) => cause.paths.map((path) => ({ path, cause }))),
    ({ path }) => path,
  );
  const listed = new Set(report.contents.flatMap(({ paths }) => paths));
  const cases = [
    ...report.contents.flatMap((content) => {
      // A cause names one path of a content, but applies to all paths of the content.
      const own = content.paths.flatMap((path) => causes.get(path) ?? []).map(({ cause }) => cause);
      return content.paths.map((name) => ({ name, ...resultOfFile(content, own, report) }));
    }),
    ...report.causes.flatMap((cause) => {
      const names = cause.paths.length === 0 ? [cause.reason] : cause.paths.filter((path) => !listed.has(path));
      return names.map((name) => ({ name, ...resultOfCauses([cause], report) }));
    }),
  ];
  const total = (result: Result['result']): number => cases.filter((one) => one.result === result).length;
  const counts = `tests="${cases.length}" failures="${total('failure')}" errors="${total('error')}"`;
  const gate = xml(report.gate);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${gate}" ${counts} time="0">`,
    `<testsuite name="${gate}" ${counts} skipped="${total('skipped')}" time="0" timestamp="${xml(report.judgedAt)}">`,
    ...cases.map((one) => `<testcase classname="${gate}" name="${xml(one.name)}" time="0">${body(one)}</testcase>`),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function resultOfFile({ issues, outcome }: ReportedContent, causes: readonly ReportedCause[], report: Report): Result {
  const failing = issues.filter(({ failsGate }) => failsGate);
  const [worst] = failing;
  if (worst) {
    const type = `${worst.severity} ${worst.ruleCode}`;
    const text = [
      ...failing.map((issue) => issueLine(issue, report)),
      ...causes.map((cause) => describeProblem(cause)),
    ].join('\n');
    return { result: 'failure', type, message: describeStopping(failing.length), text };
  }
  if (outcome !== 'judged' || report.verdict === 'skipped') return resultOfCauses(causes, report);
  return report.mode === 'sandbox'
    ? { result: 'skipped', message: 'A sandbox analyses nothing.' }
    : { result: 'passed' };
}

function resultOfCauses(causes: readonly ReportedCause[], report: Report): Result {
  const [first] = causes;
  if (report.verdict === 'skipped') return { result: 'skipped', message: title(report) };
  if (!first) return { result: 'skipped', message: 'The file was not judged.' };
  const text = causes.map((cause) => describeProblem(cause)).join('\n');
  return { result: 'error', type: first.reason, message: first.message, text };
}

function body({ result, message = '', type, text }: Result): string {
  if (result === 'passed') return '';
  const said = `message="${xml(truncate(message, MAX_TEXT_LENGTH))}"`;
  if (type === undefined) return `<${result} ${said}/>`;
  return `<${result} ${said} type="${xml(truncate(type, 200))}">${xml(text ?? '')}</${result}>`;
}

function issueLine(issue: ReportedIssue, report: Report): string {
  return `${describeIssue(issue, report).name}: ${truncate(issue.headline || issue.summary, MAX_TEXT_LENGTH)}`;
}
