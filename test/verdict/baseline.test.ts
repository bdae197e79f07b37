import { expect, it } from 'vitest';
import { type Issue, SEVERITIES } from '../../src/service/issue.ts';
import { compare } from '../../src/verdict/judge-issues.ts';
import { issue } from '../builders/analyses.ts';

/** Parses issues: `A:MAJOR :MINOR` is one of the rule A and one without a rule code. */
function issuesOf(text: string): readonly Issue[] {
  return text.split(' ').flatMap((each) => {
    const [ruleCode = '', name] = each.split(':');
    const severity = SEVERITIES.find((severity) => severity === name);
    return severity ? [issue({ ruleCode, severity })] : [];
  });
}

function textOf(issues: Iterable<Issue>): string {
  return [...issues].map(({ ruleCode, severity }) => `${ruleCode}:${severity}`).join(' ');
}

it.each<{ title: string; current: string; earlier: string; added?: string; removed?: string }>([
  { title: 'the same', current: 'A:MAJOR', earlier: 'A:MAJOR' },
  { title: 'another rule', current: 'A:MAJOR', earlier: 'B:MAJOR', added: 'A:MAJOR', removed: 'B:MAJOR' },
  { title: 'one more', current: 'A:MAJOR A:MAJOR', earlier: 'A:MAJOR', added: 'A:MAJOR' },
  { title: 'one less', current: 'A:MAJOR', earlier: 'A:MAJOR A:MAJOR', removed: 'A:MAJOR' },
  { title: 'more severe', current: 'A:CRITICAL', earlier: 'A:MAJOR', added: 'A:CRITICAL', removed: 'A:MAJOR' },
  { title: 'less severe', current: 'A:MINOR', earlier: 'A:MAJOR' },
  { title: 'a mild one matches no severe one', current: 'A:MINOR A:CRITICAL', earlier: 'A:CRITICAL A:MINOR' },
  { title: 'the worse one is new', current: 'A:MINOR A:CRITICAL', earlier: 'A:MINOR', added: 'A:CRITICAL' },
  { title: 'the milder one is new', current: 'A:MINOR A:CRITICAL', earlier: 'A:CRITICAL', added: 'A:MINOR' },
  { title: 'the worse one is removed', current: 'A:MAJOR', earlier: 'A:MAJOR A:CRITICAL', removed: 'A:CRITICAL' },
  { title: 'no rule code', current: ':MAJOR', earlier: ':MAJOR', added: ':MAJOR' },
])('comparing issues: $title', ({ current, earlier, added = '', removed = '' }) => {
  const comparison = compare(issuesOf(current), issuesOf(earlier));
  expect([textOf(comparison.added), textOf(comparison.removed)]).toEqual([added, removed]);
});
