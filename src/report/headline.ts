import { count, formatList, plural, truncate } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { countFiles, countUnjudged, day, describePlanned, UNTOUCHED } from './phrases.ts';
import {
  countBySeverity,
  type JudgedRun,
  type ListedIssue,
  type ReportedCause,
  type ReportedContent,
  stoppingIssues,
} from './report.ts';

/** The reason for the verdict, in one sentence. */
export function headline(facts: JudgedRun): string {
  const { mode, verdict, lastKnown, isPassing, counts, causes, reason } = facts;
  const memory = lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not respond today` : '';
  const sandbox = mode === 'sandbox' ? ' (sandbox: nothing was analysed)' : '';
  switch (verdict) {
    case 'fail':
      return describeFailing(facts) + memory + sandbox;
    case 'pass':
      return describePassing(facts) + memory + describeUnchecked(facts);
    case 'error': {
      const number = isPassing ? `${count(countUnjudged(facts))} of ${plural(counts.filesMatched, 'file')}: ` : '';
      return number + describeCauses(causes) + sandbox;
    }
    case 'skipped':
      return reason === 'dry-run' ? describeDryRun(facts) : describeCauses(causes);
  }
}

function describeFailing(facts: JudgedRun): string {
  const listed = stoppingIssues(facts);
  const [first] = listed;
  const unjudged = countUnjudged(facts);
  const also = unjudged > 0 ? `; ${plural(unjudged, 'file')} could not be judged in this run` : '';
  return (first && listed.length === 1 ? describeOnly(first, facts) : describeSeveral(listed, facts)) + also;
}

/** The file and the issue itself: "campaign/hero.mp4: A food may not be said to prevent a disease". */
function describeOnly({ content, issue }: ListedIssue, { policy, lastKnown }: JudgedRun): string {
  const text = truncate(issue.headline || issue.summary, 200)
    .replace(/\s+/g, ' ')
    .trim();
  const kind = policy.failOnIssues === 'new' ? 'new issue: ' : '';
  const notes = [
    ...(content.isChanged === false ? [UNTOUCHED] : []),
    ...(content.lastKnownAt === undefined || lastKnown ? [] : [describeLastKnown([content])]),
  ];
  return `${nameFiles(content.paths, notes)}: ${kind}${text.replace(/\.$/, '') || `${issue.severity} ${issue.ruleCode}`}`;
}

function describeSeveral(listed: readonly ListedIssue[], { counts, policy, lastKnown }: JudgedRun): string {
  const kind = policy.failOnIssues === 'new' ? 'new ' : '';
  const numbers = countBySeverity(listed.map(({ issue }) => issue));
  const bySeverity = SEVERITIES.filter((severity) => numbers[severity] > 0).map(
    (severity) => `${count(numbers[severity])} ${kind}${severity}`,
  );
  const files = countFiles([...new Set(listed.map(({ content }) => content))]);
  const own = listed.filter(({ content }) => content.isChanged).length;
  const part = own === 0 ? 'none' : own === listed.length ? 'all' : count(own);
  const isKnown = listed.every(({ content }) => content.isChanged !== undefined);
  const whose = isKnown ? `, ${part} of them in files that this pull request changes` : '';
  const known = listed.map(({ content }) => content).filter(({ lastKnownAt }) => lastKnownAt !== undefined);
  const memory = known.length > 0 && !lastKnown ? `, ${count(known.length)} of them ${describeLastKnown(known)}` : '';
  return `${bySeverity.join(', ')} issues in ${count(files)} of ${plural(counts.filesMatched, 'file')}${whose}${memory}`;
}

/** "last known, from 2026-11-01" with the day of the oldest result. */
function describeLastKnown(contents: readonly ReportedContent[]): string {
  const [oldest = ''] = contents.flatMap(({ lastKnownAt }) => lastKnownAt ?? []).toSorted();
  return `last known, from ${day(oldest)}`;
}

/** "campaign/hero.mp4" or "a.png and 2 more", with notes in brackets. */
function nameFiles(paths: readonly string[], notes: readonly string[]): string {
  return `${formatList(paths, 1)}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

function describePassing({ counts, mode }: JudgedRun): string {
  if (mode === 'sandbox') return 'nothing was analysed';
  const active = `${plural(counts.issues, 'active issue')}, none that stops the check`;
  return [
    `${plural(counts.filesMatched, 'file')} checked, ${counts.issues === 0 ? 'no active issues' : active}`,
    ...(counts.waived > 0 ? [`${plural(counts.waived, 'issue')} waived`] : []),
    ...(counts.known > 0 ? [`${plural(counts.known, 'issue')} known from the base branch`] : []),
  ].join('; ');
}

function describeUnchecked({ unchecked, mode }: JudgedRun): string {
  const isSaid = unchecked.length === 0 || mode === 'sandbox';
  return isSaid ? '' : `; ${count(unchecked.length)} not checked: ${formatList(unchecked, 1)}`;
}

function describeDryRun({ causes, contents, mode }: JudgedRun): string {
  const problems = causes.filter(({ reason }) => reason !== 'dry-run');
  const end =
    problems.length === 0 ? describePlanned({ contents, mode }) : `A real run would stop: ${describeCauses(problems)}`;
  return `This was a dry run. ${end}`;
}

function describeCauses([first, ...others]: readonly ReportedCause[]): string {
  if (!first) return 'nothing was checked';
  const problems = others.length === 0 ? '' : `${count(others.length + 1)} problems, the first: `;
  return `${problems}${first.paths.length === 0 ? '' : `${nameFiles(first.paths, first.isChanged === false ? [UNTOUCHED] : [])}: `}${first.message}`;
}
