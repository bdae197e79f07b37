import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { AssetReader, contradicted } from './asset-reader.ts';
import { errorOf } from './asset-tracker.ts';
import { assign, type Reading } from './assign.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { ContentResult } from './content-result.ts';
import type { AssetAnswer } from './responses.ts';
import type { Mode } from './service-access.ts';
import { explain, ServiceError } from './service-error.ts';
import type { WaitedAsset, WaitedSubmission } from './wait.ts';

/** collect → verdict: reads what each asset has, and proves which file it is by the name that the service gives. */
export async function collect(
  waited: WaitedSubmission,
  mode: Mode,
  client: ServiceClient,
  deadline: Deadline,
): Promise<readonly ContentResult[]> {
  const { submission, interruptedBy } = waited;
  const isCutShort = interruptedBy !== undefined;
  if (isCutShort && isHopeless(interruptedBy)) return assign(submission, waited.assets.map(unasked), isCutShort);
  const reader = new AssetReader(mode, client, deadline);
  const readings = await concurrently(waited.assets, MAX_CONCURRENT_READS, async (asset) => await read(asset, reader));
  return assign(submission, readings, isCutShort);
}

/** A service that was given up, or that refused the key, is not asked for every asset again. */
function isHopeless({ reason }: Cause): boolean {
  return reason !== 'timeout' && reason !== 'results';
}

async function read(asset: WaitedAsset, reader: AssetReader): Promise<Reading> {
  // What the wait has given up is not waited for once more.
  const own = asset.problem ?? (await reader.own(asset));
  const answer = own instanceof ServiceError ? undefined : own;
  const base = known(asset, answer);
  if (asset.state === 'failed' || (asset.state === 'done' && answer?.status === 'failed'))
    return { ...base, outcome: 'failed', cause: failed(asset) };
  if (asset.state === 'unfinished') return { ...base, outcome: 'unjudged', cause: undefined };
  if (own instanceof ServiceError) return { ...base, outcome: 'unjudged', cause: explain(own) };
  if (own.status !== 'complete') return { ...base, outcome: 'unjudged', cause: contradicted(own.status) };
  const { outcome, issues, topics, cause } = await reader.results(asset, asset.status.issueCount, own);
  return {
    ...base,
    outcome,
    issues,
    topics,
    cause,
    versionCount: await reader.versionCount(asset, base.versionNumber),
  };
}

/** What the wait alone has learnt: an asset that failed stays failed, whatever came after it. */
function unasked(asset: WaitedAsset): Reading {
  const base = known(asset, undefined);
  if (asset.state === 'failed') return { ...base, outcome: 'failed', cause: failed(asset) };
  return { ...base, outcome: 'unjudged', cause: asset.problem && explain(asset.problem) };
}

function known(asset: WaitedAsset, answer: AssetAnswer | undefined): Omit<Reading, 'outcome' | 'cause'> {
  return {
    asset,
    filename: answer?.filename ?? asset.filename,
    issues: [],
    topics: [],
    versionNumber: asset.status.versionNumber ?? answer?.versionNumber ?? undefined,
    versionGroupId: asset.status.versionGroupId ?? answer?.versionGroupId ?? undefined,
    versionCount: undefined,
  };
}

function failed({ status, retries, retryProblem }: WaitedAsset): Cause {
  const tries = retries === 0 ? '' : ` after ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
  const noMore =
    retryProblem === undefined ? '' : ` It was not retried${retries > 0 ? ' again' : ''}: ${retryProblem}.`;
  return {
    reason: 'asset-failed',
    message: `The service could not analyse the file${tries}: ${errorOf(status)}.${noMore}`,
    fix: 'Check that the file opens. If it is damaged, replace it and push. If it is intact, re-run the job: only this file is sent again. If it fails once more, ask the support of the service.',
  };
}
