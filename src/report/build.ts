import type { Cause } from '../cause.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { issueUrl } from '../inputs/issue-url.ts';
import type { Content } from '../media/content.ts';
import type { MediaType } from '../media/file.ts';
import { extensionOf, typeOfExtension } from '../media/types.ts';
import { compare } from '../policy/compare.ts';
import { type GateRules, judge } from '../policy/judge.ts';
import { decide } from '../policy/verdict.ts';
import { LET_MERGES_THROUGH } from '../service/advice.ts';
import type { ContentResult } from '../service/collect.ts';
import { type Issue, SEVERITIES, type Severity } from '../service/issue.ts';
import type { Knowledge } from '../state/knowledge.ts';
import type { SendReason } from '../state/plan.ts';
import type { Trail } from '../trail.ts';
import { headline, nextSteps } from './headline.ts';
import { lastKnownOf } from './last-known.ts';
import type { Counts, Report, ReportedAsset, Source } from './report.ts';
import { countFiles } from './words.ts';

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
export function buildReport(trail: Trail, context: RunContext, now: Date = new Date()): Report {
  const rules = trail.inputs ?? STRICT;
  const assets = reportedAssets(trail, now).toSorted(worseFirst);
  const counts = count(assets, trail);
  const causes = causesOf(trail, assets);
  const verdict = decide({
    ...trail,
    failing: counts.failing,
    causes,
    skipped: trail.skipped,
    onServiceError: rules.onServiceError,
  });
  const lastKnown = trail.outage && trail.plan && lastKnownOf(trail.outage, trail.plan);
  const told = {
    verdict: verdict.name,
    reason: verdict.reason,
    green: verdict.green,
    mode: trail.inputs?.service?.mode ?? ('' as const),
    ...(lastKnown && { lastKnown }),
    causes: [...(verdict.green ? causes.map(forgiven) : causes), ...(trail.skipped ? [trail.skipped] : [])],
    counts,
    assets,
  };
  const sentences = { ...told, keepsState: trail.stateFile !== '' };
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
    run: { repository, commit, ref, event, url: runUrl },
    highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
  };
}

function causesOf(
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
  return { ...cause, fix: cause.fix.replace(LET_MERGES_THROUGH, 'Until then, these files have not been judged.') };
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

function reportedAssets(trail: Trail, now: Date): readonly ReportedAsset[] {
  const { inputs, plan, history } = trail;
  if (!inputs || !plan) return [];
  const results = new Map([...trail.reused, ...trail.analysed].map((result) => [result.content.sha256, result]));
  const rules: GateRules = { ...inputs, baseline: history.baseline, waivers: trail.waivers };
  const asset = (
    content: Content,
    source: Source,
    sourceReason: string,
    analysedAt: string | undefined,
  ): ReportedAsset =>
    reportedAsset(
      content,
      results.get(content.sha256),
      { source, sourceReason, analysedAt },
      rules,
      history.knowledge,
      inputs,
    );
  const sent = trail.submission ? 'sent' : 'not-sent';
  return [
    ...plan.submit.map(({ content, why }) => asset(content, sent, why, trail.submission && now.toISOString())),
    ...plan.await.flatMap(({ contents, createdAt }) =>
      contents.map((content) => asset(content, 'awaited', `sent ${createdAt.slice(0, 10)}`, now.toISOString())),
    ),
    ...plan.reuse.map(({ content, known }) => asset(content, 'reused', 'unchanged', known.analysedAt)),
  ];
}

function reportedAsset(
  content: Content,
  result: ContentResult | undefined,
  origin: Pick<ReportedAsset, 'source' | 'sourceReason' | 'analysedAt'>,
  rules: GateRules,
  knowledge: Knowledge,
  { issueUrl: template }: Inputs,
): ReportedAsset {
  const issues = judge(result?.issues ?? [], content, rules);
  const type = content.file?.type ?? typeOfPointer(content);
  const ids = { assetId: result?.assetId ?? '', submissionId: result?.submissionId ?? '' };
  return {
    paths: content.paths,
    size: content.size,
    sha256: content.sha256,
    mime: type.mime,
    category: type.category,
    ...origin,
    analysedAt: result?.outcome === 'judged' ? origin.analysedAt : undefined,
    submissionId: result?.submissionId,
    assetId: result?.assetId,
    versionNumber: result?.versionNumber,
    versionCount: result?.versionCount,
    retries: result?.retries ?? 0,
    outcome: result?.outcome ?? 'unjudged',
    issues: issues.map((issue) => ({
      ...issue,
      url:
        template &&
        issueUrl(template, { ...ids, issueId: issue.id, referenceNumber: String(issue.referenceNumber ?? '') }),
    })),
    fixed: result?.outcome === 'judged' ? fixedSince(content, result.issues, knowledge) : undefined,
    topics: result?.topics ?? [],
  };
}

/** A content that only Git LFS pointers stand for: its name is all there is to go by. */
function typeOfPointer({ paths }: Content): MediaType {
  const extension = extensionOf(paths[0] ?? '');
  const { mime, category } = typeOfExtension(extension) ?? { mime: 'application/octet-stream', category: undefined };
  return { mime, category, extension };
}

/** What the version before had and this one has not; undefined where there is no version before. */
function fixedSince(
  { paths, sha256 }: Content,
  issues: readonly Issue[],
  knowledge: Knowledge,
): readonly Issue[] | undefined {
  const before = paths
    .map((path) => knowledge.path(path)?.sha256)
    .find((earlier) => earlier !== undefined && earlier !== sha256);
  const known = before === undefined ? undefined : knowledge.content(before);
  return known && compare(issues, known.issues).gone;
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
    filesSubmitted: countFiles(assets.filter(({ source }) => source === 'sent')),
    filesReused: countFiles(assets.filter(({ source }) => source === 'reused')),
    paidAgain: trail.submission ? (trail.plan?.submit.filter(({ why }) => WAS_PAID_FOR.has(why)).length ?? 0) : 0,
    assetsFailed: assets.filter(({ outcome }) => outcome === 'failed').length,
  };
}

/** What fails the gate, then what could not be judged, then the worst active issue, then by path. */
function worseFirst(a: ReportedAsset, b: ReportedAsset): number {
  return badness(a) - badness(b) || ((a.paths[0] ?? '') < (b.paths[0] ?? '') ? -1 : 1);
}

function badness({ issues, outcome }: ReportedAsset): number {
  if (issues.some(({ failsGate }) => failsGate)) return 0;
  if (outcome !== 'judged') return 1;
  const worst = issues.find(({ standing }) => standing === 'active');
  return 2 + (worst ? SEVERITIES.indexOf(worst.severity) : SEVERITIES.length);
}
