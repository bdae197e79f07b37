import { randomUUID } from 'node:crypto';
import { noteAssetRead, noteRead, statusOf } from './analysis.ts';
import { type HttpResponse, json, refusal } from './http.ts';
import { type Asset, type AssetStatus, isFailed, type Status, type Submission } from './model.ts';
import { type Issue, type ItemForm, type ListShape, type LoadedScenario, ruleFor } from './scenario.ts';
import { optional, reportedName } from './wire.ts';
import type { Call, Workspace } from './workspace.ts';

export function readSubmission(call: Call): HttpResponse {
  const { scenario, id } = call.workspace;
  const submission = call.workspace.existingSubmission(call.ids[0]);
  noteRead(call.workspace, submission);
  const stale = submission.assets.some((asset) => asset.stale !== undefined);
  const truth = stale ? 'failed' : statusOf(submission);
  const status = reportedStatus(scenario, submission, truth);
  const assets = submission.assets.map((asset) => visibleStatus(scenario, asset));
  const failed = submission.assets.filter(isFailed).length;
  const counted = `${failed} of ${assets.length} assets failed.`;
  const ordered = scenario.shuffleAssets ? rotate(assets, submission.reads) : assets;
  const ends = submission.assets.map((asset) => asset.completedAt ?? '').toSorted();
  return json(200, {
    submissionId: submission.submissionId,
    workflowId: submission.workflowId,
    workspaceId: id,
    status,
    progressPercent: progressOf(scenario, submission),
    createdAt: submission.createdAt,
    completedAt: truth === 'processing' ? null : (ends.at(-1) ?? null),
    errorMessage: status === 'failed' && failed > 0 ? (scenario.submissionError ?? counted) : null,
    assets: scenario.assetsNullUntilEnd && truth === 'processing' ? null : ordered,
    isRetryable: assets.some((asset) => asset.isRetryable),
  });
}

/** Every version of every asset of a submission. */
export function listVersions(call: Call): HttpResponse {
  const { workspace } = call;
  const { scenario } = workspace;
  const groups = new Set(workspace.existingSubmission(call.ids[0]).assets.map((asset) => asset.versionGroupId));
  const versions = workspace.submissions
    .flatMap((submission) => submission.assets.map((asset) => ({ submission, asset })))
    .filter(({ asset }) => groups.has(asset.versionGroupId))
    .toSorted((a, b) => a.asset.versionNumber - b.asset.versionNumber)
    .map(({ submission, asset }) => ({
      submissionId: submission.submissionId,
      assetId: asset.assetId,
      versionGroupId: asset.versionGroupId,
      versionNumber: asset.versionNumber,
      filename: reportedName(scenario, asset.filename),
      status: ownStatus(scenario, asset),
      issueCount: countIn('submission', scenario, asset),
      createdAt: submission.createdAt,
    }));
  return json(200, shapedList(versions, { as: 'versions', ...scenario.versionsList }, call.query));
}

export function readAsset(call: Call): HttpResponse {
  const { submission, asset } = call.workspace.existingAsset(call.ids);
  const { scenario } = call.workspace;
  noteAssetRead(call.workspace, submission, asset);
  if (scenario.assetOnlyWhenComplete) refuseUnfinished(asset);
  if (asset.status === 'complete') asset.ownReadsSinceComplete += 1;
  const { resultShort, lateResultReads } = ruleFor(scenario, asset.filename);
  const isLate = asset.status === 'complete' && asset.ownReadsSinceComplete <= lateResultReads;
  return json(200, {
    assetId: asset.assetId,
    submissionId: submission.submissionId,
    filename: reportedName(scenario, asset.filename),
    status: isLate ? scenario.assetStatusWhileUnfinished : ownStatus(scenario, asset),
    issues: isLate ? [] : listedIssues(call.workspace, asset).slice(0, resultShort).map(compactIssue),
    ...optional(scenario, {
      mimeType: asset.mimeType,
      issueCount: isLate ? null : countIn('asset', scenario, asset),
      versionNumber: asset.versionNumber,
      versionGroupId: asset.versionGroupId,
    }),
  });
}

/** The flat list of issues, with every field. */
export function listIssues(call: Call): HttpResponse {
  const asset = finishedAsset(call);
  const { issuesList = {} } = ruleFor(call.workspace.scenario, asset.filename);
  const items = listedIssues(call.workspace, asset);
  return json(200, shapedList(items, { as: 'issues', ...issuesList }, call.query));
}

export function listTopics(call: Call): HttpResponse {
  const asset = finishedAsset(call);
  const { topics } = ruleFor(call.workspace.scenario, asset.filename);
  return json(200, topics ?? clusterIssues(asset.assetId, asset.issues));
}

export function assetStatus(scenario: LoadedScenario, asset: Asset): AssetStatus {
  const hidden = asset.readsSinceComplete <= ruleFor(scenario, asset.filename).nullIssueCountReads;
  const error = asset.failure ?? asset.errorBeforeRetry;
  return {
    assetId: asset.assetId,
    versionGroupId: asset.versionGroupId,
    versionNumber: asset.versionNumber,
    issueCount: hidden ? null : countIn('submission', scenario, asset),
    errorMessage: error?.errorMessage ?? null,
    errorType: error?.errorType ?? null,
    isRetryable: asset.failure?.isRetryable ?? false,
    retryCount: asset.retryCount,
  };
}

/** What a read reports. After a retry it may be the old failure for a while. */
function visibleStatus(scenario: LoadedScenario, asset: Asset): AssetStatus {
  if (asset.stale === undefined) return assetStatus(scenario, asset);
  const { status } = asset.stale;
  asset.stale.readsLeft -= 1;
  if (asset.stale.readsLeft === 0) asset.stale = undefined;
  return status;
}

/** The status that an asset itself reports. */
function ownStatus(scenario: LoadedScenario, { filename, status }: Asset): string {
  if (status === 'processing') return scenario.assetStatusWhileUnfinished;
  return status === 'failed' ? (ruleFor(scenario, filename).fails?.ownStatus ?? status) : status;
}

function countIn(
  place: 'submission' | 'asset',
  { issueCounts, repeatIssues }: LoadedScenario,
  { issueCount }: Asset,
): number | null {
  if (issueCount === null || (issueCounts !== 'all' && issueCounts !== place)) return null;
  return issueCount * repeatIssues;
}

/** The issues of an asset in the order, and as often, as the scenario says. */
function listedIssues({ scenario, requests }: Workspace, { issues }: Asset): readonly Issue[] {
  const all = issues.flatMap((issue) => Array.from({ length: scenario.repeatIssues }, () => issue));
  return scenario.shuffleIssues ? rotate(all, requests.length) : all;
}

function reportedStatus(scenario: LoadedScenario, submission: Submission, truth: Status): string {
  const scripted = scenario.status ?? scenario.statuses[submission.reads - 1];
  if (scripted !== undefined) return scripted;
  if (truth !== 'processing') return truth;
  return scenario.statusWhileUnfinished ?? (submission.reads === 1 ? 'submitted' : 'processing');
}

function progressOf(scenario: LoadedScenario, submission: Submission): number {
  const finished = submission.assets.filter((asset) => asset.pending === undefined).length;
  return scenario.progress[submission.reads - 1] ?? Math.floor((100 * finished) / submission.assets.length);
}

function finishedAsset(call: Call): Asset {
  const { asset } = call.workspace.existingAsset(call.ids);
  refuseUnfinished(asset);
  return asset;
}

function refuseUnfinished({ assetId, status }: Asset): void {
  if (status !== 'complete') throw refusal(404, `Asset ${assetId} has not finished processing.`);
}

const FORMS: Readonly<
  Record<ItemForm, (items: readonly Readonly<Record<string, unknown>>[], name: string) => unknown>
> = {
  wrapped: (items, name) => ({ [name]: items.map((item) => ({ item, links: { self: '/' } })) }),
  nested: (items, name) => ({
    data: { [name]: items },
    links: [
      { rel: 'self', href: '/' },
      { rel: 'next', href: null },
    ],
  }),
  'by-id': (items, name) => ({
    [name]: Object.fromEntries(items.map(({ id, assetId, ...item }) => [id ?? assetId, item])),
  }),
  ids: (items) => items.map(({ id, assetId }) => id ?? assetId),
  'with-sum': (items) => [...items, { id: 'total', count: items.length }],
  null: () => null,
  texts: (items) =>
    items.map((item) =>
      JSON.parse(JSON.stringify(item), (_, value) => (typeof value === 'number' ? `${value}` : value)),
    ),
};

/** A list in one of the shapes that the service may use. */
function shapedList(
  items: readonly Readonly<Record<string, unknown>>[],
  shape: ListShape,
  query: URLSearchParams,
): unknown {
  const { as: name = 'items' } = shape;
  if (shape.form !== undefined) return FORMS[shape.form](items, name);
  if (name === 'unreadable') return { issues: `${items.length} in all` };
  const shown = items.slice(0, shape.short);
  if (shape.pageSize !== undefined) {
    const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
    const start = (page - 1) * shape.pageSize;
    const next = start + shape.pageSize < shown.length ? `?page=${page + 1}` : null;
    const wrapper = name === 'array' ? 'items' : name;
    return { [wrapper]: shown.slice(start, start + shape.pageSize), total: shown.length, page, next };
  }
  return name === 'array' ? shown : { [name]: shown };
}

/** The items in another order, which changes with each turn. */
export function rotate<T>(items: readonly T[], turn: number): readonly T[] {
  if (items.length < 2) return items;
  const by = 1 + (turn % (items.length - 1));
  return [...items.slice(by), ...items.slice(0, by)];
}

/** The short form of an issue in an asset result. */
function compactIssue(issue: Issue): Record<string, unknown> {
  const { id, referenceNumber, ruleCode, summary, severity, status } = issue;
  return { id, referenceNumber, ruleCode, summary, severity, status };
}

/** Two or more issues of one rule make a topic; the others are orphans. */
function clusterIssues(assetId: string, issues: readonly Issue[]): Record<string, unknown> {
  const groups = [...Map.groupBy(issues, (issue) => issue.ruleCode)];
  const topics = groups.filter(([, group]) => group.length > 1);
  const orphans = groups.filter(([, group]) => group.length === 1);
  return {
    assetId,
    topics: topics.map(([ruleCode, group]) => ({
      id: randomUUID(),
      title: `${group.length} issues of ${ruleCode}`,
      issues: group.map(compactIssue),
    })),
    orphanIssues: orphans.flatMap(([, group]) => group.map(compactIssue)),
    metadata: { totalIssues: issues.length, topicCount: topics.length },
  };
}
