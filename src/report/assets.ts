import { issueUrl } from '../inputs/inputs.ts';
import type { Content } from '../media/content.ts';
import type { MediaType } from '../media/file.ts';
import { extensionOf, typeOfExtension } from '../media/media-types.ts';
import type { Plan } from '../plan/plan.ts';
import type { ContentResult } from '../service/asset-outcome.ts';
import { type Issue, SEVERITIES, severityRank } from '../service/issue.ts';
import type { EarlierState } from '../state/earlier-state.ts';
import { type Comparison, compare } from '../verdict/compare.ts';
import type { JudgedContent } from '../verdict/judge.ts';
import type { Facts } from '../verdict/progress.ts';
import type { ReportedAsset } from './report.ts';

export interface AssetSources {
  readonly facts: Facts;
  /** The input `issue-url`. */
  readonly issueUrl: string | undefined;
  readonly now: Date;
}

/** Every content of the run as the reports show it, the most serious first. */
export function reportedAssets(contents: readonly JudgedContent[], sources: AssetSources): readonly ReportedAsset[] {
  const { facts, now } = sources;
  const origins = facts.plan ? originsIn(facts.plan, facts.submission !== undefined, now) : new Map<string, Origin>();
  return contents
    .map((judged) => reportedAsset(judged, origins.get(judged.content.sha256) ?? NOT_SENT, sources))
    .toSorted(bySeriousness);
}

/** How the analysis was obtained, or would have been. */
type Origin = Pick<ReportedAsset, 'source' | 'sourceReason' | 'analysedAt'>;

const NOT_SENT: Origin = { source: 'not-sent', sourceReason: '', analysedAt: undefined };

function originsIn(plan: Plan, isSent: boolean, now: Date): ReadonlyMap<string, Origin> {
  const today = now.toISOString();
  const sent = isSent
    ? ({ source: 'sent', analysedAt: today } as const)
    : ({ source: 'not-sent', analysedAt: undefined } as const);
  return new Map<string, Origin>([
    ...plan.submit.map(({ content, why }) => [content.sha256, { ...sent, sourceReason: why }] as const),
    ...plan.await.flatMap(({ contents, createdAt }) => {
      const origin = { source: 'awaited', sourceReason: `sent ${createdAt.slice(0, 10)}`, analysedAt: today } as const;
      return contents.map(({ sha256 }) => [sha256, origin] as const);
    }),
    ...plan.reuse.map(
      ({ content, known }) =>
        [content.sha256, { source: 'reused', sourceReason: 'unchanged', analysedAt: known.analysedAt }] as const,
    ),
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
