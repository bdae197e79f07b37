import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatList, plural } from '../lib/format.ts';
import { failure, type Result, success } from '../lib/result.ts';
import type { Content } from '../media/content.ts';
import { type ContentResult, listedFacts, outcomeOf, UNREAD, withAnswer } from './asset-outcome.ts';
import { AssetReader, type AssetRef, withGrace } from './asset-reader.ts';
import { retryProblemOf } from './asset-tracker.ts';
import { MAX_CONCURRENT_READS } from './client.ts';
import { joinById, readIssues } from './issue.ts';
import { type AssetAnswer, describeAssetError } from './responses.ts';
import type { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';
import type { WaitedAsset, WaitedSubmission, WaitOptions } from './wait.ts';

/** What was read of one asset. */
export interface AssetResult extends Omit<ContentResult, 'content' | 'causes'> {
  /** Proves which file it is; undefined if the service did not say. */
  readonly filename: string | undefined;
  readonly cause: Cause | undefined;
}

/** collect → verdict: reads the results of each asset, and finds the file of each by the name that the service gives. */
export async function collect(
  waited: WaitedSubmission,
  { client, deadline }: Pick<WaitOptions, 'client' | 'deadline'>,
): Promise<readonly ContentResult[]> {
  const reader = new AssetReader(client, withGrace(deadline));
  // What could not be read before comes last: if it fails again, the others have been read.
  const assets = waited.assets.toSorted((a, b) => Number(Boolean(a.readError)) - Number(Boolean(b.readError)));
  const results = await concurrently(assets, MAX_CONCURRENT_READS, async (asset) => await readResult(asset, reader));
  const assigned = assign(waited, results);
  return waited.isTrusted ? assigned : assigned.map(withoutJudgement);
}

/** Its issues still count, but it does not pass, and the next run waits for it again. */
function withoutJudgement(result: ContentResult): ContentResult {
  return result.outcome === 'judged' ? { ...result, outcome: 'unjudged' } : result;
}

async function readResult(asset: WaitedAsset, reader: AssetReader): Promise<AssetResult> {
  const { submissionId, assetId = asset.originalAssetId, mode, listed, state, retries } = asset;
  const ref = { submissionId, assetId };
  const read = await answerOf(asset, ref, reader);
  const answer = read?.ok ? read.value : undefined;
  const result: AssetResult = {
    ...UNREAD,
    ...ref,
    filename: answer?.filename ?? asset.filename,
    versionNumber: listed.versionNumber ?? answer?.versionNumber ?? undefined,
    versionGroupId: listed.versionGroupId ?? answer?.versionGroupId ?? undefined,
    retries,
    cause: undefined,
  };
  if (state === 'failed') {
    const { items: issues } = readIssues(answer?.issues);
    return { ...result, outcome: 'failed', issues, cause: explainFailure(asset) };
  }
  if (!read) return result;
  const facts = withAnswer(listedFacts(listed.issueCount, mode), read);
  const { outcome, issues, cause } = outcomeOf(await reader.withIssues(ref, facts));
  return {
    ...result,
    outcome,
    issues,
    topics: await reader.topics(ref, issues),
    versionCount: outcome === 'judged' ? await reader.versionCount(submissionId, result) : undefined,
    // An asset that is only unfinished shares the cause that ended the wait.
    cause: state === 'unfinished' ? undefined : cause,
  };
}

/** The asset's own answer: read by the wait, unless it had no need to; undefined if it is of no use now. */
async function answerOf(
  { answer, readError, state, filename }: WaitedAsset,
  ref: AssetRef,
  reader: AssetReader,
): Promise<Result<AssetAnswer, ServiceError> | undefined> {
  if (answer) return success(answer);
  if (readError) return failure(readError);
  const isUseful = state === 'failed' ? filename === undefined : state === 'ended';
  return isUseful ? await reader.answer(ref) : undefined;
}

function explainFailure(asset: WaitedAsset): Cause {
  const { listed, retries } = asset;
  const problem = retryProblemOf(asset);
  const after = retries === 0 ? '' : ` after ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
  const noMore = problem === undefined ? '' : ` It was not retried${retries > 0 ? ' again' : ''}: ${problem}.`;
  return {
    reason: 'asset-failed',
    message: `The service could not analyse the file${after}: ${describeAssetError(listed)}.${noMore}`,
    fix: 'Check that the file opens. If it is damaged, replace it, commit and push. If it is intact, re-run the job.',
  };
}

/** Gives each file the result of the asset that has its name. A file without exactly one such asset is not judged. */
export function assign(
  { submission, interruptedBy }: Pick<WaitedSubmission, 'submission' | 'interruptedBy'>,
  results: readonly AssetResult[],
): readonly ContentResult[] {
  const { submissionId, contents } = submission;
  const byName = Map.groupBy(results, ({ filename }) => filename);
  const nameless = byName.get(undefined) ?? [];
  const unclaimed = contents.filter(({ name }) => !byName.has(name));
  const names = new Set(contents.map(({ name }) => name));
  const foreign = results.filter(({ filename }) => filename !== undefined && !names.has(filename));
  const isCutShort = interruptedBy !== undefined;

  const assigned = contents.map((content): ContentResult => {
    const [only, ...others] = byName.get(content.name) ?? [];
    if (only && others.length > 0) return ambiguous(content, [only, ...others], submission);
    if (only) return resultFor(content, only);
    const unread: ContentResult = { ...UNREAD, content, submissionId, outcome: sharedOutcome() };
    return content === unclaimed[0] ? { ...unread, ...leftOver(content) } : unread;
  });
  const surplus = [...foreign, ...nameless];
  const isForeign = submission.isNew && unclaimed.length === 0 && surplus.length > 0 && !isCutShort;
  return isForeign ? withSurplus(assigned, submission, surplus) : assigned;

  /** If all assets without a name failed, so did the files that are left. */
  function sharedOutcome(): ContentResult['outcome'] {
    const isFailed = nameless.length >= unclaimed.length && nameless.every(({ outcome }) => outcome === 'failed');
    return isFailed ? 'failed' : 'unjudged';
  }

  /** The first file without an asset has the causes and issues of the assets without a name. */
  function leftOver(content: Content): Partial<ContentResult> {
    const [first] = nameless;
    const isCertain = nameless.length === 1 && unclaimed.length === 1;
    if (first && isCertain) return resultFor(content, first);
    const causes = new Map(nameless.flatMap(({ cause }) => (cause ? [[cause.message, cause]] : [])));
    const paths = formatList(unclaimed.map(({ paths: [path], name }) => path ?? name));
    const explained = [...causes.values()].map((cause) => ({
      ...cause,
      message: `${cause.message} The service does not say which file that is: one of ${paths}.`,
    }));
    const isMissing = nameless.length < unclaimed.length && !isCutShort;
    return {
      issues: nameless.map(({ issues }) => issues).reduce(joinById, []),
      causes: [...explained, ...(isMissing ? [unnamed(content, paths)] : [])],
    };
  }

  function unnamed(content: Content, paths: string): Cause {
    const others = foreign.length > 0 ? ` It has others that were never sent: ${formatNames(foreign)}.` : '';
    const message = `Submission ${submissionId} has no asset with the name of this file: ${paths}.${others}`;
    const cause: Cause = { reason: 'results', message, fix: NOT_PROVEN };
    return unclaimed.length === 1 ? about(content, cause) : cause;
  }
}

const NOT_PROVEN =
  "The file was sent, but nothing proves what was found in it, so it does not pass. Re-run the job. If it happens again, contact the service's support.";

function resultFor(content: Content, { filename: _proof, cause, ...rest }: AssetResult): ContentResult {
  return { content, ...rest, causes: cause ? [about(content, cause)] : [] };
}

/** The issues of all assets with the file's name count, but nothing proves which of them is the file. */
function ambiguous(
  content: Content,
  results: readonly [AssetResult, ...AssetResult[]],
  { submissionId }: OpenSubmission,
): ContentResult {
  const issues = results.map((result) => result.issues).reduce(joinById);
  const ids = results.map(({ assetId }) => assetId).join(', ');
  const message = `Submission ${submissionId} has ${plural(results.length, 'asset')} with the name of this file (${ids}).`;
  const cause = about(content, { reason: 'results', message, fix: NOT_PROVEN });
  return { ...resultFor(content, results[0]), outcome: 'unjudged', issues, causes: [cause] };
}

/** More assets than were sent: it may be another submission, so none of its results is trusted. */
function withSurplus(
  results: readonly ContentResult[],
  { submissionId }: OpenSubmission,
  surplus: readonly AssetResult[],
): readonly ContentResult[] {
  const cause: Cause = {
    reason: 'results',
    message: `Submission ${submissionId} has assets that were never sent: ${formatNames(surplus)}. It may not be this run's submission.`,
    fix: "The results cannot be trusted, so the files do not pass. Re-run the job. If it happens again, contact the service's support.",
  };
  return results.map((result, index) => ({
    ...withoutJudgement(result),
    causes: index === 0 ? [cause, ...result.causes] : result.causes,
  }));
}

function formatNames(results: readonly AssetResult[]): string {
  return formatList(results.map(({ filename, assetId }) => filename ?? `asset ${assetId}`));
}

function about(content: Content, cause: Cause): Cause {
  const [path] = content.paths;
  return path === undefined ? cause : { ...cause, path };
}
