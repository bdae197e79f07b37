import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Cause } from '../lib/cause.ts';
import { isPaidAgain } from '../plan/plan.ts';
import { SEVERITIES, type Severity } from '../service/issue.ts';
import { lastKnownOf } from '../verdict/ending-causes.ts';
import { isServiceFault, type Verdict } from '../verdict/judge.ts';
import type { Outcome } from '../verdict/outcome.ts';
import { type Facts, factsOf } from '../verdict/progress.ts';
import { reportedAssets } from './assets.ts';
import { headline, nextSteps } from './headline.ts';
import { countFiles } from './phrases.ts';
import type { Counts, Report, ReportedAsset } from './report.ts';

export interface ReportSources {
  readonly outcome: Outcome;
  readonly verdict: Verdict;
  readonly inputs: Pick<Inputs, 'name' | 'service' | 'policy' | 'issueUrl' | 'waiversFile'>;
  readonly context: RunContext;
  /** The saved state; empty if none was saved. */
  readonly stateFile: string;
  readonly now: Date;
}

/** verdict → report: the one object that every renderer takes. */
export function buildReport({ outcome, verdict, inputs, context, stateFile, now }: ReportSources): Report {
  const facts = factsOf(outcome.progress);
  const assets = reportedAssets(verdict.contents, { facts, issueUrl: inputs.issueUrl, now });
  const counts = countsOf(assets, facts);
  const lastKnown = facts.outage && facts.plan && lastKnownOf(facts.outage, facts.plan);
  const judged = {
    verdict: verdict.name,
    reason: verdict.reason,
    isPassing: verdict.isPassing,
    mode: inputs.service?.mode ?? ('' as const),
    ...(lastKnown && { lastKnown }),
    isStateLost: facts.history.isStateLost,
    causes: verdict.causes.map((cause) => withOutageHint(cause, verdict)),
    counts,
    assets,
  };
  const sentences = { ...judged, keepsState: stateFile !== '', waiversFile: inputs.waiversFile };
  const { failOnSeverity, failOnIssues, ignoreStatuses } = inputs.policy;
  const { repository, commit, ref, event, runUrl, serverUrl, branch } = context;
  return {
    gate: inputs.name,
    judgedAt: now.toISOString(),
    ...judged,
    headline: headline(sentences),
    nextSteps: nextSteps(sentences),
    notices: [...facts.notices, ...(facts.waivers?.notices(assets) ?? [])],
    policy: { failOnSeverity, failOnIssues, ignoreStatuses },
    submission: submissionOf(outcome, facts),
    ...(context.docsUrl !== undefined && { docs: context.docsUrl }),
    run: { repository, commit, ref, event, url: runUrl, serverUrl, branch, ...pullRequestOf(context) },
    highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
  };
}

function pullRequestOf({ pullRequest }: RunContext): Pick<Report['run'], 'pullRequest'> {
  if (pullRequest?.number === undefined) return {};
  return { pullRequest: { number: pullRequest.number, headCommit: pullRequest.headSha } };
}

/** `on-service-error: warn` is only worth a hint while it is not set. */
function withOutageHint(cause: Cause, { name, isPassing }: Verdict): Cause {
  if (name !== 'error' || !isServiceFault(cause)) return cause;
  const hint = isPassing
    ? 'Until then, these files are not judged.'
    : 'To let merges through during an outage, set `on-service-error: warn`.';
  return { ...cause, fix: `${cause.fix} ${hint}` };
}

/** The submission that was created, else the first one that was awaited. */
function submissionOf({ ending }: Outcome, { submission, waited, plan }: Facts): Report['submission'] {
  const id = submission?.submissionId ?? plan?.await[0]?.submissionId ?? '';
  const { status = '', workflowId, errorMessage } = waited.find((each) => each.submission.submissionId === id) ?? {};
  const isAllReused = plan && plan.submit.length === 0 && plan.await.length === 0 && plan.reuse.length > 0;
  return {
    id,
    status: isAllReused && ending.kind !== 'skipped' ? 'reused' : status,
    ...(workflowId !== undefined && { workflowId }),
    ...(errorMessage !== undefined && { errorMessage }),
  };
}

function countsOf(assets: readonly ReportedAsset[], { discovery, submission, plan }: Facts): Counts {
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
    // Without a baseline, every issue is new.
    if (issue.isNew !== false) counts.newIssues += 1;
  }
  return {
    ...counts,
    bySeverity,
    filesMatched: discovery?.files.length ?? 0,
    filesSubmitted: countFiles(assets.filter(({ source }) => source === 'sent')),
    filesReused: countFiles(assets.filter(({ source }) => source === 'reused')),
    paidAgain: submission ? (plan?.submit.filter(({ why }) => isPaidAgain(why)).length ?? 0) : 0,
    assetsFailed: assets.filter(({ outcome }) => outcome === 'failed').length,
  };
}
