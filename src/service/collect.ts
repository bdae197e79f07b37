import type { Cause } from '../cause.ts';
import { concurrently } from '../concurrently.ts';
import type { Mode } from '../inputs/inputs.ts';
import type { Content } from '../state/plan.ts';
import { AssetReader } from './asset-reader.ts';
import type { Effort, ServiceClient } from './client.ts';
import type { Issue, Topic } from './issue.ts';
import { explain, ServiceError } from './service-error.ts';
import { errorOf, type WaitedAsset, type WaitedSubmission } from './wait.ts';

/** What the service says about one content, or why we do not know. */
export interface ContentResult {
  readonly content: Content;
  readonly outcome: 'judged' | 'failed' | 'unjudged';
  /** All that could be read, also where something is missing. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId: string | undefined;
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  readonly versionCount: number | undefined;
  readonly retries: number;
  /** Why it is not judged; empty where it is. */
  readonly causes: readonly Cause[];
}

const READS_AT_ONCE = 8;

/** collect → verdict: reads what each asset has, and proves which file it is by the name that the service gives. */
export async function collect(
  waited: WaitedSubmission,
  mode: Mode,
  client: ServiceClient,
  effort: Effort,
): Promise<readonly ContentResult[]> {
  // A service that was given up while waiting is not asked for every asset again.
  if (waited.interruptedBy?.reason === 'service')
    return waited.submission.contents.map((content) => missing(content, waited));
  const reader = new AssetReader(mode, client, effort);
  const readings = await concurrently(waited.assets, READS_AT_ONCE, (asset) => read(asset, reader));
  return assign(waited, readings);
}

/** What could be read of one asset. */
interface Reading {
  readonly asset: WaitedAsset;
  /** The proof of which file it is. */
  readonly filename: string | undefined;
  readonly outcome: ContentResult['outcome'];
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  readonly versionCount: number | undefined;
  readonly cause: Cause | undefined;
}

async function read(asset: WaitedAsset, reader: AssetReader): Promise<Reading> {
  const own = await reader.own(asset);
  const answer = own instanceof ServiceError ? undefined : own;
  const versionNumber = asset.status.versionNumber ?? answer?.versionNumber ?? undefined;
  const base = {
    asset,
    filename: answer?.filename,
    issues: [],
    topics: [],
    versionNumber,
    versionGroupId: asset.status.versionGroupId ?? answer?.versionGroupId ?? undefined,
    versionCount: undefined,
  };
  if (asset.state === 'failed') return { ...base, outcome: 'failed', cause: failed(asset) };
  if (asset.state === 'unfinished') return { ...base, outcome: 'unjudged', cause: undefined };
  if (own instanceof ServiceError) return { ...base, outcome: 'unjudged', cause: explain(own) };
  const findings = await reader.findings(asset, asset.status.issueCount, own);
  return { ...base, ...findings, versionCount: await reader.versionCount(asset, versionNumber) };
}

function failed({ status, retries }: WaitedAsset): Cause {
  const tries = retries === 0 ? '' : ` after ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
  return {
    reason: 'asset-failed',
    message: `The service could not analyse the file${tries}: ${errorOf(status)}.`,
    fix: 'Check that the file opens and plays. If it is sound, re-run the job; if it fails again, tell the service or exclude the file with a `!` line in `files`.',
  };
}

/** Gives each content its asset. An asset's file name is the proof; without it, only what is left over can be told. */
function assign(waited: WaitedSubmission, readings: readonly Reading[]): readonly ContentResult[] {
  const byName = new Map(
    readings.filter(({ filename }) => filename !== undefined).map((reading) => [reading.filename, reading]),
  );
  const { contents } = waited.submission;
  const nameless = readings.filter(({ filename }) => filename === undefined);
  const unclaimed = contents.filter(({ name }) => !byName.has(name));
  return contents.map((content): ContentResult => {
    const reading =
      byName.get(content.name) ?? (nameless.length === 1 && unclaimed.length === 1 ? nameless[0] : undefined);
    if (!reading) return missing(content, waited);
    const { asset, cause, filename: _proof, ...rest } = reading;
    const path = content.paths[0];
    return {
      content,
      ...rest,
      submissionId: asset.submissionId,
      assetId: asset.assetId,
      retries: asset.retries,
      causes: cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [],
    };
  });
}

function missing(content: Content, { submission: { submissionId }, interruptedBy }: WaitedSubmission): ContentResult {
  const path = content.paths[0];
  const cause: Cause = {
    reason: 'results',
    ...(path !== undefined && { path }),
    message: `Submission ${submissionId} has no asset that the service names as this file (${content.name}).`,
    fix: 'The file was sent but nothing proves what was found in it, so it does not pass. Re-run the job; if it stays, tell the service.',
  };
  return {
    content,
    outcome: 'unjudged',
    issues: [],
    topics: [],
    submissionId,
    assetId: undefined,
    versionNumber: undefined,
    versionGroupId: undefined,
    versionCount: undefined,
    retries: 0,
    // Where the wait was cut short, that one cause says it for every file.
    causes: interruptedBy ? [] : [cause],
  };
}
