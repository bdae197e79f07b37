import type { RunContext } from '../github/context.ts';
import type { Cause } from '../lib/cause.ts';
import type { SendReason } from '../plan/plan.ts';
import { WARN_ON_OUTAGE_HINT } from '../service/advice.ts';
import { SEVERITIES, type Severity } from '../service/issue.ts';
import { lastKnownOf } from '../verdict/last-known.ts';
import type { Trail } from '../verdict/trail.ts';
import { decide } from '../verdict/verdict.ts';
import { reportedAssets } from './assets.ts';
import { headline, nextSteps } from './headline.ts';
import { countFiles } from './phrases.ts';
import type { Counts, Report, ReportedAsset } from './report.ts';

/** What a run is judged by where its inputs could not be read. */
const STRICT = {
  name: 'media-compliance',
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: [],
  onServiceError: 'error',
} as const;

/** An earlier run had sent the same bytes to the same sidekicks. */
const WAS_PAID_FOR: ReadonlySet<SendReason> = new Set([
  'analysed too long ago',
  'gone from the service',
  'failed before',
  'never finished',
]);

/** verdict → report: judges what the run found and puts it into the one object that every renderer takes. */
export function buildReport(trail: Trail, context: RunContext, now: Date): Report {
  const rules = trail.inputs ?? STRICT;
  const assets = reportedAssets(trail, now);
  const counts = countsOf(assets, trail);
  const causes = allCauses(trail, assets);
  const { skipped, wasStopped } = trail;
  const verdict = decide({
    failing: counts.failing,
    causes,
    skipped,
    wasStopped,
    onServiceError: rules.onServiceError,
  });
  const lastKnown = trail.outage && trail.plan && lastKnownOf(trail.outage, trail.plan);
  const told = {
    verdict: verdict.name,
    reason: verdict.reason,
    green: verdict.green,
    mode: trail.inputs?.service?.mode ?? ('' as const),
    ...(lastKnown && { lastKnown }),
    causes: [...(verdict.green ? causes.map(forgiven) : causes), ...(skipped ? [skipped] : [])],
    counts,
    assets,
  };
  const sentences = { ...told, keepsState: trail.stateFile !== '', waiversFile: trail.inputs?.waiversFile };
  const { failOnSeverity, failOnIssues, ignoreStatuses } = rules;
  const { repository, commit, ref, event, runUrl } = context;
  return {
    gate: rules.name,
    judgedAt: now.toISOString(),
    ...told,
    headline: headline(sentences),
    nextSteps: nextSteps(sentences),
    notices: [...trail.notices, ...(trail.waivers?.notices(assets) ?? [])],
    policy: { failOnSeverity, failOnIssues, ignoreStatuses },
    submission: submissionOf(trail),
    ...(context.docsUrl !== undefined && { docs: context.docsUrl }),
    run: { repository, commit, ref, event, url: runUrl },
    highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
  };
}

function allCauses(
  { stoppedBy, waited, reused, analysed, skipped }: Trail,
  assets: readonly ReportedAsset[],
): readonly Cause[] {
  const interruptions = waited.map(({ interruptedBy }) => interruptedBy).filter((cause) => cause !== undefined);
  const causes = [...stoppedBy, ...interruptions, ...[...reused, ...analysed].flatMap((result) => result.causes)];
  if (causes.length > 0 || skipped) return causes;
  // A gate fails closed: what nobody has judged cannot pass, whatever the steps before have or have not said.
  return assets.filter(({ outcome }) => outcome !== 'judged').map(unexplained);
}

/** Where an outage is forgiven, nobody has to be told how to forgive it. */
function forgiven(cause: Cause): Cause {
  return { ...cause, fix: cause.fix.replace(WARN_ON_OUTAGE_HINT, 'Until then, these files have not been judged.') };
}

function unexplained({ paths }: ReportedAsset): Cause {
  const [path] = paths;
  return {
    reason: 'results',
    message: 'The file was not judged, and nothing says why.',
    fix: 'Re-run the job; if it stays, please report it: this is a defect of the action.',
    ...(path !== undefined && { path }),
  };
}

/** The one that was created, else the one that was awaited. */
function submissionOf({ submission, waited, plan, skipped }: Trail): Report['submission'] {
  const id = submission?.submissionId ?? plan?.await[0]?.submissionId ?? '';
  const status = waited.find((each) => each.submission.submissionId === id)?.status ?? '';
  const isAllReused = !skipped && plan && plan.submit.length === 0 && plan.await.length === 0 && plan.reuse.length > 0;
  return { id, status: isAllReused ? 'reused' : status };
}

function countsOf(assets: readonly ReportedAsset[], trail: Trail): Counts {
  const bySeverity: Record<Severity, number> = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  const counts = { issues: 0, newIssues: 0, known: 0, waived: 0, ignored: 0, failing: 0 };
  for (const issue of assets.flatMap((asset) => asset.issues)) {
    if (issue.failsGate) counts.failing += 1;
    if (issue.standing !== 'active') {
      counts[issue.standing] += 1;
      continue;
    }
    counts.issues += 1;
    bySeverity[issue.severity] += 1;
    // Without anything to compare with, everything is new.
    if (issue.isNew !== false) counts.newIssues += 1;
  }
  return {
    ...counts,
    bySeverity,
    filesMatched: trail.discovery?.files.length ?? 0,
    filesSubmitted: countFiles(assets.filter(({ source }) => source === 'sent')),
    filesReused: countFiles(assets.filter(({ source }) => source === 'reused')),
    paidAgain: trail.submission ? (trail.plan?.submit.filter(({ why }) => WAS_PAID_FOR.has(why)).length ?? 0) : 0,
    assetsFailed: assets.filter(({ outcome }) => outcome === 'failed').length,
  };
}
