import { count, plural } from '../lib/format.ts';
import type { Severity } from '../service/issue.ts';
import type { VerdictName } from '../verdict/judge.ts';
import type { Standing } from '../verdict/judge-issues.ts';
import type { Report, ReportedAsset, ReportedIssue, Source } from './report.ts';

/** The words in which every report speaks, so that one thing has one name everywhere. */

/** Files, not contents: the same bytes in two paths are two files. */
export function countFiles(assets: readonly ReportedAsset[]): number {
  return assets.reduce((sum, { paths }) => sum + paths.length, 0);
}

/** "1 issue stops the check". */
export function stopping(issues: number): string {
  return `${plural(issues, 'issue')} ${issues === 1 ? 'stops' : 'stop'} the check`;
}

/** "and 2 more notices", put into a frame; empty where there are none. */
export function andMore(number: number, noun: string, frame: (words: string) => string): string {
  return number > 0 ? frame(`and ${plural(number, `more ${noun}`)}`) : '';
}

/** The date of an ISO time; anything else as it is told. */
export function day(time: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}

const VERDICTS: Readonly<Record<VerdictName, string>> = {
  pass: 'PASS',
  fail: 'FAIL',
  error: 'ERROR',
  skipped: 'NOT CHECKED',
};

/** The verdict and why, in one sentence that can be read alone: never a bare "green" where nothing was looked at. */
export function title(report: Report): string {
  // The headline of a pass says so itself, and a run that was skipped says that nothing was checked.
  const hasLooked = report.verdict === 'fail' || report.verdict === 'error';
  const sandbox = report.mode === 'sandbox' && hasLooked ? ' (sandbox: nothing was analysed)' : '';
  return `${VERDICTS[report.verdict]}: ${report.headline}${sandbox}`;
}

const MARKS: Readonly<Record<VerdictName, string>> = { pass: '✅', fail: '❌', error: '🛑', skipped: '⏭️' };

/** Shape and colour both differ, so that neither alone carries the meaning. */
export function verdictMark(report: Report): string {
  return report.verdict === 'error' && report.green ? '⚠️' : MARKS[report.verdict];
}

export const SEVERITY_MARKS: Readonly<Record<Severity, string>> = {
  CRITICAL: '🔴',
  MAJOR: '🟠',
  MINOR: '🟡',
  INFO: '🔵',
};

export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  CRITICAL: 'Critical',
  MAJOR: 'Major',
  MINOR: 'Minor',
  INFO: 'Info',
};

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  active: 'active',
  known: 'known, so it does not count',
  ignored: 'closed in the service',
  waived: 'waived',
};

/** Whether the base branch has the issue, too. It is compared even where what is known counts. */
export function novelty({ isNew }: ReportedIssue): string {
  if (isNew === undefined) return '';
  return isNew ? 'new' : 'also on the base branch';
}

const SOURCES: Readonly<Record<Source, string>> = {
  sent: 'sent',
  reused: 'reused',
  awaited: 'sent by an earlier run',
  'not-sent': 'not submitted',
};

/** "sent: changed", "reused: unchanged since 2026-11-01", "sent: new, tried again 2 times". */
export function provenance({ source, sourceReason, analysedAt, retries }: ReportedAsset): string {
  const since = source === 'reused' && analysedAt ? ` since ${day(analysedAt)}` : '';
  const why = sourceReason ? `: ${sourceReason}${since}` : '';
  return SOURCES[source] + why + (retries > 0 ? `, tried again ${plural(retries, 'time')}` : '');
}

/** "3 of 5"; empty where the service has not told. */
export function version({ versionNumber, versionCount }: ReportedAsset): string {
  if (versionNumber === undefined) return '';
  return versionCount === undefined ? `${versionNumber}` : `${versionNumber} of ${versionCount}`;
}

/** "image", or the type itself where we do not know its kind. */
export function kind(asset: ReportedAsset): string {
  return asset.category ?? asset.mime;
}

/**
 * "3 sent, 340 reused": what the run cost, since only what is sent is paid for. Files are counted by path and paid for
 * by content, so where the two differ both are told.
 */
export function cost(report: Report): string {
  const from = (wanted: Source): readonly ReportedAsset[] => report.assets.filter(({ source }) => source === wanted);
  const assets = from('sent').length;
  const files = countFiles(from('sent'));
  const sent = `sent${report.mode === 'sandbox' ? ' to the sandbox' : ''}`;
  const awaited = countFiles(from('awaited'));
  return [
    files === assets ? `${count(files)} ${sent}` : `${plural(files, 'file')} ${sent} as ${plural(assets, 'asset')}`,
    `${count(report.counts.filesReused)} reused`,
    ...(awaited > 0 ? [`${count(awaited)} sent by an earlier run`] : []),
  ].join(', ');
}

/** Of files in which nothing was found: a sandbox has not looked. */
export function cleanFiles(mode: Report['mode'], files: number): string {
  return `${plural(files, 'file')} ${mode === 'sandbox' ? 'not analysed' : 'without any issue'}`;
}

/** What it means to somebody who only wants to know whether the files may go out. */
export function consequence({ verdict, green, mode, counts, lastKnown }: Report): string {
  switch (verdict) {
    case 'fail':
      return 'The check is red. Where it is required, this change cannot be merged.';
    case 'error':
      if (green)
        return 'The check is green only because an outage is forgiven here. Nothing says that these files are fine.';
      // A wrong input, a missing key, no checkout: there are no files to speak of.
      return counts.filesMatched === 0
        ? 'The check is red, and no file was looked at.'
        : 'The check is red: nobody can say that all of these files are fine.';
    case 'skipped':
      return `The check is green, but ${counts.filesMatched === 0 ? 'no file was looked at' : 'these files have not been checked'}. Do not take it for a clearance.`;
    case 'pass':
      if (mode === 'sandbox')
        return 'The check is green, but a sandbox analyses nothing. Do not take it for a clearance.';
      if (lastKnown) return 'The check is green by what was known last: the service could not be asked today.';
      return counts.issues === 0
        ? 'The check is green. Nothing has to be done.'
        : 'The check is green. Nothing has to be done, but the issues below are worth a look.';
  }
}

/** "an active CRITICAL issue" is what turns the check red. */
export function threshold(report: Report): string {
  const { failOnSeverity, failOnIssues } = report.policy;
  if (failOnSeverity === 'never') return 'This gate only reports: no issue turns the check red.';
  const which = failOnIssues === 'new' ? 'new issue' : 'issue';
  const above = failOnSeverity === 'CRITICAL' ? 'CRITICAL' : `${failOnSeverity} or worse`;
  return `This gate turns red on any ${which} that is ${above}.`;
}

/** The last line of the log: what was done, and what it cost. Counted by content, as it is paid for. */
export function receipt({ assets, counts, mode, verdict, green }: Report): string {
  const fresh = assets.filter(({ source }) => source === 'sent' || source === 'awaited');
  const analysed =
    mode === 'sandbox'
      ? `${count(fresh.length)} sent to the sandbox`
      : `${count(fresh.filter(({ outcome }) => outcome === 'judged').length)} analysed`;
  const reused = assets.filter(({ source }) => source === 'reused').length;
  const forgiven = verdict === 'error' && green ? ', green by `on-service-error: warn`' : '';
  return `${analysed}, ${count(reused)} reused, ${count(counts.paidAgain)} paid twice, verdict ${verdict}${forgiven}`;
}
