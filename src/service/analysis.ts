import { author, type Cause, FILE, rerun, type Step, SUPPORT } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain } from './advice.ts';
import type { Mode } from './endpoints.ts';
import { type Issue, joinById, type Topic } from './issue.ts';
import { type AssetReading, missingFact } from './read-asset.ts';
import { failureText } from './responses.ts';
import type { ServiceError } from './service-error.ts';

/** What became of one content at the service. */
export interface Analysis {
  readonly content: Content;
  /** `judged`: all its issues are there. `failed`: the service could not analyse it. `unjudged`: a fact is missing. */
  readonly outcome: 'judged' | 'failed' | 'unjudged';
  /** Of a failed one: analysing the same bytes again in the same submission is of no use. */
  readonly isFailedForGood?: boolean;
  /** All issues that could be read, even if others may be missing. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId?: string | undefined;
  readonly versionNumber?: number | undefined;
  readonly versionGroupId?: string | undefined;
  readonly versionCount?: number | undefined;
  /** How often the service was asked to analyse it again. */
  readonly retries: number;
  /** Why it is not judged. */
  readonly causes: readonly Cause[];
  /** Set if the issues were not read in this run: the ISO 8601 time of the analysis that they are known from. */
  readonly lastKnownAt?: string;
}

/** A content of which nothing could be read. */
export function unjudged(content: Content, submissionId: string, causes: readonly Cause[]): Analysis {
  return { content, outcome: 'unjudged', issues: [], topics: [], submissionId, retries: 0, causes };
}

interface JudgementFacts {
  readonly submissionId: string;
  readonly mode: Mode;
  /** Of all assets of the submission that were read. */
  readonly readings: readonly AssetReading[];
  /** Why the wait ended early: then it explains every fact that is missing. */
  readonly cause?: Cause | undefined;
  /** Whether the submission's list says which assets there are. */
  readonly isListed: boolean;
}

/** What became of each content. Only an asset's own file name proves which content it is. */
export function analysesOf(contents: readonly Content[], facts: JudgementFacts): readonly Analysis[] {
  const byName = Map.groupBy(facts.readings, ({ filename }) => filename);
  const unclaimed = contents.filter(({ name }) => !byName.has(name));
  const hasSurplus = (byName.get(undefined) ?? []).length > unclaimed.length;
  // Without the list of assets, or with one too many, nothing proves that exactly one has the file's name.
  const problem = hasSurplus ? SURPLUS : facts.isListed ? undefined : facts.cause;
  return contents.map((content) => {
    const analysis = analysisOf(content, byName.get(content.name) ?? [], facts);
    return problem && analysis.outcome === 'judged'
      ? { ...analysis, outcome: 'unjudged', causes: [problem] }
      : analysis;
  });
}

/**
 * The one rule of judgement: a file is judged if exactly one asset has its name (`own`), that asset is complete, and as
 * many issues could be read as any response counted.
 */
function analysisOf(content: Content, own: readonly AssetReading[], facts: JudgementFacts): Analysis {
  const { submissionId, mode, cause } = facts;
  const [asset] = own;
  if (!asset || own.length > 1) {
    const issues = own.map((reading) => reading.issues).reduce(joinById, []);
    return { ...unjudged(content, submissionId, [explainName(content, own, facts)]), issues };
  }
  const { listed, issues, versionNumber, versionGroupId, lastKnownAt, retry, error } = asset;
  const analysis: Analysis = {
    ...unjudged(content, submissionId, []),
    issues,
    assetId: listed.assetId,
    versionNumber,
    versionGroupId,
    retries: retry?.count ?? 0,
    // A file without issues has nothing that could have been read again.
    ...(lastKnownAt !== undefined && issues.length > 0 && { lastKnownAt }),
  };
  if (asset.status === 'failed') {
    const isFailedForGood = !listed.isRetryable || (retry !== undefined && cause === undefined);
    const causes = [about(content, { ...explainFailure(asset), submissionId })];
    return { ...analysis, outcome: 'failed', isFailedForGood, causes };
  }
  const message = missingFact(asset, mode);
  // What an earlier run read stands, unless the service already counts more issues than that.
  const isEnough = lastKnownAt !== undefined && (asset.issueCount ?? 0) <= issues.length;
  if (message === undefined || isEnough) return { ...analysis, outcome: 'judged' };
  // An unfinished asset shares the cause that ended the wait; a complete one has a reason of its own.
  if (cause && asset.status !== 'complete') return { ...analysis, causes: [cause] };
  if (error && lastKnownAt === undefined) return { ...analysis, causes: [explainUnread(content, error)] };
  return { ...analysis, causes: [about(content, { reason: 'results', message, steps: READ_AGAIN, submissionId })] };
}

const READ_AGAIN: readonly Step[] = [rerun(), SUPPORT];

const SURPLUS: Cause = {
  reason: 'results',
  message:
    'The submission has an asset whose file name could not be read, and every file has an asset already. It may be a second asset of one of the files, so none of them passes.',
  steps: READ_AGAIN,
};

function explainUnread(content: Content, error: ServiceError): Cause {
  return about(content, { ...explain(error), ...(error.stopsReading && { submission: 'open' }) });
}

function explainName(
  content: Content,
  own: readonly AssetReading[],
  { submissionId, readings, cause }: JudgementFacts,
): Cause {
  if (own.length > 1) {
    const message = `The submission has ${plural(own.length, 'asset')} with the name of this file.`;
    return about(content, { reason: 'results', message, steps: READ_AGAIN, submissionId });
  }
  const unread = readings.filter(({ filename }) => filename === undefined);
  // A file that may have failed is not excused by a timeout or an outage.
  const mayHaveFailed = unread.some(({ listed }) => failureText(listed) !== '');
  const stopped = unread.find(({ error }) => error?.stopsReading)?.error;
  if (cause && !mayHaveFailed) return cause;
  if (stopped && !mayHaveFailed) return explainUnread(content, stopped);
  const others = readings.map((reading) => reading.filename ?? describeUnread(reading));
  const instead = others.length === 0 ? ' It has no assets.' : ` Its assets: ${formatList(others)}.`;
  const message = `The submission has no asset with the name of this file.${instead}`;
  return about(content, { reason: 'results', message, steps: READ_AGAIN, submissionId });
}

function describeUnread({ listed, error }: AssetReading): string {
  return `${listed.assetId} (${failureText(listed) || (error?.message ?? 'not read')})`;
}

function explainFailure({ listed, retry }: AssetReading): Cause {
  const times = retry?.count ?? 0;
  const after = times === 0 ? '' : ` after ${times} ${times === 1 ? 'retry' : 'retries'}`;
  const problem = retry?.problem ?? (retry && !retry.hasShown ? NO_EFFECT : undefined);
  const noMore = problem === undefined ? '' : ` It was not retried${times > 0 ? ' again' : ''}: ${problem}.`;
  return {
    reason: 'asset-failed',
    message: `The service could not analyse the file${after}: ${failureText(listed) || 'it gave no reason'}.${noMore}`,
    steps: [
      author(`Check that ${FILE} opens. If it is damaged, replace it, commit and push.`),
      rerun('If it is intact, re-run this job.'),
    ],
  };
}

const NO_EFFECT = 'the service accepted a retry that showed no effect';

export function about({ paths: [path] }: Content, cause: Cause): Cause {
  return path === undefined ? cause : { ...cause, path };
}
