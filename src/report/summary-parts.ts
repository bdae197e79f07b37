import type { Cause } from '../lib/cause.ts';
import { markdown, prose } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES, type Severity } from '../service/issue.ts';
import type { Budget } from './budget.ts';
import { link, moreAbout } from './link.ts';
import type { ListedIssue } from './order.ts';
import {
  consequence,
  cost,
  countFiles,
  SEVERITY_MARKS,
  SEVERITY_NAMES,
  threshold,
  title,
  verdictMark,
} from './phrases.ts';
import type { Report } from './report.ts';
import { pathCode, pathsShort } from './summary-issues.ts';
import { truncate } from './truncate.ts';

/** What every page has, whatever the run came to. Empty is what there is nothing to say in, or no room for. */
export interface Essentials {
  readonly heading: string;
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
  // In this order: where there is no room for all of it, the last go first.
  return {
    heading: fit(heading(report)),
    meaning: fit(meaning(report)),
    facts: fit(facts(report)),
    worst: fit(worst(listed)),
    footer: fit(footer(report)),
    nextSteps: fit(nextSteps(report)),
    picture: fit(severityPicture(report, listed)),
  };
}

function heading(report: Report): string {
  return `## ${verdictMark(report)} ${prose(truncate(title(report), 400))}`;
}

function meaning(report: Report): string {
  const memory = report.lastKnown ? `\n\n⚠️ ${prose(truncate(report.lastKnown.message, 1_000))}` : '';
  return `**${consequence(report)}**${memory}`;
}

/** Who reads no further still knows what was looked at, what counts and what it cost. */
function facts(report: Report): string {
  return [
    `**${plural(report.counts.filesMatched, 'file')}** ${checkedWord(report)}`,
    issueFacts(report),
    `**${cost(report)}**`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}

function checkedWord(report: Report): string {
  if (report.verdict === 'skipped') return report.counts.filesMatched === 0 ? 'looked at' : 'matched, none checked';
  return report.mode === 'sandbox' ? 'in the sandbox, none analysed' : 'matched';
}

/** "No issues" would be a claim where nothing was looked at. */
function issueFacts({ assets, counts, verdict, mode }: Report): string {
  if (counts.issues === 0) {
    if (verdict === 'skipped' || mode === 'sandbox') return '';
    if (!assets.some(({ outcome }) => outcome === 'judged')) return 'nothing was judged';
    if (verdict !== 'error') return 'no active issues';
    const judged = countFiles(assets.filter(({ outcome }) => outcome === 'judged'));
    return `${count(judged)} judged without an active issue, ${count(counts.filesMatched - judged)} not judged`;
  }
  const stops = `, **${count(counts.failing)} ${counts.failing === 1 ? 'stops' : 'stop'} the check**`;
  return plural(counts.issues, 'active issue') + (counts.failing === 0 ? '' : stops);
}

/** The one thing to look at first. */
function worst([first]: readonly ListedIssue[]): string {
  if (first === undefined || first.issue.standing !== 'active') return '';
  const { asset, issue } = first;
  const words = markdown(truncate(issue.headline || issue.summary, 200));
  return `**${issue.failsGate ? 'Look here first' : 'Worst issue'}:** ${pathsShort(asset)}: ${words} (${SEVERITY_MARKS[issue.severity]} ${issue.severity})`;
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
const MAX_BAR_LENGTH = 16;

/** A bar chart of characters: GitHub strips styles and embedded images from a summary. */
function severityPicture(report: Report, listed: readonly ListedIssue[]): string {
  if (listed.length === 0) return '';
  const most = Math.max(...SEVERITIES.map((severity) => report.counts.bySeverity[severity]));
  const failing: Record<Severity, number> = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  const fresh: Record<Severity, number> = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  for (const { issue } of listed) {
    if (issue.failsGate) failing[issue.severity] += 1;
    if (issue.isNew === true && issue.standing === 'active') fresh[issue.severity] += 1;
  }
  const isCompared = listed.some(({ issue }) => issue.isNew !== undefined);
  const rows = SEVERITIES.map((severity) => {
    const number = report.counts.bySeverity[severity];
    const cells = [
      `${SEVERITY_MARKS[severity]}&nbsp;**${SEVERITY_NAMES[severity]}**`,
      number === 0 ? '' : SQUARES[severity].repeat(barLength(number, most)),
      number === 0 ? '0' : `**${count(number)}**`,
      ...(isCompared ? [count(fresh[severity])] : []),
      failing[severity] === 0 ? '–' : `❌ ${count(failing[severity])}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '### Issues by severity',
    '',
    `| Severity | Active issues | Count |${isCompared ? ' New |' : ''} Stop the check |`,
    `| --- | --- | ---: |${isCompared ? ' ---: |' : ''} --- |`,
    ...rows,
    '',
    [threshold(report), notCounted(report)].filter((sentence) => sentence !== '').join(' '),
  ].join('\n');
}

function barLength(number: number, most: number): number {
  return most <= MAX_BAR_LENGTH ? number : Math.max(1, Math.round((number / most) * MAX_BAR_LENGTH));
}

function notCounted({ counts }: Report): string {
  const told = [
    counts.known > 0 ? `${count(counts.known)} known from the base branch` : '',
    counts.waived > 0 ? `${count(counts.waived)} waived` : '',
    counts.ignored > 0 ? `${count(counts.ignored)} closed in the service` : '',
  ].filter((part) => part !== '');
  return told.length === 0 ? '' : `Not counted: ${told.join(', ')}.`;
}

/** The table of causes; only where one is about a file has it a column for files. */
export interface CauseTable {
  readonly head: string;
  readonly row: (cause: Cause) => string;
}

export function causeTable(causes: readonly Cause[]): CauseTable {
  const hasFiles = causes.some(({ path }) => path !== undefined);
  const columns = [...(hasFiles ? ['File'] : []), 'What happened', 'What to do'];
  return {
    head: [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`].join('\n'),
    row: ({ path, message, fix }) => {
      const file = hasFiles ? [path === undefined ? '–' : pathCode(path)] : [];
      return `| ${[...file, prose(truncate(message, 1_000)), prose(truncate(fix, 600))].join(' | ')} |`;
    },
  };
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
  if (sent.length === 0) return 'Nothing was submitted, so this run cost nothing.';
  const payable = countFiles(sent) === sent.length ? 'files' : 'assets';
  return `Only ${payable} that are sent cost credits; what is reused is free.`;
}

function footer(report: Report): string {
  const { run, submission } = report;
  const money = `**What it cost:** ${cost(report)}. ${paid(report)}`;
  const details = [
    `gate ${markdown(truncate(report.gate, 100))}`,
    run.repository &&
      `${markdown(truncate(run.repository, 100))} at ${markdown(truncate(run.ref, 100))} (${markdown(run.commit.slice(0, 7))})`,
    submission.id && `submission ${markdown(truncate(submission.id, 80))} ${markdown(truncate(submission.status, 40))}`,
    run.url && link(run.url, 'this run'),
    report.fullReport && `full report: ${markdown(truncate(report.fullReport, 300))}`,
  ].filter((part) => part !== '' && part !== undefined);
  return `${money}\n\n<sub>${details.join(' · ')}</sub>`;
}
