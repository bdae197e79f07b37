import type { RunContext } from '../github/context.ts';
import { type Inputs, issueUrl } from '../inputs/inputs.ts';
import type { Content } from '../media/content.ts';
import { extensionOf, type MediaType, typeOfExtension } from '../media/media-types.ts';
import { lastKnownOf } from '../plan/describe.ts';
import { isAllReused, isPaidAgain, type PlannedContent } from '../plan/plan.ts';
import type { Analysis } from '../service/analysis.ts';
import { type Issue, SEVERITIES, type Severity, severityRank } from '../service/issue.ts';
import type { EarlierState } from '../state/earlier-state.ts';
import { compare } from '../verdict/compare.ts';
import type { Findings } from '../verdict/findings.ts';
import type { JudgedContent, Verdict } from '../verdict/judge.ts';
import { reportCauses, withAddress } from './cause-hints.ts';
import { describeUnattestable } from './cleared.ts';
import { headline, nextSteps } from './headline.ts';
import { countFiles } from './phrases.ts';
import type { Counts, Report, ReportedContent } from './report.ts';

export interface ReportSources {
  readonly found: Findings;
  readonly verdict: Verdict;
  readonly inputs: Pick<Inputs, 'name' | 'service' | 'policy' | 'issueUrl' | 'waiversFile'>;
  readonly context: RunContext;
  readonly now: Date;
}

/** verdict → report: the one object that every renderer takes. */
export function buildReport({ found, verdict, inputs, context, now }: ReportSources): Report {
  const { outage, stateFile } = found;
  const sources = { found, issueUrl: inputs.issueUrl, now };
  const assets = verdict.contents.map((judged) => reportedAsset(judged, sources)).toSorted(bySeriousness);
  const counts = countsOf(assets, found);
  const lastKnown = outage && lastKnownOf(outage, found.plan);
  const judged = {
    verdict: verdict.name,
    reason: verdict.reason,
    isPassing: verdict.isPassing,
    mode: inputs.service?.mode ?? ('' as const),
    lastKnown,
    causes: reportCauses(verdict.causes, {
      isFailing: verdict.name === 'error' && !verdict.isPassing,
      isSubmissionSaved: stateFile !== '' || found.created === undefined,
      contents: verdict.contents.length,
      runUrl: context.runUrl,
    }),
    counts,
    assets,
  };
  const sentences = {
    ...judged,
    keepsState: stateFile !== '',
    waiversFile: inputs.waiversFile,
    serviceHost: URL.parse(inputs.service?.baseUrl ?? '')?.host,
  };
  const { failOnSeverity, failOnIssues, ignoreStatuses } = inputs.policy;
  const { repository, commit, ref, event, runUrl, serverUrl, branch } = context;
  const report: Report = {
    gate: inputs.name,
    judgedAt: now.toISOString(),
    ...judged,
    headline: headline(sentences),
    nextSteps: withAddress(nextSteps(sentences), runUrl),
    notices: [...found.notices, ...(found.waivers?.notices(assets) ?? [])],
    policy: { failOnSeverity, failOnIssues, ignoreStatuses },
    submission: submissionOf(found),
    docs: context.docsUrl,
    run: { repository, commit, ref, event, url: runUrl, serverUrl, branch, pullRequest: pullRequestOf(context) },
    highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
  };
  const unattestable = describeUnattestable(report);
  return unattestable === undefined ? report : { ...report, notices: [...report.notices, unattestable] };
}

function pullRequestOf({ pullRequest }: RunContext): Report['run']['pullRequest'] {
  return pullRequest?.number === undefined
    ? undefined
    : { number: pullRequest.number, headCommit: pullRequest.headSha, url: pullRequest.url };
}

/** The submission that was created, else the first one that was awaited. */
function submissionOf({ open, created, waited, plan, skipped }: Findings): Report['submission'] {
  const id = open[0]?.submissionId ?? '';
  const response = waited.find(({ submission }) => submission.submissionId === id)?.response;
  const workflowId = response?.workflowId ?? open[0]?.workflowId;
  const isReused = plan.contents.length > 0 && isAllReused(plan) && !skipped;
  const status = response?.status ?? (waited.length > 0 ? 'unknown' : '');
  return { id, status: isReused ? 'reused' : status, workflowId, mayExistTwice: created?.mayExistTwice ?? false };
}

function countsOf(assets: readonly ReportedContent[], { discovery }: Findings): Counts {
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
    filesMatched: discovery.files.length,
    filesSubmitted: countFiles(assets.filter(({ source }) => source === 'sent')),
    filesReused: countFiles(assets.filter(({ source }) => source === 'reused')),
    assetsFailed: assets.filter(({ outcome }) => outcome === 'failed').length,
  };
}

interface AssetSources {
  readonly found: Findings;
  /** The input `issue-url`. */
  readonly issueUrl: string | undefined;
  readonly now: Date;
}

/** How the analysis was obtained, or would have been. */
type Origin = Pick<ReportedContent, 'source' | 'sourceReason' | 'isPaidAgain' | 'analysedAt'>;

function originOf({ source }: PlannedContent, { found, now }: AssetSources): Origin {
  const today = now.toISOString();
  switch (source.kind) {
    case 'submit': {
      const isCreated = found.created !== undefined;
      return {
        source: isCreated ? 'sent' : 'not-sent',
        sourceReason: source.why,
        isPaidAgain: isCreated && isPaidAgain(source.why),
        analysedAt: isCreated ? today : undefined,
      };
    }
    case 'await':
      return {
        source: 'awaited',
        sourceReason: `sent ${source.createdAt.slice(0, 10)}`,
        isPaidAgain: false,
        analysedAt: today,
      };
    case 'reuse': {
      const { analysedAt } = source.known;
      return { source: 'reused', sourceReason: 'unchanged', isPaidAgain: false, analysedAt };
    }
  }
}

function reportedAsset(judged: JudgedContent, sources: AssetSources): ReportedContent {
  const { content, analysis, issues } = judged;
  const { found, issueUrl: template } = sources;
  const origin = originOf(judged, sources);
  const isJudged = analysis?.outcome === 'judged';
  const { mime, category } = content.file?.type ?? typeOfPointer(content);
  return {
    paths: content.paths,
    size: content.size,
    sha256: content.sha256,
    mime,
    category,
    ...origin,
    analysedAt: isJudged ? origin.analysedAt : undefined,
    lastKnownAt: analysis?.lastKnownAt,
    submissionId: analysis?.submissionId,
    assetId: analysis?.assetId,
    versionNumber: analysis?.versionNumber,
    versionCount: analysis?.versionCount,
    retries: analysis?.retries ?? 0,
    outcome: analysis?.outcome ?? 'unjudged',
    issues: issues.map((issue) => ({
      ...issue,
      url: template === undefined ? undefined : linkTo(issue, analysis, template),
    })),
    fixed: isJudged ? fixedSince(content, analysis.issues, found.history.earlierState) : undefined,
    topics: analysis?.topics ?? [],
  };
}

function linkTo({ id, referenceNumber }: Issue, analysis: Analysis | undefined, template: string): string {
  return issueUrl(template, {
    referenceNumber: String(referenceNumber ?? ''),
    issueId: id,
    assetId: analysis?.assetId ?? '',
    submissionId: analysis?.submissionId ?? '',
  });
}

/** A content that is present only as Git LFS pointers: its type follows from its name. */
function typeOfPointer({ paths }: Content): Pick<MediaType, 'mime' | 'category'> {
  return typeOfExtension(extensionOf(paths[0] ?? '')) ?? { mime: 'application/octet-stream', category: undefined };
}

/** What the version before had and this one has not; undefined if there is none. */
function fixedSince(
  { paths, sha256 }: Content,
  issues: readonly Issue[],
  earlierState: EarlierState,
): readonly Issue[] | undefined {
  const before = paths
    .map((path) => earlierState.path(path)?.sha256)
    .find((earlier) => earlier !== undefined && earlier !== sha256);
  const [known] = before === undefined ? [] : earlierState.analyses(before);
  return known && compare(issues, known.issues).gone;
}

/** Failing contents, then unjudged ones, then by the most severe active issue, then by path. */
function bySeriousness(a: ReportedContent, b: ReportedContent): number {
  return seriousness(a) - seriousness(b) || ((a.paths[0] ?? '') < (b.paths[0] ?? '') ? -1 : 1);
}

function seriousness({ issues, outcome }: ReportedContent): number {
  if (issues.some(({ failsGate }) => failsGate)) return 0;
  if (outcome !== 'judged') return 1;
  const worst = issues.find(({ standing }) => standing === 'active');
  return 2 + (worst ? severityRank(worst.severity) : SEVERITIES.length);
}
