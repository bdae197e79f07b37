import type { Findings } from '../findings.ts';
import type { RunContext } from '../github/context.ts';
import { type Inputs, ISSUE_URL_PLACEHOLDERS } from '../inputs/inputs.ts';
import { type Cause, type Step, withFiles } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import { extensionOf, typeOfExtension } from '../media/media-types.ts';
import { lastKnownOf } from '../plan/describe.ts';
import { isAllReused, isPaidAgain, type PlannedContent } from '../plan/plan.ts';
import type { Analysis } from '../service/analysis.ts';
import { type Issue, SEVERITIES, type Severity, severityRank } from '../service/issue.ts';
import type { EarlierState } from '../state/earlier-state.ts';
import { compare } from '../verdict/compare.ts';
import type { JudgedContent, Verdict } from '../verdict/judge.ts';
import { withHints } from './cause-hints.ts';
import { describeUnattestable } from './cleared.ts';
import { headline, nextSteps } from './headline.ts';
import { countFiles, haveAllFailed } from './phrases.ts';
import type { Counts, Report, ReportedCause, ReportedContent } from './report.ts';

export interface ReportSources {
  readonly found: Findings;
  readonly verdict: Verdict;
  readonly inputs: Pick<Inputs, 'name' | 'service' | 'policy' | 'issueUrl' | 'waiversFile'>;
  readonly context: RunContext;
  /** The files that the pull request does not change; empty if that is not known. */
  readonly untouched: ReadonlySet<string>;
  readonly now: Date;
}

/** verdict → report: the one object that every renderer takes. */
export function buildReport(sources: ReportSources): Report {
  const { found, verdict, inputs, context, now } = sources;
  const { lastKnownCause, stateFile } = found;
  const contents = verdict.contents.map((judged) => reportedContent(judged, sources)).toSorted(bySeriousness);
  const counts = countsOf(contents, found);
  const judged = {
    verdict: verdict.name,
    reason: verdict.reason,
    isPassing: verdict.isPassing,
    mode: inputs.service?.mode ?? ('' as const),
    lastKnown: lastKnownCause && lastKnownOf(lastKnownCause, found.plan),
    causes: reportedCauses(sources),
    counts,
    contents,
  };
  const { failOnSeverity, failOnIssues, ignoreStatuses } = inputs.policy;
  const policy = { failOnSeverity, failOnIssues, ignoreStatuses };
  const sentences = {
    ...judged,
    policy,
    keepsState: stateFile !== '',
    waiversFile: inputs.waiversFile,
    serviceHost: URL.parse(inputs.service?.baseUrl ?? '')?.host,
  };
  const { repository, commit, ref, event, runUrl, serverUrl, branch } = context;
  const report: Report = {
    gate: inputs.name,
    judgedAt: now.toISOString(),
    ...judged,
    headline: headline(sentences),
    nextSteps: withAddress(nextSteps(sentences), context),
    notices: [...found.notices, ...(found.waivers?.notices(contents) ?? [])],
    policy,
    submission: submissionOf(found),
    docs: context.docsUrl,
    run: { repository, commit, ref, event, url: runUrl, serverUrl, branch, pullRequest: pullRequestOf(context) },
    plannedAssets:
      verdict.reason === 'dry-run' ? contents.filter(({ source }) => source === 'not-sent').length : undefined,
    highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
  };
  const unattestable = describeUnattestable(report);
  return unattestable === undefined ? report : { ...report, notices: [...report.notices, unattestable] };
}

/** Equal causes become one, in the order of the first of each. */
function reportedCauses({ found, verdict, context, untouched }: ReportSources): readonly ReportedCause[] {
  const { causes, contents, name, isPassing } = verdict;
  const isUntouched = ({ path }: Cause): boolean => path !== undefined && untouched.has(path);
  const groups = Map.groupBy(causes, (cause) =>
    JSON.stringify([cause.reason, cause.message, cause.steps, cause.path === undefined, isUntouched(cause)]),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => {
      const { path: _path, submissionId: _id, ...cause } = first;
      const paths = group.flatMap(({ path }) => (path === undefined ? [] : [path])).toSorted(byNumbers);
      const facts = {
        isFailing: name === 'error' && !isPassing,
        isSubmissionSaved: found.stateFile !== '' || found.created === undefined,
        isUntouched: isUntouched(first),
        haveAllFailed: haveAllFailed({ reason: cause.reason, paths }, contents.length),
      };
      const submissionIds = [...new Set(group.flatMap(({ submissionId }) => submissionId ?? []))];
      const steps = withAddress(withFiles(withHints(first, facts), paths), context);
      return { ...cause, steps, paths, submissionIds, isUntouched: facts.isUntouched };
    }),
  );
}

/** "take-2" before "take-10". */
function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function withAddress(steps: readonly Step[], { runUrl }: RunContext): readonly Step[] {
  return steps.map((step) => (step.link === 'run' ? { ...step, link: runUrl } : step));
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

function countsOf(contents: readonly ReportedContent[], { discovery }: Findings): Counts {
  const bySeverity: Record<Severity, number> = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  const counts = { issues: 0, newIssues: 0, known: 0, waived: 0, ignored: 0, failing: 0 };
  for (const issue of contents.flatMap((content) => content.issues)) {
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
  const sent = contents.filter(({ source }) => source === 'sent');
  return {
    ...counts,
    bySeverity,
    filesMatched: discovery.files.length,
    filesSubmitted: countFiles(sent),
    filesReused: countFiles(contents.filter(({ source }) => source === 'reused')),
    assetsSubmitted: sent.length,
    assetsFailed: contents.filter(({ outcome }) => outcome === 'failed').length,
  };
}

/** How the analysis was obtained, or would have been. */
type Origin = Pick<ReportedContent, 'source' | 'sourceReason' | 'isPaidAgain' | 'analysedAt'>;

function originOf({ source }: PlannedContent, { found, now }: ReportSources): Origin {
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

function reportedContent(judged: JudgedContent, sources: ReportSources): ReportedContent {
  const { content, analysis, issues } = judged;
  const { found, inputs, untouched } = sources;
  const origin = originOf(judged, sources);
  const isJudged = analysis?.outcome === 'judged';
  // Of a Git LFS pointer, the name says the type.
  const type = content.file?.type ?? typeOfExtension(extensionOf(content.paths[0] ?? ''));
  return {
    paths: content.paths,
    isUntouched: content.paths.every((path) => untouched.has(path)),
    size: content.size,
    sha256: content.sha256,
    mime: type?.mime ?? 'application/octet-stream',
    category: type?.category,
    ...origin,
    analysedAt: isJudged || origin.source === 'reused' ? origin.analysedAt : undefined,
    lastKnownAt: analysis?.lastKnownAt,
    submissionId: analysis?.submissionId,
    assetId: analysis?.assetId,
    versionNumber: analysis?.versionNumber,
    versionCount: analysis?.versionCount,
    retries: analysis?.retries ?? 0,
    outcome: analysis?.outcome ?? 'unjudged',
    issues: issues.map((issue) => ({
      ...issue,
      url: inputs.issueUrl === undefined ? undefined : linkTo(issue, analysis, inputs.issueUrl),
    })),
    fixed: isJudged ? fixedSince(content, analysis.issues, found.history.earlierState) : undefined,
    topics: analysis?.topics ?? [],
  };
}

/** Values come from outside, so each is encoded and cannot leave its place in the address. */
function linkTo({ id, referenceNumber }: Issue, analysis: Analysis | undefined, template: string): string {
  const values = {
    referenceNumber: String(referenceNumber ?? ''),
    issueId: id,
    assetId: analysis?.assetId ?? '',
    submissionId: analysis?.submissionId ?? '',
  };
  return ISSUE_URL_PLACEHOLDERS.reduce(
    (url, name) => url.replaceAll(`{${name}}`, () => encodeURIComponent(values[name].toWellFormed())),
    template,
  );
}

/** What the version before had and this one has not; undefined if there is none. */
function fixedSince(
  { paths, sha256 }: Content,
  issues: readonly Issue[],
  earlierState: EarlierState,
): readonly Issue[] | undefined {
  const before = paths
    .map((path) => earlierState.paths.get(path)?.sha256)
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
