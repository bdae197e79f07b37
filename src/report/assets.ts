import { issueUrl } from '../inputs/issue-url.ts';
import type { Content } from '../media/content.ts';
import type { MediaType } from '../media/file.ts';
import { extensionOf, typeOfExtension } from '../media/media-types.ts';
import type { Plan } from '../plan/plan.ts';
import type { ContentResult } from '../service/content-result.ts';
import { type Issue, SEVERITIES, severityRank } from '../service/issue.ts';
import type { EarlierState } from '../state/earlier-state.ts';
import { compare } from '../verdict/compare.ts';
import { type GateRules, judge } from '../verdict/judge.ts';
import type { Trail } from '../verdict/trail.ts';
import type { ReportedAsset } from './report.ts';

/** All that a run was about, judged, worst first. Empty where it did not come as far as a plan. */
export function reportedAssets(trail: Trail, now: Date): readonly ReportedAsset[] {
  const { inputs, plan, history, waivers } = trail;
  if (!inputs || !plan) return [];
  const results = new Map([...trail.reused, ...trail.analysed].map((result) => [result.content.sha256, result]));
  const grounds = {
    rules: { ...inputs, baseline: history.baseline, waivers },
    earlierState: history.earlierState,
    issueUrl: inputs.issueUrl,
  };
  return originsIn(plan, trail.submission !== undefined, now)
    .map(([content, origin]) => reportedAsset(content, origin, results.get(content.sha256), grounds))
    .toSorted(worseFirst);
}

/** How an analysis came to us, or would have. */
type Origin = Pick<ReportedAsset, 'source' | 'sourceReason' | 'analysedAt'>;

function originsIn(plan: Plan, isSent: boolean, now: Date): readonly (readonly [Content, Origin])[] {
  const today = now.toISOString();
  const sent = isSent
    ? ({ source: 'sent', analysedAt: today } as const)
    : ({ source: 'not-sent', analysedAt: undefined } as const);
  return [
    ...plan.submit.map(({ content, why }) => [content, { ...sent, sourceReason: why }] as const),
    ...plan.await.flatMap(({ contents, createdAt }) => {
      const origin = { source: 'awaited', sourceReason: `sent ${createdAt.slice(0, 10)}`, analysedAt: today } as const;
      return contents.map((content) => [content, origin] as const);
    }),
    ...plan.reuse.map(
      ({ content, known }) =>
        [content, { source: 'reused', sourceReason: 'unchanged', analysedAt: known.analysedAt }] as const,
    ),
  ];
}

/** What every content is judged by. */
interface Grounds {
  readonly rules: GateRules;
  readonly earlierState: EarlierState;
  readonly issueUrl: string | undefined;
}

function reportedAsset(
  content: Content,
  origin: Origin,
  result: ContentResult | undefined,
  { rules, earlierState, issueUrl: template }: Grounds,
): ReportedAsset {
  const isJudged = result?.outcome === 'judged';
  const { mime, category } = content.file?.type ?? typeOfPointer(content);
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
    issues: judge(result?.issues ?? [], content, rules).map((issue) => ({
      ...issue,
      url: template === undefined ? undefined : linkTo(issue, result, template),
    })),
    fixed: isJudged ? fixedSince(content, result.issues, earlierState) : undefined,
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

/** A content that only Git LFS pointers stand for: its name is all there is to go by. */
function typeOfPointer({ paths }: Content): Pick<MediaType, 'mime' | 'category'> {
  return typeOfExtension(extensionOf(paths[0] ?? '')) ?? { mime: 'application/octet-stream', category: undefined };
}

/** What the version before had and this one has not; undefined where there is no version before. */
function fixedSince(
  { paths, sha256 }: Content,
  issues: readonly Issue[],
  earlierState: EarlierState,
): readonly Issue[] | undefined {
  const before = paths
    .map((path) => earlierState.path(path)?.sha256)
    .find((earlier) => earlier !== undefined && earlier !== sha256);
  const known = before === undefined ? undefined : earlierState.content(before);
  return known && compare(issues, known.issues).gone;
}

/** What fails the gate, then what could not be judged, then the worst active issue, then by path. */
function worseFirst(a: ReportedAsset, b: ReportedAsset): number {
  return badness(a) - badness(b) || ((a.paths[0] ?? '') < (b.paths[0] ?? '') ? -1 : 1);
}

function badness({ issues, outcome }: ReportedAsset): number {
  if (issues.some(({ failsGate }) => failsGate)) return 0;
  if (outcome !== 'judged') return 1;
  const worst = issues.find(({ standing }) => standing === 'active');
  return 2 + (worst ? severityRank(worst.severity) : SEVERITIES.length);
}
