import type { Step } from '../lib/cause.ts';
import { markdown, prose } from '../lib/escape.ts';
import { count, plural, truncate } from '../lib/format.ts';
import { countFiles, countUnjudged, issuesByEffect, isWithoutAnalysis, type ListedIssue, signOf } from './facts.ts';
import { breadcrumbs, helpLinks, link } from './github-links.ts';
import {
  describeConsequence,
  describeCost,
  describeNew,
  describeStopping,
  describeUncounted,
  handover,
  NOT_SELECTED,
  nameActor,
  SIGNS,
  stepBlocks,
  title,
} from './phrases.ts';
import type { Report } from './report.ts';
import { checkUnchecked } from './steps.ts';
import {
  causeTable,
  describeUnjudged,
  fileTable,
  issueDetails,
  issueTable,
  pathLinks,
  severityCounts,
} from './summary-parts.ts';

/** GitHub drops the whole summary if it has more than 1 MiB. */
const MAX_BYTES = 1_048_576 - 8_192;
/** GitHub allows 65,536 characters. A text never has fewer bytes than characters, so bytes are a safe measure. */
const MAX_COMMENT_BYTES = 65_536;

/** A longer list of issues becomes a table. */
const MAX_LISTED = 10;
/** With more issues than `MAX_OPEN_LISTED` that stop the check, only the first is unfolded. */
const MAX_OPEN = 3;
const MAX_OPEN_LISTED = 5;
const MAX_STEPS = 5;
const MAX_NOTICES = 20;

/** Renders the job summary: the verdict, the next steps, and the issues, which become a table if there are many. */
export function renderSummary(report: Report): string {
  const parts = [...mainParts(report), noticeList(report), fileList(report)];
  return `${fitInto(MAX_BYTES, parts, report)}\n`;
}

/** Renders the pull-request comment: the marker, then the summary without files, notices and ids for the support. */
export function renderComment(report: Report, marker: string): string {
  const submission = { ...report.submission, id: '', workflowId: undefined };
  return fitInto(MAX_COMMENT_BYTES, [marker, ...mainParts(report)], { ...report, submission });
}

const CUT = 'There is no room for more here. <code>report.html</code> has everything.';

/** Keeps the first parts, which a reader needs most. The first part without room and all later parts are left out. */
function fitInto(limitBytes: number, parts: readonly string[], report: Report): string {
  const wanted = parts.filter((part) => part !== '');
  const end = ['---', footer(report)];
  let left = limitBytes - Buffer.byteLength([CUT, ...end].join('\n\n')) - 10;
  const kept = wanted.filter((part) => {
    left -= Buffer.byteLength(part) + 2;
    return left >= 0;
  });
  return [...kept, ...(kept.length < wanted.length ? [CUT] : []), ...end].join('\n\n');
}

function mainParts(report: Report): readonly string[] {
  const { verdict, causes } = report;
  const { stops, others } = issuesByEffect(report);
  // Headline and steps already say everything about a single cause without details.
  const problems = causes.filter(({ reason }) => reason !== 'dry-run');
  const isSaid = verdict !== 'fail' && problems.length < 2 && problems.every(({ detail }) => detail === undefined);
  return [
    heading(report),
    runFacts(report),
    stepList(report),
    isSaid ? '' : section('Not judged', causeTable(report)),
    ...issueList('Stops the check', report, stops, stops.length > MAX_OPEN_LISTED ? 1 : MAX_OPEN),
    uncheckedList(report),
    ...issueList('Does not stop it', report, others, 0),
  ];
}

/**
 * Shows every issue with its details if there are few. If there are many, shows all in a table, and only the first
 * `maxOpen` with details. At most `maxOpen` details are unfolded.
 */
function issueList(name: string, report: Report, listed: readonly ListedIssue[], maxOpen: number): readonly string[] {
  if (listed.length === 0) return [];
  const isLong = listed.length > MAX_LISTED;
  const all = `**All ${count(listed.length)}** are in ${link(report.reportUrl, '<code>report.html</code>')}, which can be searched and filtered.`;
  const table = isLong ? `${issueTable(listed, report)}\n\n${all}` : '';
  // Beside issues that stop the check, a table of others would only push what matters off the screen.
  const isFolded = isLong && maxOpen === 0 && report.counts.failing > 0;
  return [
    `### ${name} (${count(listed.length)})`,
    isFolded ? fold(`All ${count(listed.length)}`, table) : table,
    ...listed.slice(0, isLong ? maxOpen : MAX_LISTED).map((entry, at) => issueDetails(entry, report, at < maxOpen)),
  ];
}

/** GitHub renders Markdown inside `details` only between empty lines. */
function fold(name: string, text: string): string {
  return `<details><summary>${name}</summary>\n\n${text}\n\n</details>`;
}

function section(name: string, text: string): string {
  return text === '' ? '' : `### ${name}\n\n${text}`;
}

function heading(report: Report): string {
  const { reportUrl, lastKnown } = report;
  const open = reportUrl === undefined ? [] : [`<b>${link(reportUrl, 'Open the report')}</b>`];
  const memory = lastKnown === undefined ? [] : [`⚠️ ${prose(truncate(lastKnown, 1_000))}`];
  const verdict = `## ${SIGNS[signOf(report)].mark} ${prose(truncate(title(report), 400))}`;
  return [verdict, ...open, `**${prose(describeConsequence(report))}**`, ...memory].join('\n\n');
}

function runFacts(report: Report): string {
  const { counts } = report;
  if (counts.filesMatched === 0) return '';
  const unjudged = countUnjudged(report);
  const names = describeUnjudged(report);
  return [
    `**${plural(counts.filesMatched, 'file')}** matched`,
    unjudged > 0 && report.verdict !== 'skipped' && `${count(unjudged)} not judged${names && `: ${names}`}`,
    ...severityCounts(counts.bySeverity),
    counts.failing > 0 && `**${describeStopping(counts.failing)}**`,
    describeNew(report) && `**${prose(describeNew(report))}**`,
    describeUncounted(report),
  ]
    .filter(Boolean)
    .join(' · ');
}

function stepList(report: Report): string {
  const blocks = stepBlocks(report.nextSteps);
  if (blocks.length === 0) return '';
  const parts = blocks.flatMap(({ title, steps }, at) => {
    const hidden = steps.length - MAX_STEPS;
    return [
      blocks.length > 1 ? `**${title}**` : '',
      steps
        .slice(0, MAX_STEPS)
        .map((step, index) => `${at === 0 && blocks.length > 1 ? `${index + 1}.` : '-'} ${stepItem(step, report)}`)
        .join('\n'),
      hidden > 0 ? `and ${plural(hidden, 'more step')} in <code>report.html</code>` : '',
    ];
  });
  const ways = helpLinks(report).map(([intro, text, url]) => `${intro} ${link(url, text)}`);
  return section('What to do now', [...parts, ways.join(' · ')].filter(Boolean).join('\n\n'));
}

function stepItem(step: Step, { contact }: Report): string {
  const { actor, text, note, link: url } = step;
  const shown = { contact: contact && link(contact, markdown(contact)) };
  const after = handover(step, shown) + (note === undefined ? '' : ` ${prose(note)}`);
  return `**${nameActor(actor, shown)}:** ${link(url, prose(truncate(text, 800)))}${after}`;
}

/** Media that the input `files` does not select. On a pass, the steps already say how to add them. */
function uncheckedList(report: Report): string {
  const { unchecked, verdict } = report;
  if (unchecked.length === 0) return '';
  const files = pathLinks({ paths: unchecked, isChanged: undefined }, report, MAX_LISTED);
  const steps = verdict === 'pass' ? [] : checkUnchecked(unchecked).map((step) => `\n\n- ${stepItem(step, report)}`);
  return section(`Not checked (${count(unchecked.length)})`, `${prose(NOT_SELECTED)} ${files}${steps.join('')}`);
}

/** Folded after a real run: the issues and problems above name the files that matter. Empty if no file was analysed. */
function fileList(report: Report): string {
  if (report.reason === 'dry-run') return section('What a real run would do', fileTable(report));
  if (isWithoutAnalysis(report)) return '';
  const number = count(countFiles(report.contents));
  return fold(`Files: ${number}`, fileTable(report));
}

function noticeList({ notices }: Report): string {
  const shown = notices.slice(0, MAX_NOTICES).map((notice) => `- ${prose(truncate(notice, 600))}`);
  const hidden = notices.length - shown.length;
  return section('Also good to know', [...shown, ...(hidden > 0 ? [`- and ${count(hidden)} more`] : [])].join('\n'));
}

function footer(report: Report): string {
  const { run, submission } = report;
  const details = [
    ...breadcrumbs(report).map(([text, url]) => link(url, markdown(truncate(text, 100)))),
    submission.id && `submission ${markdown(truncate(submission.id, 80))} ${markdown(truncate(submission.status, 40))}`,
    submission.workflowId && `workflow ${markdown(truncate(submission.workflowId, 80))}`,
    run.url && link(run.url, 'this run'),
  ].filter(Boolean);
  return `**${report.mode === 'sandbox' ? 'Sandbox' : 'What it cost'}:** ${describeCost(report)}.\n\n${details.join(' · ')}`;
}
