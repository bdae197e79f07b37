import { DEFAULT_NAME } from '../inputs/parse.ts';
import { count, formatList, plural, truncate } from '../lib/format.ts';
import { day, headlineOf, signOf, UNTOUCHED } from './phrases.ts';
import {
  countBySeverity,
  countFiles,
  formatSeverities,
  isAccepted,
  issuesWith,
  type ListedIssue,
  problemsOf,
  type Report,
  type ReportedCause,
  type ReportFacts,
} from './report.ts';

/** The sentences about a run as a whole, which are the same in every report. */
export function describeRun(facts: ReportFacts): Pick<Report, 'headline' | 'consequence' | 'cost'> {
  return {
    headline: withName(headline(facts), facts.gate),
    consequence: `A service analyses this repository's media. ${describeMeaning(facts)}`,
    cost: describeCost(facts),
  };
}

/** Adds the name of the gate, if it has one of its own. The text is cut, so that no renderer cuts off the name. */
function withName(text: string, name: string): string {
  return name === DEFAULT_NAME ? text : `${truncate(text, 300)} · ${name}`;
}

function headline(facts: ReportFacts): string {
  const { mode, verdict, isPassing, counts, causes, reason } = facts;
  const sandbox = mode === 'sandbox' ? ' (sandbox: nothing was analysed)' : '';
  switch (verdict) {
    case 'fail':
      return describeFailing(facts) + sandbox;
    case 'pass':
      return sandbox === '' ? describePassing(facts) : 'nothing was analysed';
    case 'error': {
      const number = isPassing ? `${count(counts.filesUnjudged)} of ${plural(counts.filesMatched, 'file')}: ` : '';
      return number + describeCauses(causes) + sandbox;
    }
    case 'skipped':
      return reason === 'dry-run' ? describeDryRun(facts) : describeCauses(causes);
  }
}

function describeFailing(facts: ReportFacts): string {
  const listed = issuesWith('Stops the check', facts);
  const [first] = listed;
  return joinParts(
    first && listed.length === 1 ? describeOnly(first) : describeSeveral(listed, facts),
    describeLastKnown(facts),
  );
}

/** The file and the issue itself: "campaign/hero.mp4: A food may not be said to prevent a disease". */
function describeOnly({ content, issue }: ListedIssue): string {
  const text = truncate(headlineOf(issue), 200).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return `${formatList(content.paths, 1)}${untouched(content)}: ${text || `${issue.severity} ${issue.ruleCode}`}`;
}

/** "40 CRITICAL issues in 12 files, 7 of them changed by this pull request". */
function describeSeveral(listed: readonly ListedIssue[], { counts }: ReportFacts): string {
  const contents = [...new Set(listed.map(({ content }) => content))];
  const own = countFiles(contents.filter(({ isChanged }) => isChanged));
  const isKnown = contents.every(({ isChanged }) => isChanged !== undefined);
  const whose = isKnown ? `, ${own === 0 ? 'none' : count(own)} of them changed by this pull request` : '';
  const what = formatSeverities(listed.map(({ issue }) => issue));
  return `${what.join(', ')} issues in ${count(countFiles(contents))} of ${plural(counts.filesMatched, 'file')}${whose}`;
}

function describePassing(facts: ReportFacts): string {
  const { counts, unchecked, contents } = facts;
  const remembered = contents.filter(({ isLastKnown }) => isLastKnown);
  const checked = counts.filesMatched - countFiles(remembered);
  const criticals = countCriticals(facts);
  return joinParts(
    `${plural(checked, 'file')} checked${criticals > 0 ? `, ${count(criticals)} CRITICAL known` : ''}`,
    describeLastKnown(facts),
    unchecked.length > 0 && `${count(unchecked.length)} not checked: ${formatList(unchecked, 1)}`,
  );
}

/** Counts the CRITICAL issues that nobody has accepted. If the run passes, the files with these issues can be published. */
function countCriticals({ contents }: ReportFacts): number {
  const open = contents.flatMap(({ issues }) => issues.filter((issue) => !isAccepted(issue)));
  return countBySeverity(open).CRITICAL;
}

function describeDryRun(facts: ReportFacts): string {
  const problems = problemsOf(facts);
  const unsent = facts.contents.filter(({ source }) => source === 'not sent').length;
  const planned = `In a real run: ${describeSources(facts, unsent)}.`;
  return `This was a dry run. ${problems.length === 0 ? planned : `A real run would stop: ${describeCauses(problems)}`}`;
}

function describeCauses([first, ...others]: readonly ReportedCause[]): string {
  if (!first) return 'nothing was checked';
  const problems = others.length === 0 ? '' : `${count(others.length + 1)} problems, the first: `;
  return `${problems}${first.path === undefined ? '' : `${first.path}${untouched(first)}: `}${first.message}`;
}

function untouched({ isChanged }: Pick<ReportedCause, 'isChanged'>): string {
  return isChanged === false ? ` (${UNTOUCHED})` : '';
}

function joinParts(...parts: readonly (string | false)[]): string {
  return parts.filter(Boolean).join('; ');
}

/** "2 files judged by last known issues, from 2026-11-01": the day of the oldest result. Empty if there are none. */
function describeLastKnown({ contents }: ReportFacts): string {
  const remembered = contents.filter(({ isLastKnown }) => isLastKnown);
  const [oldest] = remembered.map(({ analysedAt = '' }) => analysedAt).toSorted();
  return oldest ? `${plural(countFiles(remembered), 'file')} judged by last known issues, from ${day(oldest)}` : '';
}

/** What the verdict means for the media or, if the check fails, for the merge. */
function describeMeaning(facts: ReportFacts): string {
  if (!facts.isPassing) return describeBlocked(facts.run);
  if (signOf(facts).name !== 'pass') return 'The check passes, but this is not a clearance.';
  if (facts.unchecked.length > 0 || countCriticals(facts) > 0)
    return 'The check passes, but not all media are cleared.';
  return 'Nothing has to be done.';
}

/** What a red check means for the change, or for the branch or tag if the run is not about a change. */
function describeBlocked({ subject, branch }: Report['run']): string {
  if (subject === 'pull request') return 'If this check is required, the change cannot be merged.';
  if (subject === 'merge group') return 'If this check is required, the change leaves the merge queue.';
  return `\`${branch.replace(/^refs\/tags\//, '') || 'HEAD'}\` holds files that are not cleared.`;
}

/** "12 billed, 340 reused". The numbers count contents, as the bill does. A sandbox bills nothing. */
function describeCost(facts: ReportFacts): string {
  const { causes, counts, submission } = facts;
  if (causes.some(({ submission }) => submission === 'unconfirmed')) return 'unknown: a submission may exist';
  const doubt = submission.mayExistTwice ? ', two submissions may exist' : '';
  return describeSources(facts, counts.assetsSubmitted) + doubt;
}

function describeSources({ contents, mode }: ReportFacts, sent: number): string {
  const { awaited = [], reused = [] } = Object.groupBy(contents, ({ source }) => source);
  const waiting = awaited.length > 0 ? `${count(awaited.length)} awaited, ` : '';
  return `${count(sent)} ${mode === 'sandbox' ? 'sent' : 'billed'}, ${waiting}${count(reused.length)} reused`;
}
