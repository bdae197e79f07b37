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

/** The retries of an asset that failed in the end. */
export interface Retries {
  readonly count: number;
  /** Why it was not retried once more. */
  readonly problem: string | undefined;
}

interface JudgementFacts {
  readonly submissionId: string;
  readonly mode: Mode;
  /** By asset. */
  readonly retries?: ReadonlyMap<string, Retries>;
  /** Why the wait ended early: then it explains every fact that is missing. */
  readonly interruption?: Cause | undefined;
  /** Why even a file that has all its facts is not judged. */
  readonly doubt?: Cause | undefined;
  /** Of all assets of the submission. */
  readonly readings: readonly AssetReading[];
}

/**
 * The one rule of judgement: a file is judged if exactly one asset has its name, that asset is complete, and as many issues
 * could be read as any response counted. Whatever else the service says, the file is unjudged.
 *
 * @param own the assets that have the file's name
 */
export function analysisOf(
  content: Content,
  own: readonly AssetReading[],
  { submissionId, mode, retries, interruption, doubt, readings }: JudgementFacts,
): Analysis {
  const [asset] = own;
  if (!asset || own.length > 1) {
    const issues = own.map((reading) => reading.issues).reduce(joinById, []);
    const cause = explainName(content, own, { submissionId, readings, interruption });
    return { ...unjudged(content, submissionId, [cause]), issues };
  }
  const { listed, issues, versionNumber, versionGroupId, error } = asset;
  const retried = retries?.get(listed.assetId);
  const analysis: Analysis = {
    ...unjudged(content, submissionId, []),
    issues,
    assetId: listed.assetId,
    versionNumber,
    versionGroupId,
    retries: retried?.count ?? 0,
  };
  if (asset.status === 'failed') {
    return {
      ...analysis,
      outcome: 'failed',
      causes: [about(content, { ...explainFailure(asset, retried), submissionId })],
    };
  }
  const message = missingFact(asset, mode);
  if (message === undefined) return doubt ? { ...analysis, causes: [doubt] } : { ...analysis, outcome: 'judged' };
  // An unfinished asset shares the cause that ended the wait; a complete one has a reason of its own.
  if (interruption && asset.status !== 'complete') return { ...analysis, causes: [interruption] };
  if (error) return { ...analysis, causes: [explainUnread(content, error)] };
  return { ...analysis, causes: [about(content, { reason: 'results', message, steps: READ_AGAIN, submissionId })] };
}

const READ_AGAIN: readonly Step[] = [rerun(), SUPPORT];

function explainUnread(content: Content, error: ServiceError): Cause {
  return about(content, { ...explain(error), ...(error.stopsReading && { submission: 'open' }) });
}

function explainName(
  content: Content,
  own: readonly AssetReading[],
  { submissionId, readings, interruption }: Pick<JudgementFacts, 'submissionId' | 'readings' | 'interruption'>,
): Cause {
  if (own.length > 1) {
    const message = `The submission has ${plural(own.length, 'asset')} with the name of this file.`;
    return about(content, { reason: 'results', message, steps: READ_AGAIN, submissionId });
  }
  const unread = readings.filter(({ filename }) => filename === undefined);
  // A file that may have failed is not excused by a timeout or an outage.
  const mayHaveFailed = unread.some(({ listed }) => failureText(listed) !== '');
  const stopped = unread.find(({ error }) => error?.stopsReading)?.error;
  if (interruption && !mayHaveFailed) return interruption;
  if (stopped && !mayHaveFailed) return explainUnread(content, stopped);
  const others = readings.map((reading) => reading.filename ?? describeUnread(reading));
  const instead = others.length === 0 ? ' It has no assets.' : ` Its assets: ${formatList(others)}.`;
  const message = `The submission has no asset with the name of this file.${instead}`;
  return about(content, { reason: 'results', message, steps: READ_AGAIN, submissionId });
}

function describeUnread({ listed, error }: AssetReading): string {
  return `${listed.assetId} (${failureText(listed) || (error?.message ?? 'not read')})`;
}

function explainFailure({ listed }: AssetReading, retried: Retries | undefined): Cause {
  const times = retried?.count ?? 0;
  const after = times === 0 ? '' : ` after ${times} ${times === 1 ? 'retry' : 'retries'}`;
  const noMore =
    retried?.problem === undefined ? '' : ` It was not retried${times > 0 ? ' again' : ''}: ${retried.problem}.`;
  return {
    reason: 'asset-failed',
    message: `The service could not analyse the file${after}: ${failureText(listed) || 'it gave no reason'}.${noMore}`,
    steps: [
      author(`Check that ${FILE} opens. If it is damaged, replace it, commit and push.`),
      rerun('If it is intact, re-run this job.'),
    ],
  };
}

export function about({ paths: [path] }: Content, cause: Cause): Cause {
  return path === undefined ? cause : { ...cause, path };
}
