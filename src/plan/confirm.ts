import type { Cause } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Result } from '../lib/result.ts';
import type { Content } from '../media/content.ts';
import { explain } from '../service/advice.ts';
import { type AssetOutcome, type ContentResult, UNREAD } from '../service/asset-outcome.ts';
import type { Issue, Topic } from '../service/issue.ts';
import type { AssetAnswer, AssetStatus } from '../service/responses.ts';
import type { ServiceError } from '../service/service-error.ts';
import type { AwaitedSubmission, Loss, Losses, Plan, ReusedContent } from './plan.ts';

/** What becomes of a plan once the service has been asked about it. Pure, except for the reads that are passed in. */

/** What the service still has of the analyses that a plan relies on. */
export interface Confirmation {
  readonly losses: Losses;
  /** Contents whose analysis is under way again, or can be retried: by sha256, the file name of their asset. */
  readonly unfinished: ReadonlyMap<string, string>;
  /** By submission: the assets that it holds. */
  readonly assetIds: ReadonlyMap<string, readonly string[]>;
  /** Their issues, with the statuses of now unless `lastKnownAt` is set. */
  readonly reused: readonly ContentResult[];
  /** Set if the service did not answer everything. */
  readonly outage: Cause | undefined;
}

/** A plan that relies only on what was confirmed. */
export interface ConfirmedPlan extends Pick<Confirmation, 'reused' | 'outage'> {
  readonly plan: Plan;
}

/**
 * Confirms a plan, and also the submissions that take the place of lost ones: a content that was sent twice is in two
 * submissions, and if the later one is gone, it is awaited in the other.
 *
 * @param planWithout makes the plan again, without what is lost
 * @param read asks the service about a plan
 */
export async function confirmPlan(
  draft: Plan,
  planWithout: (losses: Losses) => Plan,
  read: (plan: Plan) => Promise<Confirmation>,
): Promise<ConfirmedPlan> {
  const { unfinished, reused, ...first } = await read(draft);
  const assetIds = new Map(first.assetIds);
  const seen = new Set(draft.toAwait.flatMap(contentsIn));
  let { losses, outage } = first;
  for (;;) {
    const plan = planWithout(losses);
    const unread = plan.toAwait.filter((entry) => contentsIn(entry).some((each) => !seen.has(each)));
    if (unread.length === 0 || outage) {
      const final = awaitUnfinished(plan, unfinished);
      return { plan: { ...final, toAwait: final.toAwait.map(withAssets) }, reused, outage };
    }
    for (const each of unread.flatMap(contentsIn)) seen.add(each);
    const next = await read({ ...plan, toReuse: [], toAwait: unread });
    for (const [id, ids] of next.assetIds) assetIds.set(id, ids);
    outage = next.outage;
    losses = {
      submissions: losses.submissions.union(next.losses.submissions),
      contents: new Map([...losses.contents, ...next.losses.contents]),
    };
  }

  function withAssets(entry: AwaitedSubmission): AwaitedSubmission {
    const ids = assetIds.get(entry.submissionId);
    return ids ? { ...entry, assetIds: ids } : entry;
  }
}

/** Which content is awaited in which submission. */
function contentsIn({ submissionId, contents }: AwaitedSubmission): readonly string[] {
  return contents.map(({ sha256 }) => `${submissionId} ${sha256}`);
}

/** Waits for what is under way again, or can be retried, instead of reusing it. */
export function awaitUnfinished(plan: Plan, unfinished: Confirmation['unfinished']): Plan {
  const awaited = new Map(plan.toAwait.map((entry) => [entry.submissionId, entry]));
  const toReuse = plan.toReuse.filter(({ content, known: { submissionId, analysedAt } }) => {
    const name = unfinished.get(content.sha256);
    if (name === undefined) return true;
    const entry = awaited.get(submissionId) ?? { submissionId, createdAt: analysedAt, contents: [] };
    awaited.set(submissionId, { ...entry, contents: [...entry.contents, { ...content, name }] });
    return false;
  });
  return { ...plan, toReuse, toAwait: [...awaited.values()] };
}

/** The notice about issues that were not read in this run; undefined if all were. */
export function describeLastKnown(reused: readonly ContentResult[]): string | undefined {
  const unread = reused.filter(({ lastKnownAt }) => lastKnownAt !== undefined);
  const [oldest] = unread.map(({ lastKnownAt = '' }) => lastKnownAt).toSorted();
  if (oldest === undefined) return undefined;
  const paths = formatList(unread.map(({ content: { paths, name } }) => paths[0] ?? name));
  return `The issues of ${plural(unread.length, 'file')} were not read again, because the service's rate limit or the time limit of this run was reached. They are shown as last known, the oldest from ${oldest.slice(0, 10)}: ${paths}. Files with issues that can change the verdict were read first.`;
}

/** What was read of an earlier analysis. */
export interface Reading {
  /** In its submission's list; undefined if it is not there. */
  readonly listed: AssetStatus | undefined;
  /** The asset's own answer, if it was needed. */
  readonly answer?: Result<AssetAnswer, ServiceError> | undefined;
  /** By the issues that it has now, if they were read. */
  readonly now?: AssetOutcome;
  readonly topics?: readonly Topic[];
  /** The service stopped answering. */
  readonly isCutShort?: boolean;
}

/** Whether an earlier analysis can be reused: it has a result, is to be waited for under a name, or is lost. */
export type ReuseOutcome =
  | { readonly kind: 'result'; readonly result: ContentResult }
  | { readonly kind: 'unfinished'; readonly filename: string }
  | { readonly kind: 'lost'; readonly loss: Loss };

export function decideReuse(
  entry: ReusedContent,
  { listed, answer, now, topics = [], isCutShort }: Reading,
): ReuseOutcome {
  const { content, known } = entry;
  if (!listed) return { kind: 'lost', loss: 'no longer at the service' };
  if (!now) {
    // It failed. The wait retries it in place, and needs its name for that.
    if (answer?.ok) return { kind: 'unfinished', filename: answer.value.filename };
    const isLost = !answer || answer.error.status === 404;
    return isLost ? { kind: 'lost', loss: 'earlier analysis failed' } : unreadableResult(entry, answer.error);
  }
  const { outcome, issues, cause } = now;
  const isUnderWay = answer?.ok && answer.value.status !== 'complete' && issues.length === 0;
  if (isUnderWay) return { kind: 'unfinished', filename: answer.value.filename };
  const hasMore = (listed.issueCount ?? 0) > known.issues.length;
  if (outcome === 'unjudged' && isCutShort) return lastKnown(entry, issues, hasMore ? cause : undefined);
  return { kind: 'result', result: { ...unread(entry), outcome, issues, topics, causes: about(content, cause) } };
}

/**
 * What an earlier run read, if it cannot be read now.
 *
 * @param read issues that could be read before that
 * @param cause set if the service counts more issues than are known: then the last known result does not stand
 */
export function lastKnown(entry: ReusedContent, read: readonly Issue[] = [], cause?: Cause): ReuseOutcome {
  const { content, known } = entry;
  const issues = [...new Map([...known.issues, ...read].map((issue) => [issue.id, issue])).values()];
  const result: ContentResult = {
    ...unread(entry),
    outcome: cause ? 'unjudged' : 'judged',
    issues,
    causes: about(content, cause),
    // A file without issues has nothing that could have been read again.
    ...(issues.length > 0 && { lastKnownAt: known.analysedAt }),
  };
  return { kind: 'result', result };
}

/** The service answered, but not with the analysis: only an outage leaves the last known result. */
export function unreadableResult(entry: ReusedContent, error: ServiceError): ReuseOutcome {
  return { kind: 'result', result: { ...unread(entry), causes: about(entry.content, explain(error)) } };
}

function unread({ content, known }: ReusedContent): ContentResult {
  const { submissionId, assetId, versionNumber, versionGroupId } = known;
  return { ...UNREAD, content, submissionId, assetId, versionNumber, versionGroupId };
}

function about({ paths: [path] }: Content, cause: Cause | undefined): readonly Cause[] {
  return cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [];
}
