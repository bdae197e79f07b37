import type { RunContext } from '../github/context.ts';
import { type Inputs, issueUrl } from '../inputs/inputs.ts';
import type { Content } from '../media/content.ts';
import { extensionOf, type MediaType, typeOfExtension } from '../media/media-types.ts';
import { isPaidAgain, type Plan } from '../plan/plan.ts';
import type { ContentResult } from '../service/asset-outcome.ts';
import { type Issue, SEVERITIES, type Severity, severityRank } from '../service/issue.ts';
import type { EarlierState } from '../state/earlier-state.ts';
import { type Comparison, compare } from '../verdict/compare.ts';
import type { JudgedContent, Verdict } from '../verdict/judge.ts';
import { lastKnownOf } from '../verdict/last-known.ts';
import type { Outcome } from '../verdict/outcome.ts';
import { type Facts, factsOf } from '../verdict/progress.ts';
import { withHints } from './cause-hints.ts';
import { headline, nextSteps } from './headline.ts';
import { countFiles, UNCLEAR } from './phrases.ts';
import type { Counts, Report, ReportedAsset } from './report.ts';

export interface ReportSources {
  readonly outcome: Outcome;
  readonly verdict: Verdict;
  readonly inputs: Pick<Inputs, 'name' | 'service' | 'policy' | 'issueUrl' | 'waiversFile' | 'stateKey'>;
  readonly context: RunContext;
  /** The saved state; empty if none was saved. */
  readonly stateFile: string;
  /** Why no later run can reuse what this one submits; undefined if state can be kept. */
  readonly unsavedNotice?: string | undefined;
  readonly now: Date;
}

/** verdict → report: the one object that every renderer takes. */
export function buildReport({
  outcome,
  verdict,
  inputs,
  context,
  stateFile,
  unsavedNotice,
  now,
}: ReportSources): Report {
  const facts = factsOf(outcome.progress);
  const isUnclear = verdict.causes.some(({ mayBeBilled }) => mayBeBilled);
  const assets = reportedAssets(verdict.contents, { facts, issueUrl: inputs.issueUrl, isUnclear, now });
  const counts = countsOf(assets, facts);
  const lastKnown = facts.outage && facts.plan && lastKnownOf(facts.outage, facts.plan);
  const judged = {
    verdict: verdict.name,
    reason: verdict.reason,
    isPassing: verdict.isPassing,
    mode: inputs.service?.mode ?? ('' as const),
    ...(lastKnown && { lastKnown }),
    isStateLost: facts.history.isStateLost,
    causes: verdict.causes.map((cause) =>
      withHints(cause, {
        check: verdict.name === 'error' ? (verdict.isPassing ? 'passes' : 'fails') : undefined,
        isSubmissionSaved: facts.isSubmissionSaved || stateFile !== '',
        isStateBoundToKey: inputs.stateKey === undefined && !facts.history.earlierState.isEmpty,
        assets,
      }),
    ),
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
    notices: [
      ...facts.notices,
      ...(facts.submission && unsavedNotice !== undefined ? [unsavedNotice] : []),
      ...(facts.waivers?.notices(assets) ?? []),
    ],
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

/** The submission that was created, else the first one that was awaited. */
function submissionOf({ ending }: Outcome, { submission, waited, plan }: Facts): Report['submission'] {
  const id = submission?.submissionId ?? plan?.toAwait[0]?.submissionId ?? '';
  const { status = '', workflowId } = waited.find((each) => each.submission.submissionId === id) ?? {};
  const isAllReused = plan && plan.toSubmit.length === 0 && plan.toAwait.length === 0 && plan.toReuse.length > 0;
  return {
    id,
    status: isAllReused && ending.kind !== 'skipped' ? 'reused' : status,
    ...(workflowId !== undefined && { workflowId }),
  };
}

function countsOf(assets: readonly ReportedAsset[], { discovery }: Facts): Counts {
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
    paidAgain: assets.filter((asset) => asset.isPaidAgain).length,
    assetsFailed: assets.filter(({ outcome }) => outcome === 'failed').length,
  };
}

interface AssetSources {
  readonly facts: Facts;
  /** The input `issue-url`. */
  readonly issueUrl: string | undefined;
  /** Whether a submission may exist that this run does not know. */
  readonly isUnclear: boolean;
  readonly now: Date;
}

/** Every content of the run as the reports show it, the most serious first. */
function reportedAssets(contents: readonly JudgedContent[], sources: AssetSources): readonly ReportedAsset[] {
  const { facts, isUnclear, now } = sources;
  const origins = facts.plan
    ? originsIn(facts.plan, submissionState(facts, isUnclear), now)
    : new Map<string, Origin>();
  return contents
    .map((judged) => reportedAsset(judged, origins.get(judged.content.sha256) ?? NOT_SENT, sources))
    .toSorted(bySeriousness);
}

/** How the analysis was obtained, or would have been. */
type Origin = Pick<ReportedAsset, 'source' | 'sourceReason' | 'isPaidAgain' | 'analysedAt'>;

const NOT_SENT: Origin = { source: 'not-sent', sourceReason: '', isPaidAgain: false, analysedAt: undefined };

type SubmissionState = 'created' | 'none' | 'unclear';

function submissionState({ submission }: Facts, isUnclear: boolean): SubmissionState {
  if (submission) return 'created';
  return isUnclear ? 'unclear' : 'none';
}

function originsIn(plan: Plan, submission: SubmissionState, now: Date): ReadonlyMap<string, Origin> {
  const today = now.toISOString();
  const isCreated = submission === 'created';
  return new Map<string, Origin>([
    ...plan.toSubmit.map(({ content, why }): [string, Origin] => [
      content.sha256,
      {
        source: isCreated ? 'sent' : 'not-sent',
        sourceReason: submission === 'unclear' ? UNCLEAR : why,
        isPaidAgain: isCreated && isPaidAgain(why),
        analysedAt: isCreated ? today : undefined,
      },
    ]),
    ...plan.toAwait.flatMap(({ contents, createdAt }) => {
      const sourceReason = `sent ${createdAt.slice(0, 10)}`;
      const origin: Origin = { source: 'awaited', sourceReason, isPaidAgain: false, analysedAt: today };
      return contents.map(({ sha256 }): [string, Origin] => [sha256, origin]);
    }),
    ...plan.toReuse.map(({ content, known }): [string, Origin] => [
      content.sha256,
      { source: 'reused', sourceReason: 'unchanged', isPaidAgain: false, analysedAt: known.analysedAt },
    ]),
  ]);
}

function reportedAsset(
  { content, result, issues }: JudgedContent,
  origin: Origin,
  { facts, issueUrl: template }: AssetSources,
): ReportedAsset {
  const isJudged = result?.outcome === 'judged';
  const { mime, category } = content.file?.type ?? typeOfPointer(content);
  const changes = isJudged ? changesSince(content, result.issues, facts.history.earlierState) : undefined;
  const added = changes && new Set([...changes.added].map(({ id }) => id));
  return {
    paths: content.paths,
    size: content.size,
    sha256: content.sha256,
    mime,
    category,
    ...origin,
    analysedAt: isJudged ? origin.analysedAt : undefined,
    submissionId: result?.submissionId,
    assetId: result?.assetId,
    versionNumber: result?.versionNumber,
    versionCount: result?.versionCount,
    retries: result?.retries ?? 0,
    outcome: result?.outcome ?? 'unjudged',
    issues: issues.map((issue) => ({
      ...issue,
      url: template === undefined ? undefined : linkTo(issue, result, template),
      isNewInVersion: added?.has(issue.id),
    })),
    fixed: changes?.gone,
    topics: result?.topics ?? [],
  };
}

function linkTo({ id, referenceNumber }: Issue, result: ContentResult | undefined, template: string): string {
  return issueUrl(template, {
    referenceNumber: String(referenceNumber ?? ''),
    issueId: id,
    assetId: result?.assetId ?? '',
    submissionId: result?.submissionId ?? '',
  });
}

/** A content that is present only as Git LFS pointers: its type follows from its name. */
function typeOfPointer({ paths }: Content): Pick<MediaType, 'mime' | 'category'> {
  return typeOfExtension(extensionOf(paths[0] ?? '')) ?? { mime: 'application/octet-stream', category: undefined };
}

/** Compared with the version before; undefined if there is none. */
function changesSince(
  { paths, sha256 }: Content,
  issues: readonly Issue[],
  earlierState: EarlierState,
): Comparison<Issue, Issue> | undefined {
  const before = paths
    .map((path) => earlierState.path(path)?.sha256)
    .find((earlier) => earlier !== undefined && earlier !== sha256);
  const known = before === undefined ? undefined : earlierState.content(before);
  return known && compare(issues, known.issues);
}

/** Failing contents, then unjudged ones, then by the most severe active issue, then by path. */
function bySeriousness(a: ReportedAsset, b: ReportedAsset): number {
  return seriousness(a) - seriousness(b) || ((a.paths[0] ?? '') < (b.paths[0] ?? '') ? -1 : 1);
}

function seriousness({ issues, outcome }: ReportedAsset): number {
  if (issues.some(({ failsGate }) => failsGate)) return 0;
  if (outcome !== 'judged') return 1;
  const worst = issues.find(({ standing }) => standing === 'active');
  return 2 + (worst ? severityRank(worst.severity) : SEVERITIES.length);
}
