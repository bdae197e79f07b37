import { count, formatList, plural, truncate } from '../lib/format.ts';
import { countBySeverity, countFiles, countUnjudged, issuesByEffect, type ListedIssue, occurring } from './facts.ts';
import { describeLastKnown, describePlanned, describeUncounted, UNTOUCHED } from './phrases.ts';
import type { JudgedRun, ReportedCause } from './report.ts';

export function headline(run: JudgedRun): string {
  const { mode, verdict, isPassing, counts, causes, reason } = run;
  const sandbox = mode === 'sandbox' ? ' (sandbox: nothing was analysed)' : '';
  switch (verdict) {
    case 'fail':
      return describeFailing(run) + sandbox;
    case 'pass':
      return sandbox === '' ? describePassing(run) : 'nothing was analysed';
    case 'error': {
      const number = isPassing ? `${count(countUnjudged(run))} of ${plural(counts.filesMatched, 'file')}: ` : '';
      return number + describeCauses(causes) + sandbox;
    }
    case 'skipped':
      return reason === 'dry-run' ? describeDryRun(run) : describeCauses(causes);
  }
}

function describeFailing(run: JudgedRun): string {
  const listed = issuesByEffect(run).stops;
  const [first] = listed;
  const unjudged = countUnjudged(run);
  return joinParts(
    first && listed.length === 1 ? describeOnly(first, run) : describeSeveral(listed, run),
    unjudged > 0 && `${plural(unjudged, 'file')} could not be judged in this run`,
    describeLastKnown(run),
  );
}

/** The file and the issue itself: "campaign/hero.mp4: A food may not be said to prevent a disease". */
function describeOnly({ content, issue }: ListedIssue, { policy }: JudgedRun): string {
  const text = truncate(issue.headline || issue.summary, 200)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  const kind = policy.failOnIssues === 'new' && issue.isNew ? 'new issue: ' : '';
  return `${nameFiles(content)}: ${kind}${text || `${issue.severity} ${issue.ruleCode}`}`;
}

function describeSeveral(listed: readonly ListedIssue[], { counts, policy, comparison }: JudgedRun): string {
  const kind = policy.failOnIssues === 'new' && comparison ? 'new ' : '';
  const numbers = countBySeverity(listed.map(({ issue }) => issue));
  const bySeverity = occurring(numbers).map((severity) => `${count(numbers[severity])} ${kind}${severity}`);
  const contents = listed.map(({ content }) => content);
  const files = countFiles([...new Set(contents)]);
  const own = contents.filter(({ isChanged }) => isChanged).length;
  const isKnown = contents.every(({ isChanged }) => isChanged !== undefined);
  const whose = isKnown ? `, ${own === 0 ? 'none' : count(own)} of them in files that this pull request changes` : '';
  const added = listed.filter(({ issue }) => issue.isNew).length;
  const isNew = comparison && kind === '' ? `, ${added === 0 ? 'none' : count(added)} of them new` : '';
  return `${bySeverity.join(', ')} issues in ${count(files)} of ${plural(counts.filesMatched, 'file')}${whose}${isNew}`;
}

function describePassing(run: JudgedRun): string {
  const { counts, unchecked } = run;
  const none = run.policy.failOnIssues === 'new' && run.comparison ? 'no new issues' : 'no active issues';
  const active = `${plural(counts.issues, 'active issue')}, none that stops the check`;
  return joinParts(
    `${plural(counts.filesMatched, 'file')} checked, ${counts.issues === 0 ? none : active}`,
    describeUncounted(run),
    describeLastKnown(run),
    unchecked.length > 0 && `${count(unchecked.length)} not checked: ${formatList(unchecked, 1)}`,
  );
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
  return `${problems}${first.paths.length === 0 ? '' : `${nameFiles(first)}: `}${first.message}`;
}

/** "campaign/hero.mp4" or "a.png and 2 more (not changed by this pull request)". */
function nameFiles({ paths, isChanged }: Pick<ReportedCause, 'paths' | 'isChanged'>): string {
  return `${formatList(paths, 1)}${isChanged === false ? ` (${UNTOUCHED})` : ''}`;
}

function joinParts(...parts: readonly (string | false)[]): string {
  return parts.filter(Boolean).join('; ');
}
