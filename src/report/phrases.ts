import type { Actor, Cause } from '../lib/cause.ts';
import { count, formatBytes, plural } from '../lib/format.ts';
import type { Severity } from '../service/issue.ts';
import type { VerdictName } from '../verdict/judge.ts';
import type { Report, ReportedContent, ReportedIssue } from './report.ts';

/** The wording that all reports share, so that one thing has one name in each of them. */

/** Files, not contents: the same bytes in two paths are two files. */
export function countFiles(assets: readonly ReportedContent[]): number {
  return assets.reduce((sum, { paths }) => sum + paths.length, 0);
}

/** "1 issue stops the check". */
export function stopping(issues: number): string {
  return `${plural(issues, 'issue')} ${issues === 1 ? 'stops' : 'stop'} the check`;
}

/** The date of an ISO time; any other text unchanged. */
export function day(time: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}

const VERDICTS: Readonly<Record<VerdictName, string>> = {
  pass: 'PASS',
  fail: 'FAIL',
  error: 'ERROR',
  skipped: 'NOT CHECKED',
};

/** Whether a reader could take a pass for a clearance although nothing was analysed. */
function isSandboxPass({ verdict, mode }: Pick<Report, 'verdict' | 'mode'>): boolean {
  return verdict === 'pass' && mode === 'sandbox';
}

/** The verdict and its reason in one sentence that can be read alone. */
export function title(report: Report): string {
  if (isSandboxPass(report)) return 'SANDBOX: nothing was analysed';
  return `${VERDICTS[report.verdict]}: ${titleText(report)}`;
}

function titleText({ mode, verdict, headline }: Report): string {
  const isSandboxFailure = mode === 'sandbox' && (verdict === 'fail' || verdict === 'error');
  return headline + (isSandboxFailure ? ' (sandbox: nothing was analysed)' : '');
}

const MARKS: Readonly<Record<VerdictName, string>> = { pass: '✅', fail: '❌', error: '🛑', skipped: '⏭️' };

/** Shape and colour both differ, so that neither alone carries the meaning. */
export function verdictMark(report: Report): string {
  if (isSandboxPass(report)) return '🧪';
  return report.verdict === 'error' && report.isPassing ? '⚠️' : MARKS[report.verdict];
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

/** What an issue means for the check. Its status at the service is another thing. */
type GateEffect = 'stops' | 'counted' | 'known' | 'waived' | 'closed';

export function gateOf({ failsGate, standing }: Pick<ReportedIssue, 'failsGate' | 'standing'>): GateEffect {
  if (failsGate) return 'stops';
  if (standing === 'active') return 'counted';
  return standing === 'ignored' ? 'closed' : standing;
}

export const GATE_LABELS: Readonly<Record<GateEffect, string>> = {
  stops: 'Stops the check',
  counted: 'Active, does not stop the check',
  known: 'Known on the base branch, not counted',
  waived: 'Waived, not counted',
  closed: 'Closed at the service, not counted',
};

/** Compared with the base branch, even if issues that it has count as well. */
export function novelty({ isNew }: ReportedIssue): string {
  if (isNew === undefined) return '';
  return isNew ? 'not on the base branch' : 'also on the base branch';
}

/** The service did not confirm the submission. */
export const UNCLEAR = 'unclear whether submitted';

const SOURCES: Readonly<Record<ReportedContent['source'], string>> = {
  sent: 'sent',
  reused: 'reused',
  awaited: 'sent by an earlier run',
  'not-sent': 'not submitted',
};

/** "sent: changed", "reused: unchanged since 2026-11-01", "sent: new, tried again 2 times". */
export function provenance({ source, sourceReason, analysedAt, retries }: ReportedContent): string {
  if (sourceReason === UNCLEAR) return UNCLEAR;
  const since = source === 'reused' && analysedAt ? ` since ${day(analysedAt)}` : '';
  const why = sourceReason && source !== 'not-sent' ? `: ${sourceReason}${since}` : '';
  return SOURCES[source] + why + (retries > 0 ? `, tried again ${plural(retries, 'time')}` : '');
}

/** "3 of 5"; empty if the service did not say. */
function version({ versionNumber, versionCount }: ReportedContent): string {
  if (versionNumber === undefined) return '';
  return versionCount === undefined ? `${versionNumber}` : `${versionNumber} of ${versionCount}`;
}

/** "image, 1.2 MB, version 3 of 5". */
export function describeFile(asset: ReportedContent): string {
  const which = version(asset);
  return `${asset.category ?? asset.mime}, ${formatBytes(asset.size)}${which === '' ? '' : `, version ${which}`}`;
}

/** "1 new, 2 stayed, 3 fixed"; empty if there is no version before to compare with. */
export function describeChanges({ issues, fixed }: ReportedContent): string {
  if (fixed === undefined) return '';
  const added = issues.filter(({ isNewInVersion }) => isNewInVersion === true).length;
  return `${count(added)} new, ${count(issues.length - added)} stayed, ${count(fixed.length)} fixed`;
}

/** Whether the run took part in no analysis: nothing was sent, reused or awaited. */
export function isWithoutAnalysis({ assets }: Pick<Report, 'assets'>): boolean {
  return assets.every(({ source }) => source === 'not-sent');
}

/**
 * "3 sent, 340 reused": what the run cost, since only what is sent is paid for. Files are counted by path and paid for
 * by content, so both numbers are given if they differ.
 */
export function cost(report: Report): string {
  if (report.causes.some(({ submission }) => submission === 'unconfirmed'))
    return 'unknown: a submission may exist and be billed';
  if (isWithoutAnalysis(report)) return 'nothing';
  const from = (wanted: ReportedContent['source']): readonly ReportedContent[] =>
    report.assets.filter(({ source }) => source === wanted);
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

/** Whether anything was judged at all: if not, a count of issues would mislead. */
export function hasJudged({ assets, verdict, mode }: Report): boolean {
  return verdict !== 'skipped' && mode !== 'sandbox' && assets.some(({ outcome }) => outcome === 'judged');
}

/** What a file's analysis led to. */
export function resultOf({ outcome, issues }: ReportedContent, mode: Report['mode']): string {
  if (outcome !== 'judged') return 'Not judged';
  if (mode === 'sandbox') return 'Not analysed';
  return issues.length === 0 ? 'Without issues' : 'With issues';
}

/** What the verdict means for publishing the files. */
export function consequence(report: Report): string {
  const { verdict, isPassing, mode, counts, lastKnown } = report;
  switch (verdict) {
    case 'fail':
      return 'If this check is required, the change cannot be merged.';
    case 'error':
      if (isPassing)
        return 'The check passes only because `on-service-error: warn` allows an outage. These files were not cleared.';
      // A wrong input, a missing key, no checkout: there are no files to speak of.
      return counts.filesMatched === 0
        ? 'No file was checked. If this check is required, the change cannot be merged.'
        : `${hasJudged(report) ? 'Not every' : 'No'} file was judged. If this check is required, the change cannot be merged.`;
    case 'skipped':
      return `The check passes, but ${counts.filesMatched === 0 ? 'no file was checked' : 'these files were not checked'}. This is not a clearance.`;
    case 'pass':
      if (mode === 'sandbox') return 'The check passes because a sandbox analyses nothing. This is not a clearance.';
      if (lastKnown) return 'The check passes by the last known results: the service could not be reached today.';
      return counts.issues === 0
        ? 'Nothing has to be done.'
        : 'Nothing has to be done, but the issues below are worth a look.';
  }
}

/** What makes this gate fail. */
export function threshold(report: Report): string {
  const { failOnSeverity, failOnIssues } = report.policy;
  if (failOnSeverity === 'never') return 'This gate only reports: no issue fails the check.';
  const which = failOnIssues === 'new' ? 'new issue' : 'issue';
  const above = failOnSeverity === 'CRITICAL' ? 'CRITICAL' : `${failOnSeverity} or worse`;
  return `This gate fails on any ${which} that is ${above}.`;
}

/** The last line of the log: what was done, and what it cost. Counted by content, because contents are billed. */
export function receipt(report: Report): string {
  const { assets, verdict, isPassing } = report;
  const reused = assets.filter(({ source }) => source === 'reused').length;
  const forgiven = verdict === 'error' && isPassing ? ', passes because of `on-service-error: warn`' : '';
  const what = isWithoutAnalysis(report)
    ? 'nothing was analysed'
    : `${analysedPart(report)}, ${count(reused)} reused, ${paidTwicePart(assets)}`;
  return `${what}, verdict ${verdict}${forgiven}`;
}

function analysedPart({ assets, mode, isStateLost }: Report): string {
  const fresh = assets.filter(({ source }) => source === 'sent' || source === 'awaited');
  if (mode === 'sandbox') return `${count(fresh.length)} sent to the sandbox`;
  const analysed = fresh.filter(({ outcome }) => outcome === 'judged').length;
  if (analysed < fresh.length) return `${count(fresh.length)} sent, ${count(analysed)} analysed`;
  return isStateLost && analysed > 0
    ? `${count(analysed)} analysed again: no state was found`
    : `${count(analysed)} analysed`;
}

/** "1 paid twice (earlier analysis failed)": what an earlier run had sent as well, and why it was sent once more. */
function paidTwicePart(assets: readonly ReportedContent[]): string {
  const repeats = assets.filter(({ isPaidAgain }) => isPaidAgain);
  const byReason = Object.entries(Object.groupBy(repeats, ({ sourceReason }) => sourceReason));
  const reasons = byReason.map(
    ([reason, group = []]) => (byReason.length === 1 ? '' : `${count(group.length)} `) + reason,
  );
  return `${count(repeats.length)} paid twice${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`;
}

/** The line that fails the step. GitHub puts "Error: " before it. */
export function failureLine(report: Report): string {
  return report.verdict === 'error' ? titleText(report) : title(report);
}

/** Causes that need a table. If one alone is the verdict, the title and the next step have said it already. */
export function tabledCauses({ causes, verdict, assets }: Report): readonly CauseGroup[] {
  const isSaid = causes.length === 1 || haveFailedAlike(causes, assets.length);
  return isSaid && verdict !== 'fail' ? [] : groupCauses(causes);
}

/** Whether every content failed in the same way: then the service is the likely cause, not the files. */
export function haveFailedAlike(causes: readonly Cause[], contents: number): boolean {
  const isAlike = ({ reason, message, path }: Cause): boolean =>
    path !== undefined && (reason === 'asset-failed' || reason === 'results') && message === causes[0]?.message;
  return causes.length > 1 && causes.length === contents && causes.every(isAlike);
}

const ACTORS: Readonly<Record<Actor, string>> = {
  author: 'the author of the change',
  'workflow owner': 'the owner of the workflow',
  'account owner': 'the owner of the account at the service',
};

/** Says who can do it. */
export function forActor(step: string, actor: Actor): string {
  return `${step} (For ${ACTORS[actor]}.)`;
}

/** The same cause of several files. */
export interface CauseGroup extends Omit<Cause, 'path'> {
  /** Empty if the cause is not about a file. */
  readonly paths: readonly string[];
}

/** Equal causes become one, in the order of the first of each. */
export function groupCauses(causes: readonly Cause[]): readonly CauseGroup[] {
  const groups = Map.groupBy(causes, ({ reason, message, fix, path }) =>
    JSON.stringify([reason, message, fix, path === undefined]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { path: _, ...cause } = first;
    const paths = group.flatMap(({ path }) => (path === undefined ? [] : [path]));
    return [{ ...cause, paths: paths.toSorted(byNumbers) }];
  });
}

/** "take-2" before "take-10". */
function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** What the table is about: a wrong input is no file. */
export function causesTitle({ counts, causes }: Pick<Report, 'counts' | 'causes'>): string {
  const isInput = counts.filesMatched === 0 || causes.every(({ reason }) => reason === 'bad-input');
  return isInput ? 'What is wrong' : 'What could not be judged';
}
