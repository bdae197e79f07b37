import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { reachesThreshold, standingOf } from '../policy/standing.ts';
import { decide } from '../policy/verdict.ts';
import type { ContentResult } from '../service/collect.ts';
import { type Issue, SEVERITIES, type Severity } from '../service/issue.ts';
import type { Content } from '../state/plan.ts';
import type { Trail } from '../trail.ts';
import { headline, nextSteps, pathsOf } from './headline.ts';
import { issueUrl } from './issue-url.ts';
import type { Counts, Report, ReportedAsset, ReportedIssue } from './report.ts';

/** What a run is judged by where its inputs could not be read. */
const STRICT = {
  name: 'media-compliance',
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: [],
  onServiceError: 'error',
} as const;

/** verdict → report: judges what the run found and puts it into the one object that every renderer takes. */
export function buildReport(trail: Trail, context: RunContext, now: Date = new Date()): Report {
  const rules = trail.inputs ?? STRICT;
  const assets = reportedAssets(trail).toSorted(worseFirst);
  const counts = count(assets, trail);
  const causes = [
    ...(trail.stoppedBy ?? []),
    ...(trail.waited?.interruptedBy ? [trail.waited.interruptedBy] : []),
    ...(trail.results ?? []).flatMap((result) => result.causes),
  ];
  const verdict = decide({
    failing: counts.failing,
    causes,
    skipped: trail.skipped,
    wasStopped: trail.wasStopped,
    onServiceError: rules.onServiceError,
  });
  const told = {
    verdict: verdict.name,
    reason: verdict.reason,
    green: verdict.green,
    mode: trail.inputs?.service?.mode ?? ('' as const),
    causes: trail.skipped ? [...causes, trail.skipped] : causes,
    counts,
    assets,
  };
  return {
    gate: rules.name,
    judgedAt: now.toISOString(),
    ...told,
    headline: headline(told),
    nextSteps: nextSteps(told),
    notices: trail.notices,
    policy: {
      failOnSeverity: rules.failOnSeverity,
      failOnIssues: rules.failOnIssues,
      ignoreStatuses: rules.ignoreStatuses,
    },
    submission: { id: trail.submission?.submissionId ?? '', status: trail.waited?.status ?? '' },
    run: {
      repository: context.repository,
      commit: context.commit,
      ref: context.ref,
      event: context.event,
      url: context.runUrl,
    },
    highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
  };
}

function reportedAssets({ inputs, plan, results }: Trail): readonly ReportedAsset[] {
  if (!inputs || !plan) return [];
  const byContent = new Map(results?.map((result) => [result.content.sha256, result]));
  return plan.submit.map((content) => reportedAsset(content, byContent.get(content.sha256), inputs));
}

function reportedAsset(content: Content, result: ContentResult | undefined, inputs: Inputs): ReportedAsset {
  const issues = (result?.issues ?? []).map((issue) => reportedIssue(issue, result, inputs));
  return {
    paths: content.paths,
    size: content.size,
    sha256: content.sha256,
    mime: content.file.type.mime,
    category: content.file.type.category,
    source: result ? 'sent' : 'not-sent',
    sourceReason: '',
    analysedAt: undefined,
    submissionId: result?.submissionId,
    assetId: result?.assetId,
    versionNumber: result?.versionNumber,
    versionCount: result?.versionCount,
    retries: result?.retries ?? 0,
    outcome: result?.outcome ?? 'unjudged',
    issues: issues.toSorted((a, b) => rank(a.severity) - rank(b.severity)),
    fixed: undefined,
    topics: result?.topics ?? [],
  };
}

function reportedIssue(issue: Issue, result: ContentResult | undefined, inputs: Inputs): ReportedIssue {
  const standing = standingOf(issue, inputs);
  return {
    ...issue,
    standing,
    isNew: undefined,
    failsGate: standing === 'active' && reachesThreshold(issue.severity, inputs.failOnSeverity),
    url:
      inputs.issueUrl &&
      issueUrl(inputs.issueUrl, {
        referenceNumber: String(issue.referenceNumber ?? ''),
        issueId: issue.id,
        assetId: result?.assetId ?? '',
        submissionId: result?.submissionId ?? '',
      }),
    waiver: undefined,
  };
}

function count(assets: readonly ReportedAsset[], trail: Trail): Counts {
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
    filesSubmitted: trail.submission ? pathsOf(assets.filter(({ source }) => source === 'sent')) : 0,
    filesReused: pathsOf(assets.filter(({ source }) => source === 'reused')),
    assetsFailed: assets.filter(({ outcome }) => outcome === 'failed').length,
  };
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** What fails the gate, then what could not be judged, then the worst active issue, then by path. */
function worseFirst(a: ReportedAsset, b: ReportedAsset): number {
  return badness(a) - badness(b) || (a.paths[0] ?? '').localeCompare(b.paths[0] ?? '', 'en');
}

function badness({ issues, outcome }: ReportedAsset): number {
  if (issues.some(({ failsGate }) => failsGate)) return 0;
  if (outcome !== 'judged') return 1;
  const active = issues.filter(({ standing }) => standing === 'active').map(({ severity }) => rank(severity));
  return active.length > 0 ? 2 + Math.min(...active) : 2 + SEVERITIES.length;
}
