import type { Cause } from '../lib/cause.ts';
import { xml } from '../lib/escape.ts';
import { truncate } from './budget.ts';
import { provenance, stopping, title } from './phrases.ts';
import type { Report, ReportedContent, ReportedIssue } from './report.ts';

const MAX_TEXT_LENGTH = 2_000;
const MAX_ISSUES = 200;

type Result = 'passed' | 'failed' | 'error' | 'skipped';

interface Case {
  readonly name: string;
  readonly result: Result;
  readonly body: string;
}

/** junit.xml: a test case for each file, and one for each problem that belongs to no file. */
export function renderJunit(report: Report): string {
  const causes = Map.groupBy(report.causes, ({ path }) => path);
  const cases: Case[] = report.assets.flatMap((asset) => {
    // A cause names one path of a content, and is also that of its copies.
    const own = asset.paths.flatMap((path) => causes.get(path) ?? []);
    return asset.paths.map((name) => fileCase(report, asset, { name, causes: own }));
  });
  const listed = new Set(report.assets.flatMap((asset) => asset.paths));
  for (const cause of report.causes) {
    if (cause.path !== undefined && listed.has(cause.path)) continue;
    const name = cause.path ?? cause.reason;
    const body = element('error', { type: cause.reason, message: cause.message, text: cause.fix });
    cases.push(report.verdict === 'skipped' ? skippedCase(name, title(report)) : { name, result: 'error', body });
  }
  const total = (result: Result): number => cases.filter((one) => one.result === result).length;
  const counts = `tests="${cases.length}" failures="${total('failed')}" errors="${total('error')}"`;
  const gate = xml(report.gate);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${gate}" ${counts} time="0">`,
    `<testsuite name="${gate}" ${counts} skipped="${total('skipped')}" time="0" timestamp="${xml(report.judgedAt)}">`,
    `<properties>${properties(report).join('')}</properties>`,
    ...cases.map((one) => `<testcase classname="${gate}" name="${xml(one.name)}" time="0">${one.body}</testcase>`),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function properties(report: Report): readonly string[] {
  const shown: readonly (readonly [string, string])[] = [
    ['verdict', report.verdict],
    ['headline', title(report)],
    ...(report.lastKnown ? [['last-known', report.lastKnown.since] as const] : []),
  ];
  return shown.map(([name, value]) => `<property name="${name}" value="${xml(truncate(value, MAX_TEXT_LENGTH))}"/>`);
}

function fileCase(
  report: Report,
  asset: ReportedContent,
  { name, causes }: { readonly name: string; readonly causes: readonly Cause[] },
): Case {
  const failing = asset.issues.filter((issue) => issue.failsGate);
  const rest = asset.issues.filter((issue) => !issue.failsGate);
  const [cause, ...further] = causes;
  const isError = failing.length === 0 && asset.outcome !== 'judged';
  // A case has one result, and an error one message: everything else goes to the output.
  const problems = (isError ? further : causes).map(({ message, fix }) =>
    truncate(`${message} ${fix}`, MAX_TEXT_LENGTH),
  );
  const output = `<system-out>${xml([provenance(asset), ...problems, ...lines(rest)].join('\n'))}</system-out>`;
  const [worst] = failing;
  if (worst !== undefined) {
    const type = `${worst.severity} ${worst.ruleCode}`;
    const failure = { type, message: stopping(failing.length), text: lines(failing).join('\n') };
    return { name, result: 'failed', body: element('failure', failure) + output };
  }
  if (report.verdict === 'skipped') return skippedCase(name, title(report));
  if (asset.outcome === 'judged') {
    if (report.mode === 'sandbox') return skippedCase(name, 'A sandbox analyses nothing.');
    return { name, result: 'passed', body: output };
  }
  if (!cause) return skippedCase(name, 'The file was not judged.');
  const error = { type: cause.reason, message: cause.message, text: cause.fix };
  return { name, result: 'error', body: element('error', error) + output };
}

function skippedCase(name: string, why: string): Case {
  return { name, result: 'skipped', body: `<skipped message="${xml(truncate(why, MAX_TEXT_LENGTH))}"/>` };
}

interface Detail {
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

function element(name: 'failure' | 'error', { type, message, text }: Detail): string {
  return `<${name} message="${xml(truncate(message, MAX_TEXT_LENGTH))}" type="${xml(truncate(type, 200))}">${xml(text)}</${name}>`;
}

function lines(issues: readonly ReportedIssue[]): readonly string[] {
  const shown = issues.slice(0, MAX_ISSUES).map((issue) => {
    const number = issue.referenceNumber === undefined ? '' : ` #${issue.referenceNumber}`;
    const text = truncate(issue.headline || issue.summary, MAX_TEXT_LENGTH);
    return `${issue.severity} ${truncate(issue.ruleCode, 200)}${number} (${issue.standing}, ${truncate(issue.status, 80)}): ${text}`;
  });
  return issues.length > MAX_ISSUES ? [...shown, `and ${issues.length - MAX_ISSUES} more`] : shown;
}
