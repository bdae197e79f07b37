import type { Actor, Step } from '../causes/cause.ts';
import { html, safeHref, yaml } from '../lib/escape.ts';
import { formatBytes, plural } from '../lib/format.ts';
import { isJudged } from '../service/analysis.ts';
import { effectOnCheck, type ListedIssue, type Report, type ReportedContent, type ReportedIssue } from './report.ts';

/** The words for an issue, a file and an actor, so that each has the same name in every report. */

/** Returns the date of an ISO time, and any other text unchanged. */
export function day(time: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}

type SignName = Report['verdict'] | 'forgiven' | 'sandbox';

/** The marks differ in shape as well as in colour, for readers who cannot distinguish the colours. */
const SIGNS: Readonly<Record<SignName, Readonly<{ mark: string; word: string }>>> = {
  pass: { mark: '✅', word: 'PASS' },
  fail: { mark: '❌', word: 'FAIL' },
  error: { mark: '🛑', word: 'ERROR' },
  forgiven: { mark: '⚠️', word: 'NOT CHECKED' },
  skipped: { mark: '⏭️', word: 'NOT CHECKED' },
  sandbox: { mark: '🧪', word: 'SANDBOX' },
};

/** The verdict that readers see. A pass in a sandbox and an error that lets the check pass have separate signs. */
export function signOf({ verdict, mode, isPassing }: Pick<Report, 'verdict' | 'mode' | 'isPassing'>) {
  const isForgiven = verdict === 'error' && isPassing;
  const name: SignName = verdict === 'pass' && mode === 'sandbox' ? 'sandbox' : isForgiven ? 'forgiven' : verdict;
  return { name, ...SIGNS[name] };
}

/** The verdict and its reason in one sentence that can be read alone. */
export function title(report: Report): string {
  return `${signOf(report).word}: ${report.headline}`;
}

/** Stands before the names of media that were not checked. */
export const NOBODY_LOOKED = 'Nobody has looked at these media:';

/** What is wrong, in one line. */
export function headlineOf({ headline, summary }: ReportedIssue): string {
  return headline || summary;
}

/** The words for an issue. A text is empty if there is nothing to say. */
export function describeIssue(issue: ReportedIssue) {
  const { standing, referenceNumber, status, waiver, whyNotWaived } = issue;
  const effect = effectOnCheck(issue);
  return {
    number: referenceNumber === undefined ? '' : `#${referenceNumber}`,
    /** How an issue affects the check. This is not the status of the issue at the service. */
    effect: standing === 'active' ? effect : `${effect}: ${standing}`,
    status: status.toLowerCase().replaceAll('_', ' ') || 'none',
    /** Who has waived the issue, or why it is not waived. */
    waiver: waiver ? `${waiver.owner} until ${waiver.expires}: ${waiver.reason}` : (whyNotWaived ?? ''),
  };
}

/** The words for a content. In a dry run, they say what a real run would do. */
export function describeContent(content: ReportedContent, { mode, reason }: Pick<Report, 'mode' | 'reason'>) {
  const { category, mime, size, versionNumber, versionCount, issues, source, sourceReason } = content;
  const version = [versionNumber, versionCount].filter((number) => number !== undefined).join(' of ');
  const isDryRun = reason === 'dry-run';
  const planned = `would be ${source === 'not sent' ? 'sent' : source}`;
  const memory = content.isLastKnown ? `; last known issues, from ${day(content.analysedAt ?? '')}` : '';
  const origin = `${isDryRun ? planned : source}: ${sourceReason}${memory}`;
  const judged = issues.length === 0 ? 'Without issues' : plural(issues.length, 'issue');
  const analysed = mode === 'sandbox' ? 'Not analysed' : judged;
  return {
    version,
    kind: [category ?? mime, formatBytes(size), ...(version === '' ? [] : [`version ${version}`])].join(', '),
    /** "sent: new", "reused: unchanged since 2026-11-01" or, in a dry run, "would be sent: new". */
    origin,
    result: isDryRun ? origin : isJudged(content) ? analysed : 'Not judged',
  };
}

export const UNTOUCHED = 'not changed by this pull request';

const ACTORS: Readonly<Record<Actor, string>> = {
  author: 'Author of the change',
  'file owner': 'Owner of the file',
  'workflow owner': 'Owner of the workflow',
  'account owner': 'Owner of the service account',
  anyone: 'Anyone with write access',
};

export function nameActor({ actor }: Step): string {
  return ACTORS[actor];
}

/** All steps in one line, each with the person who can do the step. */
export function describeSteps(steps: readonly Step[]): string {
  return steps.map((step) => `${nameActor(step)}: ${step.text}`).join(' ');
}

/** What the author of a change reads who can do nothing but hand the report to somebody else. Empty for all others. */
export function describeHandover({ run, isPassing, nextSteps: [first] }: Report): string {
  const isTheirs = first?.actor === 'workflow owner' || first?.actor === 'account owner';
  if (run.subject !== 'pull request' || isPassing || !isTheirs) return '';
  return 'There is nothing to fix in your files: send this link to the people named here.';
}

/** Entries of a waivers file that accept an issue, one for each path, with blanks to be filled in. */
export function waiversToCopy({ issue, content }: Pick<ListedIssue, 'issue' | 'content'>): string {
  const rule = yaml(issue.ruleCode);
  return content.paths
    .map((path) => `- rule: ${rule}\n  path: ${yaml(path)}\n  owner:\n  reason:\n  expires:\n`)
    .join('');
}

// The links. Without a repository, addresses at GitHub are undefined, and reports show plain text.

type Run = Report['run'];
type Link = readonly [text: string, url: string | undefined];

function repositoryUrl({ serverUrl, repository }: Run, page = ''): string | undefined {
  return repository === '' ? undefined : `${serverUrl}/${repository}${page}`;
}

export function fileAtCommitUrl(run: Run, path: string): string | undefined {
  // GitHub removes the merge commit of a pull request after a while, so the link uses the head commit.
  const commit = run.pullRequest?.headCommit ?? run.commit;
  return repositoryUrl(run, `/blob/${commit}/${encodePath(run.folder + path)}`);
}

/** The path as a relative URI in which no character has a special meaning. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** A link in HTML, which Markdown allows. Returns only the text if the address is missing or not safe to follow. */
export function link(url: string | undefined, inner: string): string {
  const href = url === undefined ? undefined : safeHref(url);
  return href === undefined ? inner : `<a href="${html(href)}">${inner}</a>`;
}

/** What was checked, from the repository to the commit, and the run, each with its address. */
export function runLinks({ run, judgedAt }: Report): readonly Link[] {
  const { pullRequest } = run;
  const branch = run.branch.replace(/^refs\/(?:heads|tags)\//, '');
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  const parts: readonly Link[] = [
    [run.repository, repositoryUrl(run)],
    pullRequest ? [`pull request #${pullRequest.number}`, pullRequest.url] : [branch, undefined],
    [run.commit && `commit ${run.commit.slice(0, 7)}`, repositoryUrl(run, `/commit/${run.commit}`)],
    [`run of ${when}`, run.url],
  ];
  return parts.filter(([text]) => text !== '');
}
