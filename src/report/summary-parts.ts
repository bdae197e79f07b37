import { markdown, prose } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES, type Severity } from '../service/issue.ts';
import { type Budget, truncate } from './budget.ts';
import { branchUrl, commitUrl, link, moreAbout, pullRequestUrl, repositoryUrl } from './github-links.ts';
import {
  type CauseGroup,
  consequence,
  cost,
  countFiles,
  hasJudged,
  isWithoutAnalysis,
  SEVERITY_MARKS,
  SEVERITY_NAMES,
  threshold,
  title,
  verdictMark,
} from './phrases.ts';
import type { ListedIssue, Report } from './report.ts';
import { pathLink, pathLinks } from './summary-rows.ts';

/** What every summary and comment has. A part is empty if it has nothing to say, or no room. */
interface Essentials {
  readonly heading: string;
  readonly open: string;
  readonly meaning: string;
  readonly facts: string;
  readonly worst: string;
  readonly nextSteps: string;
  readonly picture: string;
  readonly footer: string;
}

/** @param listed worst first */
export function essentialsOf(report: Report, listed: readonly ListedIssue[], budget: Budget): Essentials {
  const fit = (text: string): string => (budget.take(text) ? text : '');
  // In this order: if there is no room for all of it, the last parts are left out.
  return {
    heading: fit(heading(report)),
    open: fit(openLink(report)),
    meaning: fit(meaning(report)),
    facts: fit(facts(report)),
    worst: fit(worst(listed, report.run)),
    footer: fit(footer(report)),
    nextSteps: fit(nextSteps(report)),
    picture: fit(severityPicture(report, listed)),
  };
}

function heading(report: Report): string {
  return `## ${verdictMark(report)} ${prose(truncate(title(report), 400))}`;
}

function openLink({ reportUrl }: Report): string {
  return reportUrl === undefined ? '' : `<b>${link(reportUrl, 'Open the report')}</b>`;
}

function meaning(report: Report): string {
  const memory = report.lastKnown ? `\n\n⚠️ ${prose(truncate(report.lastKnown.message, 1_000))}` : '';
  return `**${prose(consequence(report))}**${memory}`;
}

/** What was checked, what counts and what it cost, for a reader who stops here. */
function facts(report: Report): string {
  const { verdict, reason, counts } = report;
  // A wrong input ends the run before it looks for files.
  if (verdict === 'error' && counts.filesMatched === 0 && reason !== 'no-files') return '';
  return [
    `**${plural(counts.filesMatched, 'file')}** ${checkedWord(report)}`,
    issueFacts(report),
    isWithoutAnalysis(report) ? '' : `**${cost(report)}**`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}

function checkedWord(report: Report): string {
  if (report.verdict === 'skipped') return report.counts.filesMatched === 0 ? 'checked' : 'matched, none checked';
  return report.mode === 'sandbox' ? 'in the sandbox, none analysed' : 'matched';
}

/** "No active issues" would mislead if nothing was judged. */
function issueFacts(report: Report): string {
  const { assets, counts, verdict, mode } = report;
  if (counts.issues === 0) {
    if (verdict === 'skipped' || mode === 'sandbox' || counts.filesMatched === 0) return '';
    if (!hasJudged(report)) return 'nothing was judged';
    if (verdict !== 'error') return 'no active issues';
    const judged = countFiles(assets.filter(({ outcome }) => outcome === 'judged'));
    return `${count(judged)} judged without an active issue, ${count(counts.filesMatched - judged)} not judged`;
  }
  const stops = `, **${count(counts.failing)} ${counts.failing === 1 ? 'stops' : 'stop'} the check**`;
  return plural(counts.issues, 'active issue') + (counts.failing === 0 ? '' : stops);
}

/** The one thing to look at first. */
function worst([first]: readonly ListedIssue[], run: Report['run']): string {
  if (first === undefined || first.issue.standing !== 'active') return '';
  const { asset, issue } = first;
  const text = markdown(truncate(issue.headline || issue.summary, 200));
  return `**${issue.failsGate ? 'Look here first' : 'Worst issue'}:** ${pathLinks(asset, run)}: ${text} (${SEVERITY_MARKS[issue.severity]} ${issue.severity})`;
}

const MAX_STEPS = 10;

function nextSteps(report: Report): string {
  if (report.nextSteps.length === 0) return '';
  const shown = report.nextSteps.slice(0, MAX_STEPS).map((step) => prose(truncate(step, 600)));
  const hidden = report.nextSteps.length - shown.length;
  if (hidden > 0) shown.push(`and ${plural(hidden, 'more step')}`);
  const more = moreAbout(report);
  return [
    '### What to do now',
    '',
    ...shown.map((step, index) => `${index + 1}. ${step}`),
    ...(more === '' ? [] : ['', more]),
  ].join('\n');
}

const SQUARES: Readonly<Record<Severity, string>> = { CRITICAL: '🟥', MAJOR: '🟧', MINOR: '🟨', INFO: '🟦' };
/** Longer bars do not fit a phone. */
const MAX_BAR_LENGTH = 8;

/** A bar chart of characters: GitHub strips styles and embedded images from a summary. */
function severityPicture(report: Report, listed: readonly ListedIssue[]): string {
  if (listed.length === 0 || !hasJudged(report)) return '';
  const { bySeverity } = report.counts;
  const max = Math.max(...SEVERITIES.map((severity) => bySeverity[severity]));
  const rows = SEVERITIES.map((severity) => {
    const number = bySeverity[severity];
    const failing = listed.filter(({ issue }) => issue.failsGate && issue.severity === severity).length;
    const bar = number === 0 ? '0' : `${SQUARES[severity].repeat(barLength(number, max))} **${count(number)}**`;
    return `| ${SEVERITY_MARKS[severity]}&nbsp;**${SEVERITY_NAMES[severity]}** | ${bar} | ${failing === 0 ? '–' : `❌ ${count(failing)}`} |`;
  });
  return [
    '### Issues by severity',
    '',
    '| Severity | Active issues | Stop the check |',
    '| --- | --- | --- |',
    ...rows,
    '',
    [threshold(report), notCounted(report)].filter((sentence) => sentence !== '').join(' '),
  ].join('\n');
}

function barLength(number: number, max: number): number {
  return max <= MAX_BAR_LENGTH ? number : Math.max(1, Math.round((number / max) * MAX_BAR_LENGTH));
}

function notCounted({ counts }: Report): string {
  const parts = [
    counts.known > 0 ? `${count(counts.known)} known from the base branch` : '',
    counts.waived > 0 ? `${count(counts.waived)} waived` : '',
    counts.ignored > 0 ? `${count(counts.ignored)} closed at the service` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Not counted: ${parts.join(', ')}.`;
}

/** The table of causes. It has a column for files if one of the causes is about a file. */
interface CauseTable {
  readonly head: string;
  readonly row: (cause: CauseGroup) => string;
}

const MAX_TABLED_PATHS = 3;

export function causeTable(causes: readonly CauseGroup[], run: Report['run']): CauseTable {
  const hasFiles = causes.some(({ paths }) => paths.length > 0);
  const columns = [...(hasFiles ? ['File'] : []), 'What happened', 'What to do'];
  return {
    head: [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`].join('\n'),
    row: ({ paths, message, fix }) => {
      const file = hasFiles ? [filesOf(paths, run)] : [];
      return `| ${[...file, prose(truncate(message, 1_000)), prose(truncate(fix, 600))].join(' | ')} |`;
    },
  };
}

/** "12 files: a, b, c and 9 more" */
function filesOf(paths: readonly string[], run: Report['run']): string {
  if (paths.length === 0) return '–';
  const links = paths.slice(0, MAX_TABLED_PATHS).map((path) => pathLink(path, run));
  const hidden = paths.length - links.length;
  const names = links.join(', ') + (hidden > 0 ? ` and ${count(hidden)} more` : '');
  return paths.length === 1 ? names : `${plural(paths.length, 'file')}: ${names}`;
}

export function notices(report: Report): string {
  if (report.notices.length === 0) return '';
  const shown = report.notices.slice(0, 20).map((notice) => `- ${prose(truncate(notice, 600))}`);
  const hidden = report.notices.length - shown.length;
  if (hidden > 0) shown.push(`- and ${count(hidden)} more`);
  return ['### Also good to know', '', ...shown].join('\n');
}

function paid({ mode, assets }: Report): string {
  if (mode === 'sandbox') return 'A sandbox key costs no credits.';
  const sent = assets.filter(({ source }) => source === 'sent');
  if (sent.length === 0) return 'This run cost nothing.';
  const payable = countFiles(sent) === sent.length ? 'files' : 'assets';
  return `Only ${payable} that are sent cost credits; what is reused is free.`;
}

function footer(report: Report): string {
  const { run, submission } = report;
  const place = run.pullRequest
    ? link(pullRequestUrl(run), `pull request ${run.pullRequest.number}`)
    : link(branchUrl(run), markdown(truncate((run.branch ?? run.ref).replace(/^refs\/(?:heads|tags)\//, ''), 100)));
  const price = isWithoutAnalysis(report) ? '' : ` ${paid(report)}`;
  const money = `**What it cost:** ${cost(report)}.${price}`;
  const details = [
    `gate ${markdown(truncate(report.gate, 100))}`,
    run.repository &&
      `${link(repositoryUrl(run), markdown(truncate(run.repository, 100)))}, ${place}, commit ${link(commitUrl(run), `<code>${markdown(run.commit.slice(0, 7))}</code>`)}`,
    submission.id && `submission ${markdown(truncate(submission.id, 80))} ${markdown(truncate(submission.status, 40))}`,
    submission.workflowId && `workflow ${markdown(truncate(submission.workflowId, 80))}`,
    run.url && link(run.url, 'this run'),
    report.fullReport && `full report: ${markdown(truncate(report.fullReport, 300))}`,
  ].filter((part) => part !== '' && part !== undefined);
  return `${money}\n\n<sub>${details.join(' · ')}</sub>`;
}
