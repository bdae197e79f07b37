import { DEFAULTS } from '../inputs/reader.ts';
import { count, formatList, plural, truncate } from '../lib/format.ts';
import {
  countBySeverity,
  countFiles,
  issuesByEffect,
  isUncleared,
  type ListedIssue,
  listIssues,
  occurring,
} from './facts.ts';
import { day, describeUncompared, describeUncounted, signOf, UNTOUCHED } from './phrases.ts';
import type { Report, ReportedCause, ReportFacts, ReportSentences } from './report.ts';

/**
 * The sentences about a run as a whole, which are the same in every report.
 *
 * @param whyUnread why results of earlier runs could not be read again
 */
export function describeRun(run: ReportFacts, whyUnread = ''): ReportSentences {
  const shown = describeLastKnown(run);
  const lastKnown = `${whyUnread} This report shows ${shown}. Issues that were dismissed or re-opened since then are not taken into account.`;
  return {
    headline: withName(headline(run), run.gate),
    consequence: describeConsequence(run),
    cost: describeCost(run),
    lastKnown: shown === '' ? undefined : lastKnown.trimStart(),
  };
}

/** Adds the name of the gate, if it has one of its own. The text is cut, so that no renderer cuts off the name. */
function withName(text: string, name: string): string {
  return name === DEFAULTS.name ? text : `${truncate(text, 300)} · ${name}`;
}

function headline(run: ReportFacts): string {
  const { mode, verdict, isPassing, counts, causes, reason } = run;
  const sandbox = mode === 'sandbox' ? ' (sandbox: nothing was analysed)' : '';
  switch (verdict) {
    case 'fail':
      return describeFailing(run) + sandbox;
    case 'pass':
      return sandbox === '' ? describePassing(run) : 'nothing was analysed';
    case 'error': {
      const number = isPassing ? `${count(counts.filesUnjudged)} of ${plural(counts.filesMatched, 'file')}: ` : '';
      return number + describeCauses(causes) + sandbox;
    }
    case 'skipped':
      return reason === 'dry-run' ? describeDryRun(run) : describeCauses(causes);
  }
}

function describeFailing(run: ReportFacts): string {
  const listed = issuesByEffect(run).stops;
  const [first] = listed;
  const { filesUnjudged: unjudged } = run.counts;
  return joinParts(
    first && listed.length === 1 ? describeOnly(first, run) : describeSeveral(listed, run),
    unjudged > 0 && `${plural(unjudged, 'file')} could not be judged in this run`,
    describeLastKnown(run),
  );
}

/** The file and the issue itself: "campaign/hero.mp4: A food may not be said to prevent a disease". */
function describeOnly({ content, issue }: ListedIssue, { policy }: ReportFacts): string {
  const text = truncate(issue.headline || issue.summary, 200)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  const kind = policy.failOnIssues === 'new' && issue.isNew ? 'new issue: ' : '';
  return `${nameFiles(content)}: ${kind}${text || `${issue.severity} ${issue.ruleCode}`}`;
}

function describeSeveral(listed: readonly ListedIssue[], { counts, policy, comparison }: ReportFacts): string {
  const kind = policy.failOnIssues === 'new' && comparison ? 'new ' : '';
  const contents = listed.map(({ content }) => content);
  const files = countFiles([...new Set(contents)]);
  const own = contents.filter(({ isChanged }) => isChanged).length;
  const isKnown = contents.every(({ isChanged }) => isChanged !== undefined);
  const whose = isKnown ? `, ${own === 0 ? 'none' : count(own)} of them in files that this pull request changes` : '';
  const added = listed.filter(({ issue }) => issue.isNew).length;
  const isNew = comparison && kind === '' ? `, ${added === 0 ? 'none' : count(added)} of them new` : '';
  return `${describeSeverities(listed, kind)} issues in ${count(files)} of ${plural(counts.filesMatched, 'file')}${whose}${isNew}`;
}

/** "2 CRITICAL, 1 MAJOR". */
function describeSeverities(listed: readonly ListedIssue[], kind = ''): string {
  const numbers = countBySeverity(listed.map(({ issue }) => issue));
  return occurring(numbers)
    .map((severity) => `${count(numbers[severity])} ${kind}${severity}`)
    .join(', ');
}

function describePassing(run: ReportFacts): string {
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

function describeDryRun(run: ReportFacts): string {
  const problems = run.causes.filter(({ reason }) => reason !== 'dry-run');
  const end = problems.length === 0 ? describePlanned(run) : `A real run would stop: ${describeCauses(problems)}`;
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

/** "2 files as last known, from 2026-11-01" with the day of the oldest result; empty if no earlier result is shown. */
function describeLastKnown({ contents }: ReportFacts): string {
  const unread = contents.filter(({ lastKnownAt }) => lastKnownAt !== undefined);
  const [oldest] = unread.map(({ lastKnownAt = '' }) => lastKnownAt).toSorted();
  return oldest === undefined ? '' : `${plural(countFiles(unread), 'file')} as last known, from ${day(oldest)}`;
}

/** Whether a live run has results, of its own or of an earlier run. */
function hasJudged({ contents, verdict, mode }: ReportFacts): boolean {
  return (
    verdict !== 'skipped' &&
    mode !== 'sandbox' &&
    contents.some(({ outcome, issues }) => outcome === 'judged' || issues.length > 0)
  );
}

/** What a red check means for the change, or for the branch or tag if the run is not about a change. */
function describeBlocked({ subject, branch }: Report['run']): string {
  if (subject === 'pull request') return 'If this check is required, the change cannot be merged.';
  if (subject === 'merge group') return 'If this check is required, the change leaves the merge queue.';
  const place = branch === '' ? 'The checkout' : `\`${branch.replace(/^refs\/tags\//, '')}\``;
  return `${place} holds files that this gate does not clear.`;
}

/** Says in a run that passes which files are not cleared, because a known issue of theirs reaches the threshold. */
function describeKnown(run: ReportFacts): string | undefined {
  const known = listIssues(run).filter(({ issue }) => isUncleared(issue, run.policy));
  if (run.verdict !== 'pass' || known.length === 0) return undefined;
  const paths = [...new Set(known.flatMap(({ content }) => content.paths))].map((path) => `\`${path}\``);
  return `Nothing new stops the check, but ${formatList(paths, 3)} ${paths.length === 1 ? 'is' : 'are'} not cleared: ${describeSeverities(known)} known.`;
}

/** What the verdict means for the merge and, if something was judged, under which policy. */
function describeConsequence(run: ReportFacts): string {
  const { failOnSeverity, failOnIssues } = run.policy;
  const sign = signOf(run);
  const isIncomplete = sign.name === 'pass' && run.unchecked.length > 0;
  const means = isIncomplete
    ? 'The check passes, but the media that were not checked are not cleared.'
    : (describeKnown(run) ?? sign.consequence ?? describeBlocked(run.run));
  if (run.verdict === 'error')
    return `${hasJudged(run) ? 'Not every file was judged.' : 'No file was judged.'} ${means}`;
  if (run.reason === 'dry-run' && run.causes.length > 1) return `${means} ${describePlanned(run)}`;
  if (!hasJudged(run)) return means;
  if (failOnSeverity === 'never') return `${means} This gate only reports: no issue fails the check.`;
  const which = failOnIssues === 'new' ? 'new issue' : 'issue';
  const above = failOnSeverity === 'CRITICAL' ? 'CRITICAL' : `${failOnSeverity} or worse`;
  return `${means} This gate fails on any ${which} that is ${above}. ${describeUncompared(run)}`.trimEnd();
}

/** "12 billed, 340 reused, 1 paid again". The numbers count contents, as the bill does. A sandbox bills nothing. */
function describeCost(run: ReportFacts): string {
  const { contents, causes, mode, counts, submission } = run;
  if (causes.some(({ submission }) => submission === 'unconfirmed'))
    return `unknown: a submission may exist${mode === 'sandbox' ? '' : ' and be billed'}`;
  // Nothing was sent, reused or awaited.
  const isWithoutAnalysis = run.verdict === 'skipped' || contents.every(({ source }) => source === 'not-sent');
  if (isWithoutAnalysis) return mode === 'sandbox' ? 'nothing was sent' : 'nothing was analysed or billed';
  const { awaited = [], reused = [] } = Object.groupBy(contents, ({ source }) => source);
  const paidAgain = mode === 'sandbox' ? 0 : contents.filter(({ isPaidAgain }) => isPaidAgain).length;
  return [
    `${count(counts.assetsSubmitted)} ${mode === 'sandbox' ? 'sent' : 'billed'}`,
    ...(awaited.length > 0 ? [`${count(awaited.length)} awaited`] : []),
    `${count(reused.length)} reused`,
    ...(paidAgain > 0 ? [`${count(paidAgain)} paid again`] : []),
    ...(submission.mayExistTwice ? ['two submissions may exist'] : []),
  ].join(', ');
}

/** The result of a dry run: "A real run would send 3 assets (billed), reuse 20, wait for 1." */
function describePlanned({ contents, mode }: ReportFacts): string {
  const { 'not-sent': unsent = [], reused = [], awaited = [] } = Object.groupBy(contents, ({ source }) => source);
  const billed = mode === 'sandbox' ? '' : ' (billed)';
  const parts = [
    unsent.length === 0 ? 'send nothing' : `send ${plural(unsent.length, 'asset')}${billed}`,
    ...(reused.length > 0 ? [`reuse ${count(reused.length)}`] : []),
    ...(awaited.length > 0 ? [`wait for ${count(awaited.length)}`] : []),
  ];
  return `A real run would ${parts.join(', ')}.`;
}
