import { author, type Cause, FILE, rerun, type Step, SUPPORT } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain } from './advice.ts';
import { isFinal } from './asset-retries.ts';
import type { Mode } from './endpoints.ts';
import { type Issue, joinById, type Topic } from './issue.ts';
import { type AssetReading, missingFact, type Retry } from './read-asset.ts';
import { failureText } from './responses.ts';
import { ServiceError } from './service-error.ts';

/** The outcome of one content at the service. */
export interface Analysis {
  readonly content: Content;
  /** `judged`: all issues were read. `failed`: the service could not analyse it. `unjudged`: a fact is missing. */
  readonly outcome: 'judged' | 'failed' | 'unjudged';
  /** Set if the analysis failed. True if another retry in the same submission would not help. */
  readonly isFailedForGood?: boolean;
  /** The issues that could be read. The list is complete only if the content is judged. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId?: string | undefined;
  readonly versionNumber?: number | undefined;
  readonly versionGroupId?: string | undefined;
  readonly versionCount?: number | undefined;
  /** How many requests to analyse the file again the service accepted. */
  readonly retries: number;
  readonly causes: readonly Cause[];
  /**
   * The time of the earlier analysis that the issues are from, in ISO 8601. Set only if this run did not read them
   * again.
   */
  readonly lastKnownAt?: string;
}

/** The analysis of a content about which no response could be read. */
export function unjudged(content: Content, submissionId: string, causes: readonly Cause[]): Analysis {
  return { content, outcome: 'unjudged', issues: [], topics: [], submissionId, retries: 0, causes };
}

interface JudgementFacts {
  readonly submissionId: string;
  readonly mode: Mode;
  /** The readings of all assets in the newest list of the submission. */
  readonly readings: readonly AssetReading[];
  /** The submission's last status. Undefined if the submission was never read: then its list of assets is unknown. */
  readonly status: string | undefined;
  /** Why the wait ended early, which explains every missing fact. */
  readonly cause?: Cause | undefined;
}

/** The outcome of each content. Only the file name in an asset's own response proves which content the asset is. */
export function analysesOf(contents: readonly Content[], given: JudgementFacts): readonly Analysis[] {
  const facts = { ...given, cause: given.cause && unforgiven(given.cause, given.status) };
  const byName = Map.groupBy(facts.readings, ({ own }) => own?.filename);
  const unclaimed = contents.filter(({ name }) => !byName.has(name));
  const unnamed = (byName.get(undefined) ?? []).filter((reading) => !hasFailed(reading, facts));
  // If the list of assets is unknown or has surplus assets, a second asset may have the name of the same file.
  const problem = unnamed.length > unclaimed.length ? SURPLUS : facts.status === undefined ? facts.cause : undefined;
  return contents.map((content) => {
    const analysis = analysisOf(content, byName.get(content.name) ?? [], facts);
    return problem && analysis.outcome === 'judged'
      ? { ...analysis, outcome: 'unjudged', causes: [problem] }
      : analysis;
  });
}

/** If the submission failed, `on-service-error: warn` must not forgive a cause as an outage or a timeout. */
function unforgiven(cause: Cause, status: string | undefined): Cause {
  const isForgiven = cause.reason === 'service' || cause.reason === 'timeout';
  return status === 'failed' && isForgiven ? { ...cause, reason: 'results' } : cause;
}

/**
 * An asset whose own response is unknown counts as failed if its submission failed, no read of it ended in an outage,
 * and no response had an issue count.
 */
function hasFailed({ own, issueCount, error }: AssetReading, { status }: JudgementFacts): boolean {
  if (own) return own.status === 'failed';
  return status === 'failed' && issueCount === undefined && !error?.stopsReading;
}

/**
 * The only rule of judgement: a file is judged if exactly one asset has its name (`own`), this asset is complete, and
 * the number of issues read is at least the highest count in any response.
 */
function analysisOf(content: Content, own: readonly AssetReading[], facts: JudgementFacts): Analysis {
  const { submissionId, mode, cause, status } = facts;
  const [asset] = own;
  if (!asset) return analysisWithoutAsset(content, facts);
  if (own.length > 1) {
    const issues = own.map((reading) => reading.issues).reduce(joinById, []);
    const message = `The submission has ${plural(own.length, 'asset')} with the name of this file.`;
    return { ...unjudged(content, submissionId, [missing(content, message, facts)]), issues };
  }
  const { listed, issues, lastKnownAt, retry, error } = asset;
  const analysis: Analysis = {
    ...unjudged(content, submissionId, []),
    issues,
    assetId: listed.assetId,
    versionNumber: listed.versionNumber ?? asset.own?.versionNumber ?? undefined,
    versionGroupId: listed.versionGroupId ?? asset.own?.versionGroupId ?? undefined,
    retries: retry?.count ?? 0,
    // A file without issues had no issues to read again, so its result is not marked as an earlier one.
    ...(lastKnownAt !== undefined && issues.length > 0 && { lastKnownAt }),
  };
  if (hasFailed(asset, facts)) return { ...analysis, ...failed(content, [asset], facts) };
  const message = missingFact(asset, mode);
  // The issues that an earlier run read are enough, unless the service now counts more.
  const isEnough = lastKnownAt !== undefined && (asset.issueCount ?? 0) <= issues.length;
  if (message === undefined || isEnough) return { ...analysis, outcome: 'judged' };
  // The cause that ended the wait explains only an asset that is not complete.
  if (cause && asset.own?.status !== 'complete') return { ...analysis, causes: [cause] };
  if (error && lastKnownAt === undefined)
    return { ...analysis, causes: [unforgiven(explainUnread(content, error), status)] };
  return { ...analysis, causes: [missing(content, message, facts)] };
}

/** In a failed submission, a file without an asset has failed if every asset without a name has failed. */
function analysisWithoutAsset(content: Content, facts: JudgementFacts): Analysis {
  const { submissionId, mode, status, readings, cause } = facts;
  const analysis = unjudged(content, submissionId, []);
  // A sandbox submission may be complete without assets.
  if (mode === 'sandbox' && status === 'complete') return { ...analysis, outcome: 'judged' };
  const unnamed = readings.filter(({ own }) => own === undefined);
  if (status === 'failed' && unnamed.every((reading) => hasFailed(reading, facts)))
    return { ...analysis, ...failed(content, unnamed, facts) };
  // An unnamed asset with an error text may be this file, so a timeout or an outage does not excuse the file.
  const mayHaveFailed = unnamed.some(({ listed }) => failureText(listed) !== '');
  const stopped = unnamed.find(({ error }) => error?.stopsReading)?.error;
  if (cause && !mayHaveFailed) return { ...analysis, causes: [cause] };
  if (stopped && !mayHaveFailed) return { ...analysis, causes: [unforgiven(explainUnread(content, stopped), status)] };
  const others = readings.map((reading) => reading.own?.filename ?? describeUnnamed(reading));
  const instead = others.length === 0 ? ' It has no assets.' : ` Its assets: ${formatList(others)}.`;
  const message = `The submission has no asset with the name of this file.${instead}`;
  return { ...analysis, causes: [missing(content, message, facts)] };
}

const READ_AGAIN: readonly Step[] = [rerun(), SUPPORT];

const SURPLUS: Cause = {
  reason: 'results',
  message:
    'The submission has an asset whose file name could not be read, and every file has an asset already. It may be a second asset of one of the files, so none of them passes.',
  steps: READ_AGAIN,
};

function missing(content: Content, message: string, { submissionId }: JudgementFacts): Cause {
  return about(content, { reason: 'results', message, steps: READ_AGAIN, submissionId });
}

function explainUnread(content: Content, error: ServiceError): Cause {
  return about(content, { ...explain(error), ...(error.stopsReading && { submission: 'open' }) });
}

function describeUnnamed({ listed, error }: AssetReading): string {
  return `${listed.assetId} (${failureText(listed) || (error?.message ?? 'not read')})`;
}

/** @param assets the asset of the file, or, if its asset is unknown, all assets that may be the file's */
function failed(
  content: Content,
  assets: readonly AssetReading[],
  facts: JudgementFacts,
): Pick<Analysis, 'outcome' | 'isFailedForGood' | 'causes'> {
  const moved = assets.flatMap(({ retry }) => movedTo(retry));
  if (moved.length > 0) {
    const message = `The service goes on with the retry of this file in another submission (${moved.join(', ')}), which this run does not wait for.`;
    return { outcome: 'unjudged', causes: [missing(content, message, facts)] };
  }
  const { submissionId, cause } = facts;
  const isFailedForGood = cause === undefined && assets.every(isFinal);
  const causes = [about(content, { ...explainFailure(assets, isFailedForGood), submissionId })];
  return { outcome: 'failed', isFailedForGood, causes };
}

function movedTo(retry: Retry | undefined): readonly string[] {
  const { problem } = retry ?? {};
  return typeof problem === 'object' && 'movedTo' in problem ? [problem.movedTo] : [];
}

function explainFailure(assets: readonly AssetReading[], isForGood: boolean): Cause {
  const texts = new Set(assets.map(({ listed }) => failureText(listed)).filter(Boolean));
  const retry = assets.find((asset) => asset.retry)?.retry;
  const times = retry?.count ?? 0;
  const after = times === 0 ? '' : ` after ${times} ${times === 1 ? 'retry' : 'retries'}`;
  const problem = retry?.problem instanceof ServiceError ? retry.problem.message : retry?.problem && NO_EFFECT;
  const noMore = problem === undefined ? '' : ` It was not retried${times > 0 ? ' again' : ''}: ${problem}.`;
  return {
    reason: 'asset-failed',
    message: `The service could not analyse the file${after}: ${[...texts].join('; ') || 'it gave no reason'}.${noMore}`,
    steps: stepsAfterFailure(isForGood),
  };
}

export function stepsAfterFailure(isForGood: boolean): readonly Step[] {
  const note = isForGood ? 'It sends and bills the same bytes again.' : undefined;
  return [
    author(`Check that ${FILE} opens. If it is damaged, replace it, commit and push.`),
    rerun(`If ${FILE} is intact, re-run this job.`, note),
  ];
}

const NO_EFFECT = 'the service accepted a retry that showed no effect';

export function about({ paths: [path] }: Content, cause: Cause): Cause {
  return path === undefined ? cause : { ...cause, path };
}
